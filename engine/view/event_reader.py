"""Converts the lines of a side's log back to typed events.

A field that the side was not shown is None. An event otherwise holds exactly what its line holds.
`engine.view.side_log` writes the lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, TypeVar, overload

from engine.core.cache import rules_cache
from engine.documents import KINDS, event_kinds
from engine.events.event import Event, FieldMark, as_tuples, field_marks_of, read_field

E = TypeVar("E", bound=Event)
F = TypeVar("F", bound=Event)

# Marks of fields that may be hidden from a side. Fields without a mark are hidden from all.
HIDEABLE = (FieldMark.OWN, FieldMark.OWN_UNIT, FieldMark.KNOWERS, FieldMark.PIECE, None)


@dataclass(frozen=True, slots=True)
class _LineReader:
    """How lines of a kind are read: class, fields, defaults of optional fields, marks."""

    cls: Callable[..., Event]
    names: tuple[str, ...]
    optional: Mapping[str, Any]
    marks: Mapping[str, FieldMark]


def read_event(line: Mapping[str, Any]) -> Event:
    """Return the event of a line of a side's log or the umpire's log.

    Raises:
        KeyError: There is no such kind of event, or the line lacks a field that every side is
            shown.
        ValueError: The line has a field that its kind of event does not have.
    """
    reader = _reader_of(line["event"])
    values = []
    omitted_count = 0
    for name in reader.names:
        if name in line:
            value = line[name]
            if type(value) is list:
                value = as_tuples(value)
            elif type(value) is dict:
                value = read_field(value, reader.marks.get(name))
            values.append(value)
        else:
            values.append(reader.optional[name])
            omitted_count += 1
    if len(line) - 1 != len(values) - omitted_count:  # all fields but `event` were read
        unknown = sorted(line.keys() - {"event", *reader.names})
        raise ValueError(f"an event '{line['event']}' has no fields {unknown}")
    return reader.cls(*values)


def read_events(log: Iterable[Mapping[str, Any]]) -> list[Event]:
    """Return all events of a log."""
    return [read_event(line) for line in log]


@overload
def read_events_of(log: Iterable[Mapping[str, Any]], kind: type[E], /) -> Iterator[E]: ...
@overload
def read_events_of(
    log: Iterable[Mapping[str, Any]], kind: type[E], other: type[F], /
) -> Iterator[E | F]: ...
@overload
def read_events_of(
    log: Iterable[Mapping[str, Any]], /, *classes: type[Event]
) -> Iterator[Event]: ...
def read_events_of(log: Iterable[Mapping[str, Any]], /, *classes: type[Event]) -> Iterator[Event]:
    """Return the events of these classes in a log; lines of other kinds are not read."""
    kinds = {cls.kind for cls in classes}
    return (read_event(line) for line in log if line["event"] in kinds)


@rules_cache
def _reader_of(kind: str) -> _LineReader:
    """Return how lines of a kind of event are read."""
    cls = KINDS.get(kind) or event_kinds()[kind]
    marks = field_marks_of(cls)
    names = []
    optional: dict[str, Any] = {}
    for field in fields(cls):
        names.append(field.name)
        if marks.get(field.name) in HIDEABLE:
            optional[field.name] = None
        elif field.default is not MISSING:
            optional[field.name] = field.default
        elif field.default_factory is not MISSING:
            optional[field.name] = field.default_factory()
    return _LineReader(cls, tuple(names), optional, marks)
