"""Placement of names and marks on a small drawing with little overlap. Pure geometry.

Lengths are those of the drawing. `unit` is the height of its letters; offsets are given in units.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

LETTER = 0.56  # width of a letter, in letter heights
CELL = 6.0  # side of a grid square for finding occupied boxes, in units
Box = tuple[float, float, float, float]  # left, top, right, bottom
Placement = tuple[float, float, str]  # x, y and text-anchor of a name
# Positions of a name beside its point, in units, best first.
LABEL_OFFSETS = (
    ((0.0, 1.75), "middle"),
    ((0.0, -1.0), "middle"),
    ((0.8, 0.35), "start"),
    ((-0.8, 0.35), "end"),
)


class LabelSpace:
    """A drawing being filled: its occupied parts, and where something still fits."""

    def __init__(self, width: float, height: float, unit: float) -> None:
        self.width = width
        self.height = height
        self.unit = unit
        self._occupied: list[Box] = []
        # Numbers of occupied boxes by the squares they touch
        self._grid: dict[tuple[int, int], list[int]] = {}

    def occupy_circle(self, x: float, y: float, radius: float) -> None:
        """Occupy the area around a point.

        Args:
            radius: In units.
        """
        reach = radius * self.unit
        self._occupy((x - reach, y - reach, x + reach, y + reach))

    def occupy_best(self, boxes: Sequence[Box]) -> int:
        """Occupy the first free box, else the least covered one, and return its index."""
        choice, _ = self._least_covered(boxes)
        self._occupy(boxes[choice])
        return choice

    def place_name(self, x: float, y: float, words: str, needed: bool = True) -> Placement | None:
        """Return the position of a point's name; None without room unless it is `needed`."""
        places = [
            (x + dx * self.unit, y + dy * self.unit, anchor) for (dx, dy), anchor in LABEL_OFFSETS
        ]
        boxes = [self._box(*place, words) for place in places]
        choice, covered = self._least_covered(boxes)
        if covered and not needed:
            return None
        self._occupy(boxes[choice])
        name_x, name_y, anchor = places[choice]
        return round(name_x, 1), round(name_y, 1), anchor

    def _box(self, x: float, y: float, anchor: str, words: str) -> Box:
        """Return the box of a name at a position, by SVG text anchor."""
        width = len(words) * self.unit * LETTER
        left = {"middle": x - width / 2, "start": x, "end": x - width}[anchor]
        return (left, y - self.unit * 0.85, left + width, y + self.unit * 0.25)

    def _squares(self, box: Box) -> Iterator[tuple[int, int]]:
        """Yield the grid squares that a box touches."""
        side = CELL * self.unit
        left, top, right, bottom = box
        rows = range(int(top // side), int(bottom // side) + 1)
        return (
            (column, row)
            for column in range(int(left // side), int(right // side) + 1)
            for row in rows
        )

    def _near(self, box: Box) -> Sequence[int]:
        """Return the numbers of occupied boxes in the squares that a box touches, ascending.

        Most boxes touch only one square.
        """
        filled = [numbers for square in self._squares(box) if (numbers := self._grid.get(square))]
        if len(filled) < 2:
            if filled:
                return filled[0]
            return ()
        return sorted({number for numbers in filled for number in numbers})

    def _occupy(self, box: Box) -> None:
        for square in self._squares(box):
            self._grid.setdefault(square, []).append(len(self._occupied))
        self._occupied.append(box)

    def _least_covered(self, boxes: Sequence[Box]) -> tuple[int, float]:
        """Return the index of the first least covered box, and how much of it is covered."""
        choice = 0
        least = math.inf
        for index, box in enumerate(boxes):
            covered = self._covered(box)
            if covered < least:
                choice = index
                least = covered
            if not covered:
                break
        return choice, least

    def _covered(self, box: Box) -> float:
        """Return how much of a box is occupied or beyond the edge; the edge counts for more."""
        left, top, right, bottom = box
        beyond = (
            max(0.0, -left)
            + max(0.0, right - self.width)
            + max(0.0, -top)
            + max(0.0, bottom - self.height)
        )
        over = 0.0
        for number in self._near(box):
            its_left, its_top, its_right, its_bottom = self._occupied[number]
            if its_left < right and left < its_right and its_top < bottom and top < its_bottom:
                over += (min(right, its_right) - max(left, its_left)) * (
                    min(bottom, its_bottom) - max(top, its_top)
                )
        return over + beyond * self.unit * 10
