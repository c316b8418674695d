"""Places names on a drawing without overlaps. Pure functions.

A name is tried around its mark, then further out with a leader line, and otherwise left out.
`static/js/battle_table.js` does the same with the browser's own text measurement; here widths are
estimated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import hypot

Box = tuple[float, float, float, float]  # left, top, right, bottom
NARROW = frozenset("iljtfrI.,:;'|!()[] -")
WIDE = frozenset("mwMWOQG@%")
# Advances of letters as fractions of the font size.
NARROW_ADVANCE = 0.34
WIDE_ADVANCE = 0.86
CAPITAL_ADVANCE = 0.7
OTHER_ADVANCE = 0.58
GAPS = (5.0, 18.0, 34.0, 52.0)  # from a mark's edge to its name; beyond the first with a leader
DIAGONAL = 0.72  # on a diagonal, of the distance to the right and down


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
    """Return how far a letter moves the next one, as a fraction of the font size."""
    if letter in NARROW:
        return NARROW_ADVANCE
    if letter in WIDE:
        return WIDE_ADVANCE
    if letter.isupper():
        return CAPITAL_ADVANCE
    return OTHER_ADVANCE


def place_names(
    spots: Sequence[NameSpot], width: float, height: float, size: float
) -> list[PlacedName]:
    """Place the names of marks in letters of this size; a name without room is left out."""
    occupied: list[Box] = []
    for spot in spots:
        occupied.append((spot.x - spot.r, spot.y - spot.r, spot.x + spot.r, spot.y + spot.r))
    placed_names = []
    for spot in sorted(spots, key=lambda spot: -spot.rank):
        for gap, box in _possible_boxes(spot, size):
            is_inside = _inside(box, width, height)
            if is_inside and not any(_overlap(box, other) for other in occupied):
                occupied.append(box)
                left, top, _, _ = box
                placed_names.append(
                    PlacedName(
                        key=spot.key,
                        name=spot.name,
                        x=round(left + 2, 1),
                        y=round(top + size * 0.96, 1),
                        leader=None if gap == GAPS[0] else _leader(spot, box),
                    )
                )
                break
    return placed_names


def _possible_boxes(spot: NameSpot, size: float) -> Iterator[tuple[float, Box]]:
    """Yield the boxes in which a name may be written, best first, with their gap to the mark."""
    width = text_width(spot.name, size) + 4
    height = size * 1.25
    for gap in GAPS:
        far = spot.r + gap
        diagonal = far * DIAGONAL
        corners: Iterable[tuple[float, float]] = (
            (far, -height / 2),
            (-far - width, -height / 2),
            (diagonal, -diagonal - height + 4),
            (diagonal, diagonal - 4),
            (-diagonal - width, -diagonal - height + 4),
            (-diagonal - width, diagonal - 4),
            (-width / 2, -far - height),
            (-width / 2, far),
        )
        for dx, dy in corners:
            left = spot.x + dx
            top = spot.y + dy
            yield gap, (left, top, left + width, top + height)


def _inside(box: Box, width: float, height: float) -> bool:
    """Return whether a box is on the drawing, two pixels from its edges."""
    left, top, right, bottom = box
    return left >= 2 and top >= 2 and right <= width - 2 and bottom <= height - 2


def _overlap(first: Box, second: Box) -> bool:
    """Return whether two boxes overlap."""
    left, top, right, bottom = first
    other_left, other_top, other_right, other_bottom = second
    overlap_in_x = left < other_right and right > other_left
    return overlap_in_x and top < other_bottom and bottom > other_top


def _leader(spot: NameSpot, box: Box) -> Box:
    """Return the line from a mark's edge to its name."""
    left, top, right, bottom = box
    x = min(max(spot.x, left), right)
    y = min(max(spot.y, top + 3), bottom - 3)
    distance = hypot(x - spot.x, y - spot.y) or 1.0
    start_x = spot.x + (x - spot.x) / distance * (spot.r + 2)
    start_y = spot.y + (y - spot.y) / distance * (spot.r + 2)
    return round(start_x, 1), round(start_y, 1), round(x, 1), round(y, 1)
