"""Lines across the table: what lies between two points, and targets on the line between two arcs.

Rules: 2E "Asteroids" [2e.asteroids]; 2E "Fire arcs" [2e.arcs]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.core.geometry import COURSES, NEAR, Point, distance_to_path
from engine.core.table import Table
from engine.events.fire import ArcRolled
from engine.pieces.piece import Piece

Path = tuple[Point, Point]


def blocked(pieces: Iterable[Piece], a: Point, b: Point) -> bool:
    """Whether any body lies across the line of sight and fire between two points.

    Rules: 2E "Asteroids" [2e.asteroids]
    """
    for piece in pieces:  # noqa: SIM110 -- asked for every line there might be
        if piece.body and piece.blocks(a, b):
            return True
    return False


def way_ahead(x: float, y: float, course: int, ahead: float, move: float) -> Path:
    """A straight way: from `ahead` MU before a point, `move` MU further on a course."""
    ux, uy = COURSES[course]
    return (x + ux * ahead, y + uy * ahead), (x + ux * (ahead + move), y + uy * (ahead + move))


def swept(x: float, y: float, path: Path, radius: float) -> bool:
    """Whether what runs along a path touches a point; its rim counts. Rules: 2E "Nova cannon" [2e.nova-cannon]"""
    return distance_to_path(x, y, *path) <= radius + NEAR


def arc_by_die(table: Table, bits: int, of: str, at: str, names: Mapping[int, str]) -> int:
    """Which of two arcs (bits) a target on the line between them is in: odd the one that comes first in the list.

    `of`, `at`: the ids of who fires and of the target; `names`: the arcs' names by their bits.
    Rules: 2E "Fire arcs" [2e.arcs]; Continuum "Fire arcs" 4.2 [pc.arcs]
    """
    die = table.dice.roll("arc", f"{of}>{at}")
    first = bits & -bits
    arc = first if die % 2 else bits ^ first
    table.tell(ArcRolled, of, at, die, names[arc])
    return arc
