"""A database that is temporarily away, locked, full or read-only.

Nothing of the request was stored, and the same request may soon succeed: the answer is 503 with
Retry-After.
"""

from __future__ import annotations

from django.db import InterfaceError, InternalError, OperationalError

from engine.core.phrase import phrase

RETRY_AFTER = 5  # seconds
CODE = "database-away"
DETAIL = phrase("the database is not available right now; nothing was changed, try again")
READ_ONLY = "25006"  # PostgreSQL's code for a write to a read-only database


def is_database_away(error: BaseException | None) -> bool:
    """Return whether an exception means an outage of the database and not an invalid query."""
    if isinstance(error, InternalError):
        return getattr(error.__cause__, "sqlstate", None) == READ_ONLY
    return isinstance(error, (OperationalError, InterfaceError))


def outage_code(error: BaseException) -> str:
    """Return the driver's code of the error for the log, such as SQLITE_BUSY; "" without one."""
    cause = error.__cause__
    return str(getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None) or "")
