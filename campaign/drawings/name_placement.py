"""Places names on a drawing without overlaps. Pure functions.

A name is tried around its mark, then further out with a leader line, and otherwise left out.
`static/js/battle_table.js` does the same with the browser's own text measurement; here widths are
estimated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import hypot

Box = tuple[float, float, float, float]
NARROW = frozenset("iljtfrI.,:;'|!()[] -")
WIDE = frozenset("mwMWOQG@%")
ADVANCES = (
    0.34,
    0.58,
    0.86,
)  # of narrow letters, most letters and wide ones, as fractions of the font size
CAPITAL = 0.7
GAPS = (5.0, 18.0, 34.0, 52.0)  # from a mark's edge to its name; beyond the first with a leader
DIAGONAL = 0.72


@dataclass(frozen=True, slots=True)
class NameSpot:
    """A mark to be named: its centre and radius in pixels.

    Attributes:
        rank: Marks with a high rank are named first.
    """

    key: str
    x: float
    y: float
    r: float
    name: str
    rank: int = 0


@dataclass(frozen=True, slots=True)
class PlacedName:
    """A placed name: where its text begins, and any leader line to its mark."""

    key: str
    name: str
    x: float
    y: float
    leader: Box | None


def text_width(text: str, size: float) -> float:
    """Estimate the width of a text."""
    return sum(_advance(letter) for letter in text) * size


def _advance(letter: str) -> float:
    if letter in NARROW:
        return ADVANCES[0]
    if letter in WIDE:
        return ADVANCES[2]
    if letter.isupper():
        return CAPITAL
    return ADVANCES[1]


def place_names(
    spots: Sequence[NameSpot], width: float, height: float, size: float
) -> list[PlacedName]:
    """Place the names of marks in letters of this size; a name without room is left out."""
    occupied: list[Box] = []
    for mark in spots:
        occupied.append((mark.x - mark.r, mark.y - mark.r, mark.x + mark.r, mark.y + mark.r))
    placed_names = []
    for mark in sorted(spots, key=lambda spot: -spot.rank):
        wide = text_width(mark.name, size) + 4
        high = size * 1.25
        for gap, box in _tries(mark, wide, high):
            if _inside(box, width, height) and not any(
                _overlap(box, taken_box) for taken_box in occupied
            ):
                occupied.append(box)
                leader = None if gap == GAPS[0] else _leader(mark, box)
                placed_names.append(
                    PlacedName(
                        mark.key,
                        mark.name,
                        round(box[0] + 2, 1),
                        round(box[1] + size * 0.96, 1),
                        leader,
                    )
                )
                break
    return placed_names


def _tries(spot: NameSpot, wide: float, high: float) -> Iterator[tuple[float, Box]]:
    for gap in GAPS:
        d = spot.r + gap
        q = d * DIAGONAL
        corners: Iterable[tuple[float, float]] = (
            (d, -high / 2),
            (-d - wide, -high / 2),
            (q, -q - high + 4),
            (q, q - 4),
            (-q - wide, -q - high + 4),
            (-q - wide, q - 4),
            (-wide / 2, -d - high),
            (-wide / 2, d),
        )
        for dx, dy in corners:
            yield gap, (spot.x + dx, spot.y + dy, spot.x + dx + wide, spot.y + dy + high)


def _inside(box: Box, width: float, height: float) -> bool:
    return box[0] >= 2 and box[1] >= 2 and box[2] <= width - 2 and box[3] <= height - 2


def _overlap(first: Box, second: Box) -> bool:
    return (
        first[0] < second[2]
        and first[2] > second[0]
        and first[1] < second[3]
        and first[3] > second[1]
    )


def _leader(spot: NameSpot, box: Box) -> Box:
    """Return the line from a mark's edge to its name."""
    x = min(max(spot.x, box[0]), box[2])
    y = min(max(spot.y, box[1] + 3), box[3] - 3)
    far = hypot(x - spot.x, y - spot.y) or 1.0
    start = spot.x + (x - spot.x) / far * (spot.r + 2), spot.y + (y - spot.y) / far * (spot.r + 2)
    return round(start[0], 1), round(start[1], 1), round(x, 1), round(y, 1)
