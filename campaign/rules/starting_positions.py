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
        placed_sides = []
        for number, fleets in enumerate(sides):
            side = _place_side(width, height, fleets, number=number, side_count=len(sides))
            if side is not None:
                placed_sides.append(side)
        if len(placed_sides) == len(sides):
            return (width, height), placed_sides
    raise ValueError(
        f"{sum(map(sum, sides))} ships find no room on a table {SCALES[-1]} times the usual size"
    )


def _place_side(
    width: float, height: float, fleets: Sequence[int], *, number: int, side_count: int
) -> list[list[StartPlace]] | None:
    """Place the ships of a side at its edge; None if they do not fit.

    Args:
        width: Of the table in MU.
        height: Of the table in MU.
        fleets: The sizes of its fleets.
        number: The number of the side, from 0.
    """
    edge, course = EDGES[number % len(EDGES)]
    if edge in (Edge.LEFT, Edge.RIGHT):
        edge_length, depth = height, width
    else:
        edge_length, depth = width, height
    corner = MARGIN if side_count <= 2 else depth / 4
    segments = ceil(side_count / len(EDGES))  # sides that share an edge
    length = (edge_length - 2 * corner) / segments
    middle = corner + length * (number // len(EDGES) + 0.5)
    # An extra row is free, because no other side shares the edge
    spare_row = 1 if segments == 1 else 0
    most_rows = int(length // SPACING) + spare_row
    most_ranks = int((depth / 4 - MARGIN) // SPACING) + 1
    formation = _formation(fleets, most_rows, most_ranks)
    if formation is None:
        return None
    ranks, rows = formation
    first_row = middle - (rows - 1) * SPACING / 2
    places: list[list[StartPlace]] = []
    row = 0
    for ships in fleets:
        fleet_rows = ceil(ships / ranks)
        fleet = []
        for ship in range(ships):
            from_edge = MARGIN + SPACING * (ship // fleet_rows)
            along = first_row + SPACING * (row + ship % fleet_rows)
            point = _point(edge, from_edge, along, width=width, height=height)
            fleet.append(StartPlace(point, course))
        places.append(fleet)
        row += fleet_rows + GAP
    return places


def _formation(fleets: Sequence[int], most_rows: int, most_ranks: int) -> tuple[int, int] | None:
    """Return (ranks, rows) of the shallowest formation that fits, or None."""
    for ranks in range(1, most_ranks + 1):
        rows = sum(ceil(ships / ranks) for ships in fleets) + GAP * (len(fleets) - 1)
        if rows <= most_rows:
            return ranks, rows
    return None


def _point(
    edge: str, from_edge: float, along: float, *, width: float, height: float
) -> tuple[float, float]:
    """Return the point at a distance from an edge and along it."""
    if edge == Edge.LEFT:
        return (from_edge, along)
    if edge == Edge.RIGHT:
        return (width - from_edge, along)
    if edge == Edge.BOTTOM:
        return (along, from_edge)
    return (along, height - from_edge)
