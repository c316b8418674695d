"""Ship movement of Continuum: course, velocity and thrust, all ships at once, those under FTL last.

Rules: Continuum "Cinematic movement" 3 [pc.movement]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.combat.detection import passive_scans
from engine.dice import Dice
from engine.events import Moved, Sink
from engine.geometry import COURSES, turned
from engine.movement.edges import leave_if_off
from engine.notes import THRUST_USED
from engine.orders import HOLD, Plot
from engine.state import FIGHTING, BattleState, ShipState

Point = tuple[float, float]


def move_ships(state: BattleState, plots: Mapping[str, Plot], turn: int, dice: Dice, sink: Sink | None) -> None:
    """Phase 5: everything moves. Rules: Continuum "Ship movement" 3.1 [pc.movement]"""
    for ship in state.ships:
        if ship.status != FIGHTING:
            continue
        start = (ship.x, ship.y)
        mid = fly(ship, plots.get(ship.id, HOLD))
        if sink is not None:
            sink(Moved(turn, ship.id, (start, mid, (ship.x, ship.y)), ship.course, ship.velocity))
        leave_if_off(state, ship, start, mid, turn, dice, sink)
    passive_scans(state, turn, sink)


def fly(ship: ShipState, plot: Plot) -> Point:
    """Move a ship in place by a legal order; returns the mid-point of its path.

    Half of the points of turn, rounded down, at the start, the rest at mid-point; an odd velocity is halved likewise. Of two turns the first is made at the start, the second at mid-point.
    Rules: Continuum "Making course changes" 3.4 [pc.movement]
    """
    velocity = ship.velocity + plot.thrust
    first = plot.turn if plot.second else int(plot.turn / 2)
    rest = plot.second if plot.second else plot.turn - first
    used = abs(plot.turn) + abs(plot.second) + abs(plot.thrust)
    if used:
        ship.notes[THRUST_USED] = used
    ship.velocity = velocity
    half = float(velocity // 2)
    ux, uy = COURSES[turned(ship.course, first)]
    mid = (ship.x + ux * half, ship.y + uy * half)
    ship.course = turned(ship.course, first + rest)
    ux, uy = COURSES[ship.course]
    ship.x, ship.y = mid[0] + ux * (velocity - half), mid[1] + uy * (velocity - half)
    return mid
