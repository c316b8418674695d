"""Fighter groups in flight: up to 12 MU a turn in any direction, sides alternating group by group.

Rules: 2E "Fighters" [2e.fighters]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.events import Sink
from engine.events_fighters import FlightRefused, Flown
from engine.geometry import COURSES, within
from engine.orders import Flight
from engine.pieces import Group
from engine.state import BattleState

REACH = 12.0  # MU a turn


def move_groups(state: BattleState, flights: Mapping[str, Flight], turn: int, sink: Sink | None) -> None:
    """Move every group in place by its orders; those without stay where they are and face as they did.

    Rules: 2E "Fighters" [2e.fighters]
    """
    for group in state.groups:
        group.moved = group.fired = False
    for group in state.groups:
        flight = flights.get(group.id)
        if flight is not None:
            _fly(group, flight, turn, sink)


def _fly(group: Group, flight: Flight, turn: int, sink: Sink | None) -> None:
    start = (group.x, group.y)
    there = flight.to or start
    dx, dy = there[0] - start[0], there[1] - start[1]
    if not within(dx * dx + dy * dy, REACH):
        if sink is not None:
            sink(FlightRefused(turn, group.id, flight.words(), f"it flies {REACH:g} MU a turn"))
        return
    group.x, group.y = there
    group.course = flight.face or (heading(dx, dy) if (dx or dy) else group.course)
    group.moved = True
    if sink is not None:
        sink(Flown(turn, group.id, (start, there), group.course))


def heading(dx: float, dy: float) -> int:
    """The course nearest to a direction, 1 to 12; of two equally near ones the lower."""
    return max(range(1, 13), key=lambda course: (COURSES[course][0] * dx + COURSES[course][1] * dy, -course))
