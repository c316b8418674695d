"""`manage.py first_link`: print the link for the first account on servers without bin/serve."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from campaign.services.scenarios import scenarios_stored
from config.accounts import accounts_exist, first_link


class Command(BaseCommand):
    """Prints the link."""

    help = "Print the link for the first account; it works once, within a week."

    def handle(self, *_args: Any, **_options: Any) -> None:
        if accounts_exist():
            raise CommandError(
                "there is already an account; its owner, a host or an umpire can invite others"
            )
        self.stdout.write(f"{settings.SITE_URL}{first_link()}")
        if not scenarios_stored():
            self.stderr.write("This site has no scenarios yet: run `manage.py load_scenarios`.")
