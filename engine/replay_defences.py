"""How a log's lines about cloaks, armour that mends and charges that go off change the table again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.combat.charges import burnt_out
from engine.combat.mending import mended
from engine.combat.veils import hidden, shown
from engine.events import Event
from engine.events_defences import Cloaked, Decloaked, Detonated, Regenerated
from engine.state import BattleState


def _cloaked(state: BattleState, event: Any) -> None:
    hidden(state.ship(event.ship), event.how)


def _decloaked(state: BattleState, event: Any) -> None:
    shown(state.ship(event.ship), event.why, event.turn)


def _regenerated(state: BattleState, event: Any) -> None:
    mended(state.ship(event.ship), event.armour, event.scarred)


def _detonated(state: BattleState, event: Any) -> None:
    burnt_out(state.ship(event.ship), event.charges)


CHANGES: dict[type[Event], Callable[[BattleState, Any], None]] = {
    Cloaked: _cloaked,
    Decloaked: _decloaked,
    Regenerated: _regenerated,
    Detonated: _detonated,
}
