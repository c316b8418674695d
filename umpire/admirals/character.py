"""Characters of computer admirals: when they fight, what they guard and when they withdraw.

Dice choose between options of similar value, so that an admiral is not predictable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from engine.core.dice import Dice
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase

T = TypeVar("T")

PURPOSE = "admiral"
DIE_SIDES = 100


@dataclass(frozen=True, slots=True)
class Character:
    """The character of an admiral.

    Ratios are own strength to estimated enemy strength.

    Attributes:
        attack: The lowest ratio at which the admiral fights.
        hold: The lowest ratio at which the admiral stands off; below it the admiral withdraws.
        caution: The weight of the ships at risk against the possible gain of a move, in percent.
        garrison: The share of mobile strength left at a captured system, in percent.
        split: The chances in six of dividing a force between two goals.
        guard: The chances in six of leaving enough ships to hold a system whose loss would lose the
            war at once.
        retire: The share of a ship's hull lost at which it goes to a base, in percent.
        break_off: The break-off value of the captains' doctrine.
        targets: The target choice of the captains' doctrine.
    """

    name: str
    attack: float
    hold: float
    caution: int
    garrison: int
    split: int
    guard: int
    retire: int
    break_off: int
    targets: Literal["nearest", "weakest", "strongest", "dangerous"]


CHARACTERS: tuple[Character, ...] = (
    Character("steady", 1.10, 0.75, 60, 6, 1, 4, 45, 60, "dangerous"),
    Character("bold", 0.95, 0.65, 35, 4, 3, 2, 60, 80, "strongest"),
    Character("cautious", 1.30, 0.85, 90, 8, 1, 5, 35, 45, "dangerous"),
)
STEADY = CHARACTERS[0]


def find_character(name: str) -> Character:
    """Return the character of a name; the empty name means steady.

    Raises:
        RuleViolations: If no character has that name.
    """
    result = next((item for item in CHARACTERS if item.name == (name or STEADY.name)), None)
    if result is None:
        names = ", ".join(item.name for item in CHARACTERS)
        raise RuleViolations(
            [
                Violation(
                    "admiral",
                    "unknown-character",
                    phrase("no admiral '{}'; choose from {}", name, names),
                )
            ]
        )
    return result


def random_factor(dice: Dice, subject: str) -> float:
    """Roll two dice for a factor on a strength ratio: 0.9 to 1.1, most often near 1."""
    return 1.0 + (dice.roll(PURPOSE, subject) + dice.roll(PURPOSE, subject) - 7) * 0.02


def roll_chance(dice: Dice, subject: str, chances: int) -> bool:
    """Roll a die and return whether it is at most `chances` (in six)."""
    return dice.roll(PURPOSE, subject) <= chances


def choose_weighted(dice: Dice, subject: str, choices: Sequence[tuple[float, T]]) -> T:
    """Choose by dice, with probabilities proportional to the weights (all above 0)."""
    total = sum(weight for weight, _ in choices)
    remaining = (dice.roll(PURPOSE, subject, DIE_SIDES) - 0.5) * total / DIE_SIDES
    for weight, choice in choices:
        remaining -= weight
        if remaining <= 0:
            return choice
    return choices[-1][1]
