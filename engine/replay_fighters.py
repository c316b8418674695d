"""How a log's lines about fighters change the table again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.combat.craft import take_craft
from engine.events import Event
from engine.events_fighters import BrokeOff, CraftLost, DogfightBegun, FightersFired, Flown, Launched, Recovered
from engine.movement.flights import let_go
from engine.movement.hangars import stow, take_off
from engine.state import BattleState


def _launched(state: BattleState, event: Any) -> None:
    ship = state.ship(event.ship)
    index = ship.rig.index_of[event.group.removeprefix(f"{ship.id}/")]
    take_off(state, ship, index, event.contact, event.at, event.course, event.turn)
    state.flown = int(event.contact.removeprefix("flight-"))


def _flown(state: BattleState, event: Any) -> None:
    group = state.group(event.group)
    group.x, group.y = event.path[-1]
    group.course, group.moved = event.course, True


def _dogfight(state: BattleState, event: Any) -> None:
    state.group(event.group).dogfight = event.target
    state.group(event.target).moved = True


def _broke_off(state: BattleState, event: Any) -> None:
    let_go(state, state.group(event.group))


def _fired(state: BattleState, event: Any) -> None:
    state.group(event.group).fired = True


def _craft_lost(state: BattleState, event: Any) -> None:
    take_craft(state, state.group(event.group), event.craft)


def _recovered(state: BattleState, event: Any) -> None:
    stow(state, state.group(event.group), state.ship(event.ship), event.craft)


CHANGES: dict[type[Event], Callable[[BattleState, Any], None]] = {
    Launched: _launched,
    Flown: _flown,
    DogfightBegun: _dogfight,
    BrokeOff: _broke_off,
    FightersFired: _fired,
    CraftLost: _craft_lost,
    Recovered: _recovered,
}
