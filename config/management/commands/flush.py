"""`manage.py flush`: Django's command, the only one that may delete the history of wars."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import flush

from campaign.store.rewriting import history_rewritable


class Command(flush.Command):
    """Empties the database, after asking."""

    def handle(self, **options: Any) -> None:
        """Flush in a transaction in which the database deletes protected rows."""
        with history_rewritable():
            super().handle(**options)
