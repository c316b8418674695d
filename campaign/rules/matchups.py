"""Comparison of two classes: figures, fire by arc and range, and results of simulated battles.

Computer captains fight the battles with equal points on mirrored positions. All functions are pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil, floor
from typing import Any

from campaign.rules.class_figures import NAMES, NOT_APPLICABLE
from engine.captains.continuum.expected_fire import BAND, arc_coverage
from engine.core.phrase import phrase
from engine.notation.battles import BattleFile, read_battle
from engine.notation.designs import stored_sheet
from engine.odds import Run, precision, summary
from engine.ruleset import rules_of
from engine.view.contact_ships import absent_ship

MAX_SHIPS = 4  # of one side
TURNS = 15  # of a battle, at most
TABLE = (72, 48)
SHIP_SPACING = 4  # MU between ships of a side
FROM_EDGE = 8  # MU
START_VELOCITY = 6  # MU a turn, or the thrust if that is less
SEED = 2026
SIDES = ("first", "second")
Fire = Mapping[str, tuple[float, ...]]  # points by arc and range band


@dataclass(frozen=True, slots=True)
class Line:
    """A figure of both classes."""

    name: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class ArcRow:
    """The average fire of both classes through an arc.

    Attributes:
        bands: (text of the range band, first, second).
    """

    arc: str
    bands: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Odds:
    """Results of battles between a number of one class and a number of the other.

    Shares are whole per cent.

    Attributes:
        wins_within: 95% confidence intervals of the shares of wins.
        losses: The median loss of each side in per cent of its points.
    """

    counts: tuple[int, int]
    points: tuple[int, int]
    runs: int
    wins: tuple[int, int]
    wins_within: tuple[tuple[int, int], tuple[int, int]]
    draws: int
    losses: tuple[int, int]


def equal_points(first: int, second: int) -> tuple[int, int]:
    """Return how many of each class make sides of most equal points, with the fewest ships."""

    def rank(counts: tuple[int, int]) -> tuple[int, int, tuple[int, int]]:
        a, b = counts
        return (_relative_gap(a * first, b * second), a + b, counts)

    numbers = range(1, MAX_SHIPS + 1)
    return min(product(numbers, numbers), key=rank)


def _relative_gap(a: int, b: int) -> int:
    """Return the difference of two sums in twentieths of the larger."""
    return round(20 * abs(a - b) / max(1, a, b))


def lines(
    first: Mapping[str, str], second: Mapping[str, str], missing: tuple[str, str]
) -> tuple[Line, ...]:
    """Return the figures of both classes by name.

    Args:
        missing: What is shown for a figure that the first or the second lacks.
    """
    names = [name for name in NAMES if name in first or name in second]
    result: list[Line] = []
    for name in names:
        result.append(Line(name, first.get(name, missing[0]), second.get(name, missing[1])))
    return tuple(result)


def duel(
    first: Mapping[str, Any],
    second: Mapping[str, Any],
    counts: tuple[int, int],
    options: Sequence[str] = (),
) -> BattleFile:
    """Return the battle of these numbers of ships from mirrored positions.

    Raises:
        RuleViolations: The battle cannot be fought.
    """
    battle: dict[str, Any] = {
        "edition": first["edition"],
        "table": list(TABLE),
        "seed": SEED,
        "captains": True,
        "max_turns": TURNS,
    }
    if options:
        battle["options"] = list(options)
    battle["sides"] = [
        {"name": SIDES[0], "ships": _duel_ships(first, counts[0], side=0)},
        {"name": SIDES[1], "ships": _duel_ships(second, counts[1], side=1)},
    ]
    return read_battle(battle, {})


def _duel_ships(design: Mapping[str, Any], count: int, *, side: int) -> list[dict[str, Any]]:
    """Return a side's ships for the battle file: in a line at its edge, facing the other side."""
    width, depth = TABLE
    velocity = min(START_VELOCITY, int(design.get("thrust") or 0))
    top = depth / 2 + SHIP_SPACING * (count - 1) / 2
    ships = []
    for n in range(count):
        ships.append(
            {
                "id": f"{SIDES[side][0]}{n + 1}",
                "design": dict(design),
                "at": [FROM_EDGE if side == 0 else width - FROM_EDGE, top - SHIP_SPACING * n],
                "course": 3 if side == 0 else 9,
                "velocity": velocity,
            }
        )
    return ships


def fire_of(design: Mapping[str, Any], options: Sequence[str] = ()) -> Fire:
    """Return the average fire of a class, by arc and range band."""
    ship = absent_ship("look", 0, stored_sheet(dict(design), tuple(options)))
    ship.recompute()
    return arc_coverage(ship)


def fire_by_arc(
    edition: str, fires: Sequence[Fire | None], unknown: str = NOT_APPLICABLE
) -> tuple[ArcRow, ...]:
    """Return the average fire of both classes in rows, by arc and range band.

    Args:
        fires: The fire of each class; None: unknown.
        unknown: What is shown for unknown fire.
    """
    rows = []
    for arc in rules_of(edition).arcs:
        known_points = [fire.get(arc, ()) for fire in fires if fire is not None]
        band_count = max(map(len, known_points), default=0)
        titles = []
        for n in range(band_count):
            titles.append(phrase("{} to {} MU", int(BAND * n), int(BAND * (n + 1))))
        columns = []
        for fire in fires:
            if fire is None:
                columns.append([unknown] * band_count)
            else:
                columns.append(_fire_cells(fire.get(arc, ()), band_count))
        if band_count:
            rows.append(ArcRow(arc, tuple(zip(titles, *columns, strict=True))))
    return tuple(rows)


def _fire_cells(points: Sequence[float], band_count: int) -> list[str]:
    """Return the texts of a class's fire in each of so many range bands."""
    cells = [phrase("{:.1f}", value) for value in points]
    return cells + [NOT_APPLICABLE] * (band_count - len(cells))


def odds_of(runs: Sequence[Run], counts: tuple[int, int], points: tuple[int, int]) -> Odds:
    """Combine the results of battles.

    Args:
        counts: The number of ships of each side.
        points: The points of one ship of each side.
    """
    result = summary(SIDES, list(runs))
    intervals = precision(SIDES, runs)["wins"]
    first, second = SIDES
    return Odds(
        counts=counts,
        points=(counts[0] * points[0], counts[1] * points[1]),
        runs=len(runs),
        wins=(round(100 * result["wins"][first]), round(100 * result["wins"][second])),
        wins_within=(_bounds(intervals[first]), _bounds(intervals[second])),
        draws=round(100 * result["draws"]),
        losses=(
            round(100 * result["losses"][first]["p50"]),
            round(100 * result["losses"][second]["p50"]),
        ),
    )


def _bounds(shares: Sequence[float]) -> tuple[int, int]:
    """Return two shares in whole per cent, rounded outwards."""
    return floor(100 * shares[0]), ceil(100 * shares[1])
