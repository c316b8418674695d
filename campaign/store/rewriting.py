"""Permission to change the history of wars, for `manage.py flush` and the repair of damage.

The database itself refuses every change of a protected row (`campaign.migrations._append_only`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import connection, transaction

_is_rewritable: ContextVar[bool] = ContextVar("is_rewritable", default=False)


@contextmanager
def history_rewritable() -> Iterator[None]:
    """Run the block in a transaction in which the database lets protected rows be changed."""
    token = _is_rewritable.set(True)
    try:
        with transaction.atomic():
            _tell_postgres("on")
            yield
            _tell_postgres("off")  # the transaction may go on outside the block
    finally:
        _is_rewritable.reset(token)


def role_can_rewrite() -> bool:
    """Return whether the site's database role may change protected rows in that block.

    On PostgreSQL the site may log in with a role that may not (`manage.py grants`).
    """
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT has_table_privilege('campaign_snapshot', 'UPDATE')")
        return bool(cursor.fetchone()[0])


def rewritable_register(**signal: Any) -> None:
    """Give a new SQLite connection the function that the triggers ask."""
    opened = signal["connection"]
    if opened.vendor == "sqlite":
        opened.connection.create_function("rewritable", 0, _is_rewritable.get)


def _tell_postgres(value: str) -> None:
    """Set, until the transaction ends, what the triggers of PostgreSQL ask."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('blindjump.rewritable', %s, true)", [value])
