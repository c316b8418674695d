"""Comparison of two classes: figures, fire by arc and range, and results of simulated battles.

Computer captains fight the battles with equal points on mirrored positions. All functions are pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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

MOST_SHIPS = 4  # of one side
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
    pairs = []
    for a in range(1, MOST_SHIPS + 1):
        for b in range(1, MOST_SHIPS + 1):
            pairs.append((a, b))
    return min(
        pairs, key=lambda pair: (_relative_gap(pair[0] * first, pair[1] * second), sum(pair), pair)
    )


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
    lines: list[Line] = []
    for name in names:
        lines.append(Line(name, first.get(name, missing[0]), second.get(name, missing[1])))
    return tuple(lines)


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
    wide, high = TABLE
    sides = []
    for side, (document, number) in enumerate(zip((first, second), counts, strict=True)):
        pace = min(START_VELOCITY, int(document.get("thrust") or 0))
        top = high / 2 + SHIP_SPACING * (number - 1) / 2
        ships = []
        for n in range(number):
            ships.append(
                {
                    "id": f"{SIDES[side][0]}{n + 1}",
                    "design": dict(document),
                    "at": [FROM_EDGE if side == 0 else wide - FROM_EDGE, top - SHIP_SPACING * n],
                    "course": 3 if side == 0 else 9,
                    "velocity": pace,
                }
            )
        sides.append({"name": SIDES[side], "ships": ships})
    battle = {
        "edition": first["edition"],
        "table": list(TABLE),
        "seed": SEED,
        "captains": True,
        "max_turns": TURNS,
    }
    return read_battle(
        battle | ({"options": list(options)} if options else {}) | {"sides": sides}, {}
    )


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
        bands = [() if fire is None else fire.get(arc, ()) for fire in fires]
        reach = max(map(len, bands))
        words = []
        for n in range(reach):
            words.append(phrase("{} to {} MU", int(BAND * n), int(BAND * (n + 1))))
        cells = []
        for fire, band in zip(fires, bands, strict=True):
            cells.append([unknown] * reach if fire is None else _fire_cells(band, reach))
        if reach:
            rows.append(ArcRow(arc, tuple(zip(words, *cells, strict=True))))
    return tuple(rows)


def _fire_cells(points: Sequence[float], reach: int) -> list[str]:
    """Return the texts of a class's fire in `reach` range bands."""
    cells = [phrase("{:.1f}", value) for value in points]
    return cells + [NOT_APPLICABLE] * (reach - len(cells))


def odds_of(runs: Sequence[Run], counts: tuple[int, int], points: tuple[int, int]) -> Odds:
    """Combine the results of battles.

    Args:
        counts: The number of ships of each side.
        points: The points of one ship of each side.
    """
    result = summary(SIDES, list(runs))
    intervals = precision(SIDES, runs)["wins"]
    return Odds(
        counts=counts,
        points=(counts[0] * points[0], counts[1] * points[1]),
        runs=len(runs),
        wins=(round(100 * result["wins"][SIDES[0]]), round(100 * result["wins"][SIDES[1]])),
        wins_within=(_bounds(intervals[SIDES[0]]), _bounds(intervals[SIDES[1]])),
        draws=round(100 * result["draws"]),
        losses=(
            round(100 * result["losses"][SIDES[0]]["p50"]),
            round(100 * result["losses"][SIDES[1]]["p50"]),
        ),
    )


def _bounds(shares: Sequence[float]) -> tuple[int, int]:
    """Return two shares in whole per cent, rounded outwards."""
    return floor(100 * shares[0]), ceil(100 * shares[1])
