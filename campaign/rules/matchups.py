"""Two classes side by side: their figures, what their weapons do by arc and range, and how equal
points of them fare against each other, fought by computer captains from mirrored places. Pure.
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

MOST_SHIPS = 4  # of a side
TURNS = 15  # of a battle, at most
TABLE = (72, 48)
SHIP_SPACING, FROM_EDGE, START_VELOCITY = (
    4,
    8,
    6,
)  # MU between ships and from the edge, and their velocity where the drive allows it
SEED = 2026
SIDES = ("first", "second")
Fire = Mapping[str, tuple[float, ...]]  # points by arc and band of range


@dataclass(frozen=True, slots=True)
class Line:
    """A figure of both classes."""

    name: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class ArcRow:
    """What the weapons of both do on average through an arc, by bands of range: (words of the band,
    first, second).
    """

    arc: str
    bands: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Odds:
    """So many of one against so many of the other: shares in whole percent, and the points that the
    middle battle cost each side, in percent of its own. `wins_within`: between what, with 95 per
    cent confidence, the shares of wins lie.
    """

    counts: tuple[int, int]
    points: tuple[int, int]
    runs: int
    wins: tuple[int, int]
    wins_within: tuple[tuple[int, int], tuple[int, int]]
    draws: int
    losses: tuple[int, int]


def equal_points(first: int, second: int) -> tuple[int, int]:
    """How many of either make sides whose points are as equal as they can be; the fewest ships of
    those.
    """
    pairs = [(a, b) for a in range(1, MOST_SHIPS + 1) for b in range(1, MOST_SHIPS + 1)]
    return min(
        pairs, key=lambda pair: (_relative_gap(pair[0] * first, pair[1] * second), sum(pair), pair)
    )


def _relative_gap(a: int, b: int) -> int:
    """How far two sums lie apart, in twentieths of the larger."""
    return round(20 * abs(a - b) / max(1, a, b))


def lines(
    first: Mapping[str, str], second: Mapping[str, str], missing: tuple[str, str]
) -> tuple[Line, ...]:
    """The figures of both, by their names; `missing`: what stands where one of either is not
    there.
    """
    names = [name for name in NAMES if name in first or name in second]
    return tuple(
        Line(name, first.get(name, missing[0]), second.get(name, missing[1])) for name in names
    )


def duel(
    first: Mapping[str, Any],
    second: Mapping[str, Any],
    counts: tuple[int, int],
    options: Sequence[str] = (),
) -> BattleFile:
    """The battle of so many of either, from mirrored places.

    Raises RuleViolations for what cannot be fought.
    """
    wide, high = TABLE
    sides = []
    for side, (document, number) in enumerate(zip((first, second), counts, strict=True)):
        pace = min(START_VELOCITY, int(document.get("thrust") or 0))
        top = high / 2 + SHIP_SPACING * (number - 1) / 2
        ships = [
            {
                "id": f"{SIDES[side][0]}{n + 1}",
                "design": dict(document),
                "at": [FROM_EDGE if side == 0 else wide - FROM_EDGE, top - SHIP_SPACING * n],
                "course": 3 if side == 0 else 9,
                "velocity": pace,
            }
            for n in range(number)
        ]
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
    """What the weapons of a class do on average, by arc and band of range."""
    ship = absent_ship("look", 0, stored_sheet(dict(design), tuple(options)))
    ship.recompute()
    return arc_coverage(ship)


def fire_by_arc(
    edition: str, fires: Sequence[Fire | None], unknown: str = NOT_APPLICABLE
) -> tuple[ArcRow, ...]:
    """What the weapons of either class do on average, by arc and band of range; None: nobody knows
    which it has.
    """
    rows = []
    for arc in rules_of(edition).arcs:
        bands = [() if fire is None else fire.get(arc, ()) for fire in fires]
        reach = max(map(len, bands))
        words = [phrase("{} to {} MU", int(BAND * n), int(BAND * (n + 1))) for n in range(reach)]
        cells = [
            [
                unknown
                if fire is None
                else phrase("{:.1f}", band[n])
                if n < len(band)
                else NOT_APPLICABLE
                for n in range(reach)
            ]
            for fire, band in zip(fires, bands, strict=True)
        ]
        if reach:
            rows.append(ArcRow(arc, tuple(zip(words, *cells, strict=True))))
    return tuple(rows)


def odds_of(runs: Sequence[Run], counts: tuple[int, int], points: tuple[int, int]) -> Odds:
    """What the battles of so many of either came to; `points`: of one ship of each."""
    result, intervals = summary(SIDES, list(runs)), precision(SIDES, runs)["wins"]
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
    """Two shares in whole percent, outwards."""
    return floor(100 * shares[0]), ceil(100 * shares[1])
