"""The move of a ship in a turn, computed before it is flown, in cinematic or vector movement.

Rules: Continuum "Making course changes" 3.4 [pc.movement]; Continuum "Vector movement system" 12.12
[pc.vector]
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.geometry import COURSES, Point, turn_course, velocity_and_drift
from engine.core.orders import MAIN_DRIVE, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.movement.paths import Path, Pulls, bend_path, heading_at_rest, move_along
from engine.pieces.piece import Piece

# The direction of each rotation, and of each push in clock points from the bow.
ROTATES = {"TP": -1, "TS": 1}
PUSHES_TO = {"PP": -3, "PS": 3, "PR": 6}


@dataclass(frozen=True, slots=True)
class Leg:
    """A ship's move.

    Attributes:
        path: The points of its path, beginning where it starts.
        course: Its course afterwards; in vector movement its facing.
        velocity: Its velocity afterwards.
        drift: Its drift afterwards in MU a turn; None in cinematic movement.
    """

    path: tuple[Point, ...]
    course: int
    velocity: int
    drift: Point | None = None


def motion(ship: ShipState) -> Point:
    """Return the x and y in MU that a ship now moves in a turn."""
    if ship.drift is not None:
        return ship.drift
    ux, uy = COURSES[ship.course]
    return ux * ship.velocity, uy * ship.velocity


def leg_of(ship: ShipState, plot: Plot) -> Leg:
    """Return the move of a ship by a legal plot."""
    if ship.drift is None:
        return _by_course(ship, plot)
    return _by_vectors(ship, plot)


def parts_of(plot: Plot) -> tuple[int, int]:
    """Return the points of turn at the start of a move and at its mid-point.

    Half of a turn, rounded down, is made at the start. Of two turns the first is made there,
    whichever is larger.

    Rules: Continuum "Making course changes", "Double course change" 3.4, 3.5 [pc.movement]
    """
    if plot.second:
        return plot.turn, plot.second
    first = abs(plot.turn) // 2 * (1 if plot.turn > 0 else -1)
    return first, plot.turn - first


def _by_course(ship: ShipState, plot: Plot) -> Leg:
    """Return a cinematic move; the first half of an odd velocity is rounded down.

    Rules: Continuum "Making course changes" 3.4 [pc.movement]
    """
    velocity = ship.velocity + plot.thrust
    half = velocity // 2
    first, rest = parts_of(plot)
    course = turn_course(ship.course, first)
    mid = point_ahead((ship.x, ship.y), course, half)
    course = turn_course(course, rest)
    return Leg(((ship.x, ship.y), mid, point_ahead(mid, course, velocity - half)), course, velocity)


def point_ahead(at: Point, course: int, far: float) -> Point:
    """Return the point `far` MU away on a course."""
    ux, uy = COURSES[course]
    return at[0] + ux * far, at[1] + uy * far


def _by_vectors(ship: ShipState, plot: Plot) -> Leg:
    """Return a vector move: the old vector, then each burn in the order written.

    The sum is the new vector.

    Rules: Continuum "Moving ships under the vector system" 12.12 [pc.vector]
    """
    start = ship.x, ship.y
    dx, dy = motion(ship)
    at = (ship.x + dx, ship.y + dy)
    facing = ship.course
    for burn, points in plot.burns:
        if burn in ROTATES:
            facing = turn_course(facing, ROTATES[burn] * points)
        elif burn == MAIN_DRIVE:
            at = point_ahead(at, facing, points)
        else:
            at = point_ahead(at, turn_course(facing, PUSHES_TO[burn]), points)
    velocity, drift = velocity_and_drift(start, at)
    return Leg((start, at), facing, velocity, drift)


def bent_leg(state: BattleState, ship: ShipState, leg: Leg) -> tuple[Path, Pulls]:
    """Return the path of a leg as bodies would bend it, and their pulls; changes nothing."""
    return bend_path(state.pieces, leg.path, heading=heading_at_rest(ship, leg.course, leg.drift))


def tell_move(
    table: Table, ship: ShipState, leg: Leg, spared: Piece | None = None
) -> tuple[Point, ...]:
    """Move a ship by a leg and return the path it flew, which bodies may have bent.

    Args:
        spared: A piece that does not bend the path.
    """
    ship.course, ship.velocity, ship.drift = leg.course, leg.velocity, leg.drift
    return move_along(table, ship, leg.path, spared)
