"""What an admiral leaves to his dice, so that nobody can foretell him: a leaning, a choice among good ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from engine.core.dice import Dice

T = TypeVar("T")

PURPOSE = "admiral"
MOST_SIDES = 100


def leaning(dice: Dice, subject: str) -> float:
    """About 1: from 0.9 to 1.1, mostly near the middle (two dice)."""
    return 1.0 + (dice.roll(PURPOSE, subject) + dice.roll(PURPOSE, subject) - 7) * 0.02


def happens(dice: Dice, subject: str, chances: int) -> bool:
    """Whether it happens, with so many chances in six."""
    return dice.roll(PURPOSE, subject) <= chances


def one_of(dice: Dice, subject: str, choices: Sequence[tuple[float, T]]) -> T:
    """One of the choices, each as likely as its weight (above 0) says."""
    whole = sum(weight for weight, _ in choices)
    left = (dice.roll(PURPOSE, subject, MOST_SIDES) - 0.5) * whole / MOST_SIDES
    for weight, choice in choices:
        left -= weight
        if left <= 0:
            return choice
    return choices[-1][1]
