"""Events of every class, with fields filled according to their types."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from engine.documents import KINDS
from engine.events.event import Event, FieldMark, field_marks_of
from engine.view.event_reader import read_event

SAMPLE_VALUES: Mapping[str, Any] = {
    "ship": "n1",
    "target": "e1",
    "near": "e1",
    "group": "n1/fighter-bay-1",
    "contact": "9f3a",
    "by": "e1",
    "guarded": "n1",
    "weapon": "battery-1",
    "system": "drive",
    "targets": ["e1"],
    "chunks": [],
    "rocks": [["rock-1", 1.0, 2.0]],
    "cause": "fires",
    "order": "P2+4",
    "note": "out-of-control",
}


def sample_line(cls: type[Event], /, **values: Any) -> dict[str, Any]:
    """Return a log line of a class of event; missing fields are filled according to their types."""
    hints = typing.get_type_hints(cls)
    line: dict[str, Any] = {"event": cls.kind}
    for field in fields(cls):
        line[field.name] = _value(cls, field.name, str(hints[field.name]))
    return line | values


def sample(cls: type[Event], /, **values: Any) -> Event:
    """Return an event of a class."""
    return read_event(sample_line(cls, **values))


def whole_line(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return a log line with the fields that a test left out."""
    return sample_line(KINDS[line["event"]], **line)


def whole_event(**line: Any) -> Event:
    """Return the event of a line for which a test gave only the relevant fields."""
    return read_event(whole_line(line))


def _value(cls: type[Event], name: str, hint: str) -> Any:
    if field_marks_of(cls).get(name) is FieldMark.REASON:
        return {"code": "out-of-action", "args": []}
    if cls.kind == "disengaged" and name == "rolls":
        return [["nac", 4, 7]]
    if name == "rolls" and "tuple[tuple[str, int]" in hint:
        return [["n1", 4]]
    if name in SAMPLE_VALUES and not (name == "order" and "tuple" in hint):
        return SAMPLE_VALUES[name]
    if hint.startswith("tuple[float, float]") and "..." not in hint:
        return [1.0, 2.0]
    if "Mapping" in hint:
        return {}
    if "tuple" in hint:
        return []
    if "bool" in hint:
        return True
    if "float" in hint:
        return 3.0
    if "int" in hint:
        return 4
    return "left"
