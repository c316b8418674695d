"""Permission to delete the history of wars, which only `manage.py flush` has.

The database itself refuses every DELETE of a protected row (`campaign.migrations._append_only`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import connection, transaction

_is_deletable: ContextVar[bool] = ContextVar("is_deletable", default=False)


@contextmanager
def deletions_allowed() -> Iterator[None]:
    """Run the block in a transaction in which the database deletes protected rows."""
    token = _is_deletable.set(True)
    try:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute("SET LOCAL blindjump.deletable = 'on'")
            yield
    finally:
        _is_deletable.reset(token)


def deletable_register(**signal: Any) -> None:
    """Give a new SQLite connection the function that the triggers ask."""
    opened = signal["connection"]
    if opened.vendor == "sqlite":
        opened.connection.create_function("deletable", 0, _is_deletable.get)
