"""Who does which kind of job. Apps name theirs when they are ready; the handler gets the job's `args`.

A handler may run more than once for one job, even twice at the same moment after a lease was lost: what it does must
come to the same. What it returns is kept in the row and must be JSON without secrets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.module_loading import import_string

Handler = Callable[[Mapping[str, Any]], Any]
_handlers: dict[str, str] = {}


def kind_register(*, kind: str, handler: str) -> None:
    """From now on the function of this dotted name does the jobs of this kind. It is imported at the first job."""
    _handlers[kind] = handler


def handlers_load() -> None:
    """Import the handlers of all kinds, before the first job."""
    for name in _handlers.values():
        import_string(name)


def handler_of(kind: str) -> Handler:
    """The handler of a kind. Raises LookupError where nobody does it."""
    if kind not in _handlers:
        raise LookupError(f"nobody does jobs of kind {kind}")
    found: Handler = import_string(_handlers[kind])
    return found
