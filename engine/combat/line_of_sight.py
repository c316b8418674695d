"""Lines across the table: what blocks sight and fire, and targets on the line between two arcs.

Rules: 2E "Asteroids" [2e.asteroids]; 2E "Fire arcs" [2e.arcs]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import prod

from engine.core.geometry import COURSES, NEAR, Point, distance_to_path
from engine.core.ids import UnitId
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.events.fire import ArcRolled
from engine.pieces.piece import Piece

Path = tuple[Point, Point]

DIMMED_TO = 2  # screen levels beyond which dust adds nothing
NOT_FOUND = reason("not-found", "it does not find its target")


def is_blocked(pieces: Iterable[Piece], a: Point, b: Point) -> bool:
    """Return whether any body blocks the line of sight and fire between two points.

    Rules: 2E "Asteroids" [2e.asteroids]
    """
    for piece in pieces:  # noqa: SIM110 -- asked for every line there might be
        if piece.body and piece.blocks(a, b):
            return True
    return False


def chance_hidden(pieces: Iterable[Piece], a: Point, b: Point) -> float:
    """Return the chance that bodies hide a target at `b` from a shooter at `a`; for captains.

    Bodies that block the line altogether do not count here.

    Rules: Continuum "Dust or nebula clouds" 17.2 [pc.clouds]
    """
    chances: dict[str, float] = {}
    for piece in pieces:
        if piece.body:
            chances[piece.kind] = max(piece.hide_chance(a, b), chances.get(piece.kind, 0.0))
    return 1.0 - prod(1.0 - chance for chance in chances.values())


def finds_target(
    table: Table, ship: ShipState, target: ShipState, detection: dict[str, bool]
) -> bool:
    """Roll for whether a ship finds a target, once per firing turn.

    Each kind of body that hides the target takes one die, and all of them must succeed.

    Args:
        detection: Earlier results of this firing turn by target id; the new one is added.

    Rules: Continuum "Dust or nebula clouds" 17.2 [pc.clouds]
    """
    if target.id not in detection:
        start = (ship.x, ship.y)
        end = (target.x, target.y)
        hiding_by_kind = {}
        for piece in reversed(table.state.pieces):
            if piece.body and piece.hide_chance(start, end):
                hiding_by_kind[piece.kind] = piece
        detection[target.id] = all(
            piece.roll_to_find(table, ship, target) for piece in hiding_by_kind.values()
        )
    return detection[target.id]


def screens_through(pieces: Iterable[Piece], a: Point, b: Point, screens: int) -> int:
    """Return the screen level that a shot from `a` meets at a target at `b`.

    Bodies in between add to the target's screens, up to 2 together. A target with more keeps its
    own.

    Rules: Continuum "Dust or nebula clouds" 17.2 [pc.clouds]
    """
    if screens >= DIMMED_TO:
        return screens
    dimming = 0
    for piece in pieces:
        if piece.body:
            dimming = max(dimming, piece.dimming_levels(a, b))
    return min(DIMMED_TO, screens + dimming)


def path_ahead(x: float, y: float, course: int, ahead: float, move: float) -> Path:
    """Return a straight path of `move` MU that starts `ahead` MU in front of a point."""
    ux, uy = COURSES[course]
    return (x + ux * ahead, y + uy * ahead), (x + ux * (ahead + move), y + uy * (ahead + move))


def is_in_sweep(x: float, y: float, path: Path, radius: float) -> bool:
    """Return whether something that moves along a path touches a point; its rim counts.

    Rules: 2E "Nova cannon" [2e.nova-cannon]
    """
    return distance_to_path(x, y, *path) <= radius + NEAR


def arc_by_die(table: Table, bits: int, of: UnitId, at: str, names: Mapping[int, str]) -> int:
    """Roll for which of two arcs a target on the line between them is in; odd: the first of them.

    Args:
        bits: The two arcs.
        of: The id of the unit that fires.
        at: The id of the target.
        names: The arcs' names by their bits, in the edition's order.

    Rules: 2E "Fire arcs" [2e.arcs]; Continuum "Fire arcs" 4.2 [pc.arcs]
    """
    die = table.dice.roll("arc", f"{of}>{at}")
    first = bits & -bits
    arc = first if die % 2 else bits ^ first
    table.tell(ArcRolled, ship=of, target=at, die=die, arc=names[arc])
    return arc
