"""Where names and marks of a small drawing lie, so that none covers another as far as there is room. Pure geometry.

Lengths are the drawing's own; `unit` is the height of its letters, in which places beside a point are given.
"""

from __future__ import annotations

from collections.abc import Sequence

LETTER = 0.56  # a letter's width, in its height
Box = tuple[float, float, float, float]  # left, top, right, bottom
Placed = tuple[float, float, str]  # x, y and text-anchor of a name
# Where a name may stand beside its point, in units, the best first.
BESIDE = (((0.0, 1.75), "middle"), ((0.0, -1.0), "middle"), ((0.8, 0.35), "start"), ((-0.8, 0.35), "end"))


class Drawing:
    """A drawing that is filled: what is taken of it, and where something still fits."""

    def __init__(self, width: float, height: float, unit: float) -> None:
        self.width, self.height, self.unit = width, height, unit
        self._taken: list[Box] = []

    def take(self, x: float, y: float, radius: float) -> None:
        """A point and so much round it is taken. `radius`: in units."""
        reach = radius * self.unit
        self._taken.append((x - reach, y - reach, x + reach, y + reach))

    def best(self, boxes: Sequence[Box]) -> int:
        """The first of these boxes that is free, else the one of which least is taken; it is taken then."""
        found = min(range(len(boxes)), key=lambda n: (self._covered(boxes[n]), n))
        self._taken.append(boxes[found])
        return found

    def name(self, x: float, y: float, words: str, needed: bool = True) -> Placed | None:
        """Where the name of a point stands. None where it has no room and is not `needed`."""
        places = [(x + dx * self.unit, y + dy * self.unit, anchor) for (dx, dy), anchor in BESIDE]
        boxes = [self._box(*place, words) for place in places]
        if not needed and all(self._covered(box) for box in boxes):
            return None
        px, py, anchor = places[self.best(boxes)]
        return round(px, 1), round(py, 1), anchor

    def _box(self, x: float, y: float, anchor: str, words: str) -> Box:
        long = len(words) * self.unit * LETTER
        left = {"middle": x - long / 2, "start": x, "end": x - long}[anchor]
        return (left, y - self.unit * 0.85, left + long, y + self.unit * 0.25)

    def _covered(self, box: Box) -> float:
        """How much of a box is taken, or lies beyond the edge, which is worse."""
        left, top, right, bottom = box
        beyond = max(0.0, -left) + max(0.0, right - self.width) + max(0.0, -top) + max(0.0, bottom - self.height)
        over = (
            max(0.0, min(right, other[2]) - max(left, other[0])) * max(0.0, min(bottom, other[3]) - max(top, other[1]))
            for other in self._taken
        )
        return sum(over) + beyond * self.unit * 10
