"""A database that cannot be asked, or not written to, just now: away, locked, full, read-only.

Nothing of the request was kept, and the same request may succeed in a moment: it is answered 503
with Retry-After.
"""

from __future__ import annotations

from django.db import InterfaceError, InternalError, OperationalError

from engine.core.phrase import phrase

RETRY_AFTER = 5  # seconds
CODE = "database-away"
DETAIL = phrase("the database cannot be used just now; nothing was changed, try again")
READ_ONLY = "25006"  # PostgreSQL's code for a statement that writes to a database that is read only


def is_database_away(error: BaseException | None) -> bool:
    """Whether an exception says that, and not that something was asked that cannot be."""
    if isinstance(error, InternalError):
        return getattr(error.__cause__, "sqlstate", None) == READ_ONLY
    return isinstance(error, (OperationalError, InterfaceError))


def outage_code(error: BaseException) -> str:
    """The driver's name for it, for the log: SQLITE_BUSY, SQLITE_FULL, a code of PostgreSQL; empty
    without one.
    """
    cause = error.__cause__
    return str(getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None) or "")
