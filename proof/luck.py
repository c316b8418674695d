"""How evenly the dice of a war fell: the faces of all dice of each purpose.

It says nothing about what a die did in a battle, so it is no account of who had luck.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, lgamma, log
from typing import Any

from engine.core.dice import Roll

TERMS = 400  # of the series below; it has converged long before
TINY = 1e-300


@dataclass(frozen=True, slots=True)
class Faces:
    """The faces of all dice of a purpose.

    Attributes:
        counts: How often each face fell, from 1 to `sides`.
    """

    purpose: str
    sides: int
    counts: tuple[int, ...]

    @property
    def total(self) -> int:
        """Return the number of dice."""
        return sum(self.counts)

    @property
    def chi_square(self) -> float:
        """Return how far the counts are from equal ones."""
        expected = self.total / self.sides
        return sum((count - expected) ** 2 / expected for count in self.counts)

    @property
    def p_value(self) -> float:
        """Return the chance that fair dice are at least as uneven."""
        return chi_square_tail(self.chi_square, self.sides - 1)

    def to_json(self) -> dict[str, Any]:
        """Return the faces as JSON."""
        return {
            "purpose": self.purpose,
            "sides": self.sides,
            "counts": list(self.counts),
            "chi_square": self.chi_square,
            "p": self.p_value,
        }


def faces_of(rolls: Iterable[Roll]) -> tuple[Faces, ...]:
    """Return the faces of dice by purpose and number of sides."""
    counts: dict[tuple[str, int], list[int]] = {}
    for roll in rolls:
        found = counts.setdefault((roll.purpose, roll.sides), [0] * roll.sides)
        found[roll.value - 1] += 1
    result = []
    for (purpose, sides), found in sorted(counts.items()):
        if sides > 1:
            result.append(Faces(purpose, sides, tuple(found)))
    return tuple(result)


def chi_square_tail(value: float, degrees: int) -> float:
    """Return the chance of at least this chi-square (the upper incomplete gamma function)."""
    shape = degrees / 2
    half = value / 2
    if half <= 0:
        return 1.0
    scale = exp(-half + shape * log(half) - lgamma(shape))
    if half < shape + 1:
        return 1 - scale * _series(shape, half)
    return scale * _fraction(shape, half)


def _series(shape: float, half: float) -> float:
    """Return the series of the lower incomplete gamma function, without its scale."""
    term = 1 / shape
    total = term
    for number in range(1, TERMS):
        term *= half / (shape + number)
        total += term
    return total


def _fraction(shape: float, half: float) -> float:
    """Return the continued fraction of the upper one, without its scale (Lentz's method)."""
    step = half + 1 - shape
    upper = 1 / TINY
    lower = 1 / step
    result = lower
    for number in range(1, TERMS):
        factor = -number * (number - shape)
        step += 2
        lower = 1 / (factor * lower + step or TINY)
        upper = step + factor / upper or TINY
        result *= lower * upper
    return result
