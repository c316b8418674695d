"""The way a ship flies in a turn by Continuum, worked out before it is flown: by course and
velocity, or by vectors.

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

# Which way a rotation turns; which way a push goes, in points of the clock from the bow.
ROTATES = {"TP": -1, "TS": 1}
PUSHES_TO = {"PP": -3, "PS": 3, "PR": 6}


@dataclass(frozen=True, slots=True)
class Leg:
    """A ship's move: the points of its path, the first where it starts; its course (by vectors:
    facing) and velocity afterwards, and its drift, None where it moves by course and velocity.
    """

    path: tuple[Point, ...]
    course: int
    velocity: int
    drift: Point | None = None


def motion(ship: ShipState) -> Point:
    """MU a turn that a ship moves in x and y as it is."""
    if ship.drift is not None:
        return ship.drift
    ux, uy = COURSES[ship.course]
    return ux * ship.velocity, uy * ship.velocity


def leg_of(ship: ShipState, plot: Plot) -> Leg:
    """The move of a ship by a plot it can carry out."""
    return _by_course(ship, plot) if ship.drift is None else _by_vectors(ship, plot)


def parts_of(plot: Plot) -> tuple[int, int]:
    """The points of turn at the start of a move and at its mid-point.

    Half of a turn, rounded down, is made at the start; of two turns the first is made there,
    whichever is larger.
    Rules: Continuum "Making course changes", "Double course change" 3.4, 3.5 [pc.movement]
    """
    if plot.second:
        return plot.turn, plot.second
    first = abs(plot.turn) // 2 * (1 if plot.turn > 0 else -1)
    return first, plot.turn - first


def _by_course(ship: ShipState, plot: Plot) -> Leg:
    """A cinematic move: the first half of an odd velocity is rounded down.

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
    """The point `far` MU away on a course."""
    ux, uy = COURSES[course]
    return at[0] + ux * far, at[1] + uy * far


def _by_vectors(ship: ShipState, plot: Plot) -> Leg:
    """A move by vectors: first the old vector, then every burn in the order written; what it comes
    to is the new one.

    Rules: Continuum "Moving ships under the vector system" 12.12 [pc.vector]
    """
    start = ship.x, ship.y
    dx, dy = motion(ship)
    at, facing = (ship.x + dx, ship.y + dy), ship.course
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
    """Return the path of a leg as bodies would bend it, and what bends it. It changes nothing."""
    return bend_path(
        state.pieces, leg.path, heading=heading_at_rest(state, ship, leg.course, leg.drift)
    )


def tell_move(
    table: Table, ship: ShipState, leg: Leg, spared: Piece | None = None
) -> tuple[Point, ...]:
    """Move a ship by a leg in place; the path that it flew, which bodies may have bent, but for one
    that spares it.
    """
    ship.course, ship.velocity, ship.drift = leg.course, leg.velocity, leg.drift
    return move_along(table, ship, leg.path, spared)
