"""Every kind of event by its name; events read back from a log, and the battle they replay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

from engine.core.state import BattleState
from engine.events import battle, damage, detection, fire, movement
from engine.events.event import Event
from engine.pieces import registry

# Who defines them; a kind of piece has its events in its file.
SUBJECTS = (movement, fire, damage, detection, battle, registry)


def kinds() -> dict[str, type[Event]]:
    """Every kind of event there is by its name, whoever defined it."""
    return {cls.kind: cls for cls in _derived(Event)}


def _derived(cls: type[Event]) -> Iterator[type[Event]]:
    for derived in cls.__subclasses__():
        yield derived
        yield from _derived(derived)


# Those of the engine itself.
KINDS = {kind: cls for kind, cls in kinds().items() if cls.__module__.startswith("engine.")}


def event_from_json(document: dict[str, Any]) -> Event:
    """The event a log line stands for. Raises KeyError for a kind or a field that does not exist."""
    cls = kinds()[document["event"]]
    return cls(**{f.name: _frozen(document[f.name]) for f in fields(cls)})


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_frozen(item) for item in value)
    return value


def replay(start: BattleState, events: Iterable[Event]) -> BattleState:
    """The state after the events; `start` is not changed. Raises KeyError where an event names an unknown ship."""
    state = start.copy()
    for event in events:
        event.apply(state)
    return state
