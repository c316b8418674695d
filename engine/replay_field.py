"""What the events of mines, sensors and Q ships change on the table. `engine.replay` plays a whole log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.events import Event
from engine.events_field import MineDetonated, MineLaid, MineSwept, Sweeping, Uncovered
from engine.pieces import Mine
from engine.rigging import refit
from engine.state import BattleState
from engine.systems.mines import MISSED, SWEPT


def _laid(state: BattleState, event: Any) -> None:
    ship = state.ship(event.ship)
    ship.stock[ship.rig.index_of[event.fit]] -= 1
    state.mines.append(Mine(event.mine, ship.side, event.at[0], event.at[1], event.turn, 1 << ship.side))
    state.laid += 1


def _sweeping(state: BattleState, event: Any) -> None:
    state.ship(event.ship).sweeping = True


def _swept(state: BattleState, event: Any) -> None:
    if event.outcome == SWEPT:
        _gone(state, event)
    elif event.outcome == MISSED:
        next(mine for mine in state.mines if mine.id == event.mine).known = (1 << len(state.sides)) - 1


def _gone(state: BattleState, event: Any) -> None:
    state.mines = [mine for mine in state.mines if mine.id != event.mine]


def _uncovered(state: BattleState, event: Any) -> None:
    ship = state.ship(event.ship)
    ship.cover = None
    refit(ship)


CHANGES: dict[type[Event], Callable[[BattleState, Any], None]] = {
    MineLaid: _laid,
    Sweeping: _sweeping,
    MineSwept: _swept,
    MineDetonated: _gone,
    Uncovered: _uncovered,
}
