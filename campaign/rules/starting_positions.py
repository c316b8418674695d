"""Where ships begin a battle: each side at its edge, its fleets side by side, in ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from engine.core.kinds import Edge

SPACING = 2  # MU between ships
MARGIN = 3  # MU from the edge to the rear rank
GAP = 1  # free places between two fleets
SCALES = (1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32)  # of the table, for fleets that do not fit on it

# Edge and course into the table, in the order of sides: newcomer, occupant, further newcomers.
EDGES: tuple[tuple[str, int], ...] = (
    (Edge.LEFT, 3),
    (Edge.RIGHT, 9),
    (Edge.BOTTOM, 12),
    (Edge.TOP, 6),
)


@dataclass(frozen=True, slots=True)
class StartPlace:
    """A ship's position (x, y) in MU at the start, and its course."""

    at: tuple[float, float]
    course: int


def place_ships(
    table: tuple[int, int], sides: Sequence[Sequence[int]]
) -> tuple[tuple[float, float], list[list[list[StartPlace]]]]:
    """Place all ships, on a larger table where needed.

    Args:
        sides: The sizes of each side's fleets, in the order of `EDGES`.

    Returns:
        The size of the table, and a place for each ship of each fleet of each side.

    Raises:
        ValueError: The ships do not fit even on the largest table.
    """
    for scale in SCALES:
        width = table[0] * scale
        height = table[1] * scale
        posts = []
        for place, fleets in enumerate(sides):
            posts.append(_side(width, height, place, len(sides), fleets))
        fitting = [side for side in posts if side is not None]
        if len(fitting) == len(posts):
            return (width, height), fitting
    raise ValueError(
        f"{sum(map(sum, sides))} ships find no room on a table {SCALES[-1]} times the usual size"
    )


def _side(
    width: float, height: float, place: int, sides: int, fleets: Sequence[int]
) -> list[list[StartPlace]] | None:
    edge, course = EDGES[place % len(EDGES)]
    along, across = (height, width) if edge in (Edge.LEFT, Edge.RIGHT) else (width, height)
    depth = width if along == height else height
    corner = MARGIN if sides <= 2 else depth / 4
    segments = ceil(sides / len(EDGES))
    length = (along - 2 * corner) / segments
    middle = corner + length * (place // len(EDGES) + 0.5)
    # An extra row is free, because no other side shares the edge
    spare_row = 1 if segments == 1 else 0
    rows = _rows(
        fleets, int(length // SPACING) + spare_row, int((across / 4 - MARGIN) // SPACING) + 1
    )
    if rows is None:
        return None
    ranks, used = rows
    first = middle - (used - 1) * SPACING / 2
    posts: list[list[StartPlace]] = []
    row = 0
    for ships in fleets:
        deep = ceil(ships / ranks)
        fleet = []
        for number in range(ships):
            far = MARGIN + SPACING * (number // deep)
            at = first + SPACING * (row + number % deep)
            fleet.append(StartPlace(_point(edge, far, at, width, height), course))
        posts.append(fleet)
        row += deep + GAP
    return posts


def _rows(fleets: Sequence[int], most_rows: int, most_ranks: int) -> tuple[int, int] | None:
    """Return (ranks, rows) of the shallowest formation that fits, or None."""
    for ranks in range(1, most_ranks + 1):
        used = sum(ceil(ships / ranks) for ships in fleets) + GAP * (len(fleets) - 1)
        if used <= most_rows:
            return ranks, used
    return None


def _point(edge: str, far: float, at: float, width: float, height: float) -> tuple[float, float]:
    if edge == Edge.LEFT:
        return (far, at)
    if edge == Edge.RIGHT:
        return (width - far, at)
    if edge == Edge.BOTTOM:
        return (at, far)
    return (at, height - far)
