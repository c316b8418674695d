"""The log alone replays the battle: from the first state and the events, without dice, to the last state."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.state import BattleState
from engine.events.event import Event


def replay(start: BattleState, events: Iterable[Event]) -> BattleState:
    """The state after the events; `start` is not changed. Raises KeyError where an event names an unknown ship."""
    state = start.copy()
    for event in events:
        event.apply(state)
    return state
