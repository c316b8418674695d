"""How a log's lines about Continuum's movement change the table again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.events import Event
from engine.events_movement import EmergencyThrust, InSquadron
from engine.movement.squadrons import lead
from engine.notes import EMERGENCIES
from engine.rigging import knock_out, refit
from engine.state import BattleState


def _emergency(state: BattleState, event: Any) -> None:
    ship = state.ship(event.ship)
    ship.notes[EMERGENCIES] = ship.notes.get(EMERGENCIES, 0) + 1
    for _ in range(event.hits):
        knock_out(ship, ship.rig.drive)
    refit(ship)


def _squadron(state: BattleState, event: Any) -> None:
    lead(state, state.ship(event.ship), event.by)


CHANGES: dict[type[Event], Callable[[BattleState, Any], None]] = {
    EmergencyThrust: _emergency,
    InSquadron: _squadron,
}
