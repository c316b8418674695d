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
    Character(
        name="steady",
        attack=1.10,
        hold=0.75,
        caution=60,
        garrison=6,
        split=1,
        guard=4,
        retire=45,
        break_off=60,
        targets="dangerous",
    ),
    Character(
        name="bold",
        attack=0.95,
        hold=0.65,
        caution=35,
        garrison=4,
        split=3,
        guard=2,
        retire=60,
        break_off=80,
        targets="strongest",
    ),
    Character(
        name="cautious",
        attack=1.30,
        hold=0.85,
        caution=90,
        garrison=8,
        split=1,
        guard=5,
        retire=35,
        break_off=45,
        targets="dangerous",
    ),
)
STEADY = CHARACTERS[0]


def find_character(name: str) -> Character:
    """Return the character of a name; the empty name means steady.

    Raises:
        RuleViolations: If no character has that name.
    """
    characters = {character.name: character for character in CHARACTERS}
    result = characters.get(name or STEADY.name)
    if result is None:
        message = phrase("no admiral '{}'; choose from {}", name, ", ".join(characters))
        raise RuleViolations([Violation("admiral", "unknown-character", message)])
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
