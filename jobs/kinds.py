"""The kinds of jobs: their handlers, their lanes, and what happens when they fail too often."""

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
        handler: Dotted name of the function that runs a job, called with the job's `args`.
        lane: The lane in which its jobs start.
        tries: A job is quarantined after this many failures in a row. None: retry without limit.
        quarantined: Dotted name of a function that notifies people of a quarantined job. It is
            called with the job's `args`, in the transaction that quarantines the job.
    """

    handler: str
    lane: str = SHORT
    tries: int | None = None
    quarantined: str = ""


_kinds: dict[str, Kind] = {}


def kind_register(
    *, kind: str, handler: str, lane: str = SHORT, tries: int | None = None, quarantined: str = ""
) -> None:
    """Register a kind of job and its handler. Functions are imported when they are first needed."""
    _kinds[kind] = Kind(handler, lane, tries, quarantined)


def handlers_load() -> None:
    """Import the handlers of all kinds."""
    for kind in _kinds.values():
        import_string(kind.handler)


def handler_of(kind: str) -> Handler:
    """Return the handler of a kind.

    Raises:
        LookupError: The kind is not registered.
    """
    if kind not in _kinds:
        raise LookupError(f"no handler is registered for jobs of kind {kind}")
    handler: Handler = import_string(_kinds[kind].handler)
    return handler


def lane_of(kind: str) -> str:
    """Return the lane in which jobs of a kind start."""
    if kind in _kinds:
        return _kinds[kind].lane
    return SHORT


def is_hopeless(kind: str, failures: int) -> bool:
    """Return whether a job of this kind should be quarantined after this many failures in a row."""
    tries = _kinds[kind].tries if kind in _kinds else None
    return tries is not None and failures >= tries


def notify_quarantined(kind: str, args: Mapping[str, Any]) -> None:
    """Call the function that notifies people of a quarantined job, if the kind has one."""
    if kind in _kinds and _kinds[kind].quarantined:
        import_string(_kinds[kind].quarantined)(args)
