"""What events about the table itself change: the same change as when they happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.combat.breaking import fall_apart
from engine.combat.parting import clear, left_behind, put, slip_away
from engine.events import Event
from engine.events_table import (
    Arrived,
    Cleared,
    Disengaged,
    Docking,
    Drifted,
    Escaped,
    GroupPlaced,
    LeftBehind,
    Placed,
    RockBroken,
    RockDamaged,
    TableMoved,
)
from engine.movement.docking import STEPS, take_step
from engine.movement.shift import move_table
from engine.state import FIGHTING, FTL, LEFT, BattleState


def _drifted(state: BattleState, event: Any) -> None:
    places = {name: (x, y) for name, x, y in event.rocks}
    for rock in state.rocks:
        rock.x, rock.y = places.get(rock.id, (rock.x, rock.y))
    state.rocks = [rock for rock in state.rocks if rock.id not in event.gone]


def _rock_damaged(state: BattleState, event: Any) -> None:
    next(rock for rock in state.rocks if rock.id == event.rock).damage = event.total


def _broken(state: BattleState, event: Any) -> None:
    fall_apart(state, next(rock for rock in state.rocks if rock.id == event.rock), event.chunks)


def _arrived(state: BattleState, event: Any) -> None:
    ship = state.ship(event.ship)
    ship.x, ship.y = event.at
    ship.status, ship.due = FIGHTING if event.on_table else LEFT, 0


def _escaped(state: BattleState, event: Any) -> None:
    ship = state.ship(event.ship)
    ship.x, ship.y = event.at
    ship.status, ship.edge, ship.due = FTL, event.edge, 0
    ship.warm = ship.holds_fire = False


def _docking(state: BattleState, event: Any) -> None:
    step = next(step for step, name in STEPS.items() if name == event.step)
    take_step(state, state.ship(event.ship), event.near, step)


def _table_moved(state: BattleState, event: Any) -> None:
    move_table(state, event.by_x, event.by_y)


def _disengaged(state: BattleState, event: Any) -> None:
    if event.outcome != "pursued":
        slip_away(state, state.sides.index(event.side))


def _left_behind(state: BattleState, event: Any) -> None:
    left_behind(state.ship(event.ship))


def _placed(state: BattleState, event: Any) -> None:
    put(state.ship(event.ship), event.at, event.course)


def _group_placed(state: BattleState, event: Any) -> None:
    group = state.group(event.group)
    group.x, group.y = event.at
    group.dogfight = ""


def _cleared(state: BattleState, _: Any) -> None:
    clear(state)


CHANGES: dict[type[Event], Callable[[BattleState, Any], None]] = {
    Drifted: _drifted,
    RockDamaged: _rock_damaged,
    RockBroken: _broken,
    Arrived: _arrived,
    Escaped: _escaped,
    Docking: _docking,
    TableMoved: _table_moved,
    Disengaged: _disengaged,
    LeftBehind: _left_behind,
    Placed: _placed,
    GroupPlaced: _group_placed,
    Cleared: _cleared,
}
