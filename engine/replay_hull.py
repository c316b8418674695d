"""How a log's lines about armour, notes, repairs and single systems change the table again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.combat.cores import core_restored, pencil_core
from engine.events import Event
from engine.events_hull import Absorbed, Adrift, CoreHit, Marked, Noted, Repaired, Spent, SystemChecked
from engine.notes import REFITTING
from engine.rigging import knock_out, refit
from engine.state import HULK, BattleState


def _absorbed(state: BattleState, event: Any) -> None:
    state.ship(event.ship).armour = event.armour


def _spent(state: BattleState, event: Any) -> None:
    ship = state.ship(event.ship)
    ship.stock[ship.rig.index_of[event.weapon]] = event.left


def _noted(state: BattleState, event: Any) -> None:
    ship = state.ship(event.ship)
    if event.value:
        ship.notes[event.note] = event.value
    else:
        ship.notes.pop(event.note, None)
    if event.note in REFITTING:
        refit(ship)


def _checked(state: BattleState, event: Any) -> None:
    ship = state.ship(event.ship)
    for name in event.lost:
        knock_out(ship, ship.rig.index_of[name])
    refit(ship)


def _repaired(state: BattleState, event: Any) -> None:
    if event.done:
        ship = state.ship(event.ship)
        ship.alive[ship.rig.index_of[event.system]] += 1
        core_restored(ship, event.system)
        refit(ship)


def _core_hit(state: BattleState, event: Any) -> None:
    pencil_core(state.ship(event.ship), event.system, event.value)


def _adrift(state: BattleState, event: Any) -> None:
    state.ship(event.ship).status = HULK


CHANGES: dict[type[Event], Callable[[BattleState, Any], None]] = {
    Absorbed: _absorbed,
    Spent: _spent,
    Noted: _noted,
    Marked: _noted,
    SystemChecked: _checked,
    Repaired: _repaired,
    Adrift: _adrift,
    CoreHit: _core_hit,
}
