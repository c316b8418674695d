"""The kinds of jobs: which function does each, in which lane, and what happens when it fails too
often.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.module_loading import import_string

from jobs.models import SHORT

Handler = Callable[[Mapping[str, Any]], Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of job.

    Attributes:
        handler: Dotted name of the function that does it, given the job's `args`.
        lane: Where its jobs begin.
        tries: After how many failures in a row a job is quarantined; None: it is tried for ever.
        quarantined: Dotted name of a function of the job's `args` that tells people of a
            quarantined job. It is called in the transaction that quarantines the job.
    """

    handler: str
    lane: str = SHORT
    tries: int | None = None
    quarantined: str = ""


_kinds: dict[str, Kind] = {}


def kind_register(
    *, kind: str, handler: str, lane: str = SHORT, tries: int | None = None, quarantined: str = ""
) -> None:
    """Register who does the jobs of a kind. The functions are imported with the first job."""
    _kinds[kind] = Kind(handler, lane, tries, quarantined)


def handlers_load() -> None:
    """Import the handlers of all kinds, before the first job."""
    for kind in _kinds.values():
        import_string(kind.handler)


def handler_of(kind: str) -> Handler:
    """Return the handler of a kind. Raises LookupError where nobody does it."""
    if kind not in _kinds:
        raise LookupError(f"nobody does jobs of kind {kind}")
    handler: Handler = import_string(_kinds[kind].handler)
    return handler


def lane_of(kind: str) -> str:
    """Return the lane in which jobs of a kind begin."""
    return _kinds[kind].lane if kind in _kinds else SHORT


def is_hopeless(kind: str, failures: int) -> bool:
    """Return whether a job of this kind that failed so often in a row is to be quarantined."""
    tries = _kinds[kind].tries if kind in _kinds else None
    return tries is not None and failures >= tries


def tell_quarantined(kind: str, args: Mapping[str, Any]) -> None:
    """Call the function that tells people of a quarantined job."""
    if kind in _kinds and _kinds[kind].quarantined:
        import_string(_kinds[kind].quarantined)(args)
