"""`manage.py forget_guests`: delete the guests whose week is over."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from campaign.services.guests import guests_forget


class Command(BaseCommand):
    """Deletes old guests; the server does the same every hour."""

    help = "Delete the guest accounts whose week is over."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Delete them and print how many there were."""
        self.stdout.write(f"{guests_forget(now=timezone.now())} guests deleted")
