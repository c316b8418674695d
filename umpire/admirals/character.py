"""The characters of computer admirals: the odds at which they fight, what they guard, when they
give way.

An admiral's dice decide between choices that are about as good, so that nobody can predict him.
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

    Ratios are own strength to the enemy's as estimated; shares are in percent.

    `attack`: the least ratio at which he fights. `hold`: the least ratio at which he stands off;
    below it he withdraws. `caution`: how much the ships at risk count against what a move may gain.
    `garrison`: the share of his mobile strength that stays at a system he took. `split`: the
    chances in six that he divides a force between two goals. `guard`: the chances in six that he
    leaves enough to hold a system whose loss would lose the war at once. `retire`: the share of a
    ship's hull lost at which the ship goes to a base. `break_off`, `targets`: of his captains'
    doctrine.
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
    """The character of that name; the empty name is the steady one.

    Raises RuleViolations for an unknown name.
    """
    result = next((item for item in CHARACTERS if item.name == (name or STEADY.name)), None)
    if result is None:
        names = ", ".join(item.name for item in CHARACTERS)
        raise RuleViolations(
            [
                Violation(
                    "admiral",
                    "unknown-character",
                    phrase("no admiral is '{}'; known: {}", name, names),
                )
            ]
        )
    return result


def random_factor(dice: Dice, subject: str) -> float:
    """A factor by which a ratio is read, from 0.9 to 1.1, mostly near 1 (two dice)."""
    return 1.0 + (dice.roll(PURPOSE, subject) + dice.roll(PURPOSE, subject) - 7) * 0.02


def roll_chance(dice: Dice, subject: str, chances: int) -> bool:
    """Whether a die is no higher than the chances in six."""
    return dice.roll(PURPOSE, subject) <= chances


def choose_weighted(dice: Dice, subject: str, choices: Sequence[tuple[float, T]]) -> T:
    """One of the choices, each as likely as its weight (above 0) says."""
    total = sum(weight for weight, _ in choices)
    remaining = (dice.roll(PURPOSE, subject, DIE_SIDES) - 0.5) * total / DIE_SIDES
    for weight, choice in choices:
        remaining -= weight
        if remaining <= 0:
            return choice
    return choices[-1][1]
