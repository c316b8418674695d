"""The log alone replays the battle: from the first state and the events, without dice, to the last state.

Every event that changes the table has one function here that makes the same change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from engine.events import (
    BattleOver,
    Damaged,
    Destroyed,
    DummyFound,
    Event,
    FtlExit,
    FtlWarming,
    GaveUp,
    LeftTable,
    Moved,
    Returned,
    Revealed,
    Threshold,
    TurnEnded,
)
from engine.movement.docking import shelter
from engine.movement.edges import put_at
from engine.movement.legs import vector
from engine.replay_defences import CHANGES as OF_DEFENCES
from engine.replay_field import CHANGES as OF_FIELD
from engine.replay_fighters import CHANGES as OF_FIGHTERS
from engine.replay_hull import CHANGES as OF_HULLS
from engine.replay_movement import CHANGES as OF_MOVEMENT
from engine.replay_table import CHANGES as OF_TABLE
from engine.replay_weapons import CHANGES as OF_WEAPONS
from engine.rest import rest
from engine.rigging import knock_out, refit
from engine.state import DESTROYED, FTL, LEFT, OVER, PLOT, RETURNING, SCANNED_AWAY, BattleState
from engine.victory import judge


def replay(start: BattleState, events: Iterable[Event]) -> BattleState:
    """The state after the events; `start` is not changed. Raises KeyError where an event names an unknown ship."""
    state = start.copy()
    for event in events:
        change = CHANGES.get(type(event))
        if change is not None:
            change(state, event)
    return state


def _moved(state: BattleState, event: Any) -> None:
    ship = state.ship(event.ship)
    if ship.rig.bays:
        ship.swerved = (ship.course, ship.velocity) != (event.course, event.velocity)
    ship.x, ship.y = event.path[-1]
    ship.course, ship.velocity = event.course, event.velocity
    if ship.drift is not None:
        ship.drift = vector(event.path[0], event.path[-1])[1]


def _left(state: BattleState, event: Any) -> None:
    ship = state.ship(event.ship)
    ship.x, ship.y = event.at
    ship.status = RETURNING if event.due else LEFT
    ship.edge, ship.due = event.edge, event.due
    ship.warm = ship.holds_fire = False


def _gave_up(state: BattleState, event: Any) -> None:
    ship = state.ship(event.ship)
    ship.status, ship.due = LEFT, 0


def _returned(state: BattleState, event: Any) -> None:
    put_at(state.ship(event.ship), (*event.at, event.course))


def _warming(state: BattleState, event: Any) -> None:
    ship = state.ship(event.ship)
    ship.warm = ship.holds_fire = True


def _ftl(state: BattleState, event: Any) -> None:
    ship = state.ship(event.ship)
    ship.warm = ship.holds_fire = False
    if event.outcome in ("safe", "blast-others", "strained", "exploded"):
        ship.x, ship.y = event.at
        ship.status = DESTROYED if event.outcome == "exploded" else FTL


def _revealed(state: BattleState, event: Any) -> None:
    state.ship(event.ship).bogey = False


def _dummy(state: BattleState, event: Any) -> None:
    ship = state.ship(event.ship)
    ship.bogey, ship.status = False, SCANNED_AWAY


def _damaged(state: BattleState, event: Any) -> None:
    state.ship(event.ship).damage = event.total


def _threshold(state: BattleState, event: Any) -> None:
    ship = state.ship(event.ship)
    for name in event.lost:
        knock_out(ship, ship.rig.index_of[name])
    refit(ship)


def _destroyed(state: BattleState, event: Any) -> None:
    state.ship(event.ship).status = DESTROYED


def _turn_ended(state: BattleState, event: Any) -> None:
    rest(state)
    shelter(state)
    over = judge(state, last=False) is not None
    state.stop = OVER if over else PLOT
    state.turn = event.turn if over else event.turn + 1


def _over(state: BattleState, event: Any) -> None:
    state.stop, state.turn = OVER, max(event.turn, 1)


CHANGES: dict[type[Event], Callable[[BattleState, Any], None]] = {
    Moved: _moved,
    LeftTable: _left,
    GaveUp: _gave_up,
    Returned: _returned,
    FtlWarming: _warming,
    FtlExit: _ftl,
    Revealed: _revealed,
    DummyFound: _dummy,
    Damaged: _damaged,
    Threshold: _threshold,
    Destroyed: _destroyed,
    TurnEnded: _turn_ended,
    BattleOver: _over,
    **OF_WEAPONS,
    **OF_FIGHTERS,
    **OF_FIELD,
    **OF_TABLE,
    **OF_HULLS,
    **OF_MOVEMENT,
    **OF_DEFENCES,
}
