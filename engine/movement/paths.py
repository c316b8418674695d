"""A ship's actual move: the path from its orders, bent where bodies pull or slow it.

All ships move through this module.

Rules: Continuum "Large scale" 17.9 [pc.planets]; Continuum "Dust or nebula clouds" 17.2 [pc.clouds]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from engine.core.geometry import (
    COURSES,
    NEAR,
    Point,
    dist,
    path_length,
    turn_course,
    velocity_and_drift,
)
from engine.core.kinds import INSTALLATION, ON_TABLE
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.events.movement import ShipMoved
from engine.pieces.piece import FREE_FALL, Piece, Pull

Path = tuple[Point, ...]
Pulls = list[tuple[Piece, Pull]]


def bend_path(
    pieces: Iterable[Piece], path: Path, swing: int = 0, heading: Point | None = None
) -> tuple[Path, Pulls]:
    """Return a path as bodies bend it, and the pulls in the order in which the path meets them.

    Each body pulls once. From the point where a body takes hold, the rest of the path turns about
    that point, and is longer or shorter by the change in the ship's velocity. Changes no state, so
    captains may call it too.

    Args:
        swing: Points that unused thrust adds to the first turn by a body; negative points reduce
            the turn, to none at most.
        heading: The ship's result of `heading_at_rest`.
    """
    bodies = [piece for piece in pieces if piece.body]
    points_flown: list[Point] = []
    pulls: Pulls = []
    while True:
        pulls_ahead: Pulls = []
        for body in bodies:
            pull = body.pull(path, heading)
            if pull is not None:
                pulls_ahead.append((body, pull))
        if not pulls_ahead:
            return (*points_flown, *path), pulls
        nearest_body, nearest_pull = min(pulls_ahead, key=_pull_distance)
        if swing and nearest_pull.turn:
            nearest_pull = _add_swing(nearest_pull, swing)
            swing = 0
        before, rest = split(path, nearest_pull.far)
        points_flown += before
        path = _swing_path(rest, nearest_pull)
        pulls.append((nearest_body, nearest_pull))
        bodies.remove(nearest_body)


def _add_swing(pull: Pull, swing: int) -> Pull:
    """Return a pull that turns a ship by so many points more, or fewer.

    Rules: Continuum "Large scale" 17.9 [pc.planets]
    """
    turn = max(abs(pull.turn) + swing, 0)
    return replace(pull, turn=turn if pull.turn > 0 else -turn)


def _pull_distance(body_and_pull: tuple[Piece, Pull]) -> float:
    """Return how far along a path a pull begins, in MU."""
    return body_and_pull[1].far


def split(path: Path, far: float) -> tuple[Path, Path]:
    """Split a path `far` MU from its start.

    Returns:
        The points before that place, and the rest of the path from it on.
    """
    for number, (a, b) in enumerate(pairwise(path), 1):
        step = dist(a, b)
        if far <= step + NEAR:
            share = min(far / step, 1.0) if step > NEAR else 0.0
            before = path[:number] if far > NEAR else path[: number - 1]
            return before, (_interpolate(a, b, share), *path[number:])
        far -= step
    return path[:-1], path[-1:]


def _interpolate(a: Point, b: Point, share: float) -> Point:
    """Return the point at a share of the way from one point to another."""
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _swing_path(rest: Path, pull: Pull) -> Path:
    """Turn the rest of a path about its first point and scale it; a ship never flies backwards."""
    x, y = rest[0]
    sine, cosine = COURSES[turn_course(12, pull.turn)]
    if pull.falls is not None:
        u, v = pull.falls
        end = (
            x + (u * cosine + v * sine) * pull.velocity,
            y + (v * cosine - u * sine) * pull.velocity,
        )
        return rest[0], end
    rest_mu = path_length(rest)
    if rest_mu > NEAR:
        scale = max(rest_mu + pull.velocity, 0.0) / rest_mu
    else:
        scale = 0.0
    points = [rest[0]]
    for point_x, point_y in rest[1:]:
        u, v = point_x - x, point_y - y
        points.append((x + (u * cosine + v * sine) * scale, y + (v * cosine - u * sine) * scale))
    return tuple(points)


def heading_at_rest(ship: ShipState, course: int, drift: Point | None) -> Point | None:
    """Return the direction of a ship that may be at rest, for `bend_path`.

    Nothing pulls at an installation at rest: it was built to keep its station.
    Rules: Continuum "Large scale" 17.9 [pc.planets]
    """
    if ship.sheet.kind == INSTALLATION:
        return None
    if drift is None:
        return COURSES[course]
    return FREE_FALL


def move_along(table: Table, ship: ShipState, path: Path, spared: Piece | None = None) -> Path:
    """Put a ship at the end of its path, as bodies bend it, report the move and return the path.

    The ship has the course and velocity of its orders; with vector movement a bent path sets them.
    Nothing pulls at a ship off the table.

    Args:
        spared: A body that does not pull at the ship.

    Rules: Continuum "Large scale" 17.9 [pc.planets]
    """
    pulls: Pulls = []
    if table.state.pieces and ship.status in ON_TABLE:
        pieces = [piece for piece in table.state.pieces if piece is not spared]
        heading = heading_at_rest(ship, ship.course, ship.drift)
        bent_path, pulls = bend_path(pieces, path, ship.this_turn.gravity_turn, heading)
        if pulls:
            path = bent_path
            if ship.drift is not None:
                ship.velocity, ship.drift = velocity_and_drift(path[0], path[-1])
    ship.x, ship.y = path[-1]
    table.tell(ShipMoved, ship=ship.id, path=path, course=ship.course, velocity=ship.velocity)
    for body, pull in pulls:
        ship.bend_course(pull.turn, pull.velocity)
        body.tell_pull(table, ship, pull)
    return path
