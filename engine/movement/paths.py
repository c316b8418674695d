"""A ship's move as it is flown: its path by its orders, bent where bodies pull or slow it.

All ships move by this.

Rules: Continuum "Large scale" 17.9 [pc.planets]; Continuum "Dust or nebula clouds" 17.2 [pc.clouds]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from math import dist

from engine.core.geometry import COURSES, NEAR, Point, turn_course, velocity_and_drift
from engine.core.kinds import INSTALLATION, ON_TABLE
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.versions import PULLED_AT_REST
from engine.events.movement import ShipMoved
from engine.pieces.piece import FREE_FALL, Piece, Pull

Path = tuple[Point, ...]
Pulls = list[tuple[Piece, Pull]]


def bend_path(
    pieces: Iterable[Piece], path: Path, swing: int = 0, heading: Point | None = None
) -> tuple[Path, Pulls]:
    """A path as bodies bend it, and which did what to it, in the order in which it meets them; each
    does it once.

    `swing`: the points that unused thrust adds to the first turn of a body (negative: takes off it,
    to none at most). `heading`: what `heading_at_rest` says of the ship. Behind the point where a
    body takes hold, the rest of the way turns about that point, and is longer or shorter by what
    the body makes of the ship's velocity. For captains too: it changes nothing.
    """
    bodies = [piece for piece in pieces if piece.body]
    points_flown: list[Point] = []
    pulls: Pulls = []
    while True:
        pulls_ahead = [
            (body, pull) for body in bodies if (pull := body.pull(path, heading)) is not None
        ]
        if not pulls_ahead:
            return (*points_flown, *path), pulls
        body, pull = min(pulls_ahead, key=_pull_distance)
        if swing and pull.turn:
            pull, swing = _added_swing(pull, swing), 0
        before, rest = split(path, pull.far)
        points_flown += before
        path = _swing_path(rest, pull)
        pulls.append((body, pull))
        bodies.remove(body)


def _added_swing(pull: Pull, swing: int) -> Pull:
    """A pull that turns a ship by so many points more, or fewer.

    Rules: Continuum "Large scale" 17.9 [pc.planets]
    """
    turn = max(abs(pull.turn) + swing, 0)
    return replace(pull, turn=turn if pull.turn > 0 else -turn)


def _pull_distance(pull_entry: tuple[Piece, Pull]) -> float:
    return pull_entry[1].far


def length(path: Path) -> float:
    """The length of a path in MU."""
    return sum(dist(a, b) for a, b in pairwise(path))


def split(path: Path, far: float) -> tuple[Path, Path]:
    """The points of a path before a place on it, so many MU from its beginning, and the rest of it
    from there on.
    """
    for number, (a, b) in enumerate(pairwise(path), 1):
        step = dist(a, b)
        if far <= step + NEAR:
            share = min(far / step, 1.0) if step > NEAR else 0.0
            return path[:number] if far > NEAR else path[: number - 1], (
                _interpolate(a, b, share),
                *path[number:],
            )
        far -= step
    return path[:-1], path[-1:]


def _interpolate(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _swing_path(rest: Path, pull: Pull) -> Path:
    """The rest of a way turned about its first point, and longer or shorter; a ship never flies
    backwards.
    """
    x, y = rest[0]
    sine, cosine = COURSES[turn_course(12, pull.turn)]
    if pull.falls is not None:
        u, v = pull.falls
        end = (
            x + (u * cosine + v * sine) * pull.velocity,
            y + (v * cosine - u * sine) * pull.velocity,
        )
        return rest[0], end
    far = length(rest)
    share = max(far + pull.velocity, 0.0) / far if far > NEAR else 0.0
    offsets = [(bx - x, by - y) for bx, by in rest[1:]]
    return (
        rest[0],
        *(
            (x + (u * cosine + v * sine) * share, y + (v * cosine - u * sine) * share)
            for u, v in offsets
        ),
    )


def heading_at_rest(
    state: BattleState, ship: ShipState, course: int, drift: Point | None
) -> Point | None:
    """Return where a ship points that may be at rest on a course, for `bent`.

    Nothing pulls at an installation at rest: it was built to keep its station.
    Rules: Continuum "Large scale" 17.9 [pc.planets]
    """
    if ship.sheet.kind == INSTALLATION or not state.terms.follows(PULLED_AT_REST):
        return None
    return COURSES[course] if drift is None else FREE_FALL


def move_along(table: Table, ship: ShipState, path: Path, spared: Piece | None = None) -> Path:
    """Put a ship where its path ends, as bodies bend it, and tell of its move; the path as it was
    flown. `spared`: a body that does not pull at it.

    Its course and velocity are those of its orders; by vectors what its way comes to is the new
    one. Nothing pulls at what is not on the table. Rules: Continuum "Large scale" 17.9 [pc.planets]
    """
    pulls: Pulls = []
    if table.state.pieces and ship.status in ON_TABLE:
        pieces = [piece for piece in table.state.pieces if piece is not spared]
        heading = heading_at_rest(table.state, ship, ship.course, ship.drift)
        bent_path, pulls = bend_path(pieces, path, ship.this_turn.swing, heading)
        if pulls:
            path = bent_path
            if ship.drift is not None:
                ship.velocity, ship.drift = velocity_and_drift(path[0], path[-1])
    ship.x, ship.y = path[-1]
    table.tell(ShipMoved, ship.id, path, ship.course, ship.velocity)
    for body, pull in pulls:
        ship.bend_course(pull.turn, pull.velocity)
        body.tell_pull(table, ship, pull)
    return path
