"""Every kind of event by its name, and events read back from a log."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from engine import (
    events,
    events_defences,
    events_field,
    events_fighters,
    events_guns,
    events_hull,
    events_movement,
    events_table,
    events_weapons,
)
from engine.events import Event

MODULES = (
    *(events, events_fighters, events_weapons, events_field, events_table, events_hull, events_guns, events_movement),
    events_defences,
)
KINDS: dict[str, type[Event]] = {
    cls.kind: cls
    for module in MODULES
    for cls in vars(module).values()
    if isinstance(cls, type) and issubclass(cls, Event) and cls is not Event
}


def event_from_json(document: dict[str, Any]) -> Event:
    """The event a log line stands for. Raises KeyError for a kind or a field that does not exist."""
    cls = KINDS[document["event"]]
    return cls(**{f.name: _frozen(document[f.name]) for f in fields(cls)})


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_frozen(item) for item in value)
    return value
