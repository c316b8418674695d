"""Names on a drawing that never overlap: tried around their marks, then further out on a leader,
else left out. Pure.

`static/js/battle_table.js` places them alike, with the browser's own measure of a text; here it is
reckoned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import hypot

Box = tuple[float, float, float, float]
NARROW, WIDE = frozenset("iljtfrI.,:;'|!()[] -"), frozenset("mwMWOQG@%")
ADVANCES = (
    0.34,
    0.58,
    0.86,
)  # of narrow letters, most letters and wide ones, in parts of the font's size
CAPITAL = 0.7
GAPS = (5.0, 18.0, 34.0, 52.0)  # from a mark's edge to its name; beyond the first there is a leader
DIAGONAL = 0.72


@dataclass(frozen=True, slots=True)
class Spot:
    """A mark to be named: its centre and radius in pixels; those of high `rank` are named first."""

    key: str
    x: float
    y: float
    r: float
    name: str
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Placed:
    """A name in its place: where its text begins, and the leader to its mark, where it has one."""

    key: str
    name: str
    x: float
    y: float
    leader: Box | None


def text_width(text: str, size: float) -> float:
    """About how wide a text is."""
    return sum(_advance(letter) for letter in text) * size


def _advance(letter: str) -> float:
    if letter in NARROW:
        return ADVANCES[0]
    if letter in WIDE:
        return ADVANCES[2]
    return CAPITAL if letter.isupper() else ADVANCES[1]


def place_names(spots: Sequence[Spot], width: float, height: float, size: float) -> list[Placed]:
    """Names for marks, in letters of that size; who finds no room goes without."""
    taken: list[Box] = [
        (one.x - one.r, one.y - one.r, one.x + one.r, one.y + one.r) for one in spots
    ]
    found = []
    for one in sorted(spots, key=lambda spot: -spot.rank):
        wide, high = text_width(one.name, size) + 4, size * 1.25
        for gap, box in _tries(one, wide, high):
            if _inside(box, width, height) and not any(_meet(box, other) for other in taken):
                taken.append(box)
                leader = None if gap == GAPS[0] else _leader(one, box)
                found.append(
                    Placed(
                        one.key,
                        one.name,
                        round(box[0] + 2, 1),
                        round(box[1] + size * 0.96, 1),
                        leader,
                    )
                )
                break
    return found


def _tries(one: Spot, wide: float, high: float) -> Iterator[tuple[float, Box]]:
    for gap in GAPS:
        d = one.r + gap
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
            yield gap, (one.x + dx, one.y + dy, one.x + dx + wide, one.y + dy + high)


def _inside(box: Box, width: float, height: float) -> bool:
    return box[0] >= 2 and box[1] >= 2 and box[2] <= width - 2 and box[3] <= height - 2


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and one[2] > other[0] and one[1] < other[3] and one[3] > other[1]


def _leader(one: Spot, box: Box) -> Box:
    """A line from a mark's edge to its name."""
    x, y = min(max(one.x, box[0]), box[2]), min(max(one.y, box[1] + 3), box[3] - 3)
    far = hypot(x - one.x, y - one.y) or 1.0
    start = one.x + (x - one.x) / far * (one.r + 2), one.y + (y - one.y) / far * (one.r + 2)
    return round(start[0], 1), round(start[1], 1), round(x, 1), round(y, 1)
