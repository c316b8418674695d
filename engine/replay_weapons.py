"""How a log's lines about ordnance, needle beams and the nova cannon change the table again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.events import Event
from engine.events_weapons import MineBurnt, NovaArmed, NovaFired, NovaMoved, PackFired, SystemLost
from engine.pieces import Nova
from engine.rigging import knock_out, refit
from engine.state import BattleState
from engine.systems.spinal import FLARES


def _pack(state: BattleState, event: Any) -> None:
    ship = state.ship(event.ship)
    ship.stock[ship.rig.index_of[event.weapon]] = 0


def _system_lost(state: BattleState, event: Any) -> None:
    ship = state.ship(event.ship)
    knock_out(ship, ship.rig.index_of[event.system])
    refit(ship)


def _armed(state: BattleState, event: Any) -> None:
    ship = state.ship(event.ship)
    ship.armed = True
    refit(ship)


def _fired(state: BattleState, event: Any) -> None:
    x, y = event.path[-1]
    state.novas.append(Nova(event.template, state.ship(event.ship).side, event.ship, x, y, event.course, 1))


def _template_moved(state: BattleState, event: Any) -> None:
    nova = next(nova for nova in state.novas if nova.id == event.template)
    nova.x, nova.y = event.path[-1]
    nova.age = event.age
    if nova.age == len(FLARES):
        state.novas.remove(nova)


def _mine_burnt(state: BattleState, event: Any) -> None:
    state.mines = [mine for mine in state.mines if mine.id != event.mine]


CHANGES: dict[type[Event], Callable[[BattleState, Any], None]] = {
    PackFired: _pack,
    SystemLost: _system_lost,
    NovaArmed: _armed,
    NovaFired: _fired,
    NovaMoved: _template_moved,
    MineBurnt: _mine_burnt,
}
