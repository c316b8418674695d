"""`manage.py load_scenarios`: store this release's scenarios, after `manage.py migrate`."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from campaign.services.scenarios import scenarios_load, scenarios_stored


class Command(BaseCommand):
    """Stores the scenarios and prints one line for each."""

    help = (
        "Store the scenarios that come with this release. Run it after every `migrate`: a "
        "scenario that changed becomes a new version, and running wars keep theirs."
    )
    requires_system_checks: tuple[str, ...] = ()  # checks load every page, which is not needed here

    def handle(self, *_args: Any, **_options: Any) -> None:
        before = scenarios_stored()
        for row in scenarios_load():
            if before.get(row.slug) == row.version:
                state = "unchanged"
            else:
                state = "stored"
            self.stdout.write(f"{row.slug} (version {row.version}): {state}")
