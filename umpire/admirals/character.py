"""The characters of computer admirals: how much they dare, what they leave behind, when they give way.

Among good choices a leaning is left to an admiral's dice, so that nobody can foretell him.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from engine.core.dice import Dice
from engine.core.errors import RuleViolations, Violation

T = TypeVar("T")

PURPOSE = "admiral"
MOST_SIDES = 100


@dataclass(frozen=True, slots=True)
class Character:
    """The character of an admiral: how he leads. Ratios are own strength to the enemy's as estimated.

    `attack`: the ratio from which it fights; `hold`: down to which it stands off rather than give way. `caution`: what
    a loss weighs against a gain, in percent. `garrison`: the share of all its ships that is left at a system it took,
    in percent. `split`: chances in six that it divides a force for two goals; `guard`: that it keeps enough at a system
    whose loss would lose the war at once. `retire`: the damage, in percent of a ship's boxes, from which the ship goes
    to a base. `break_off`: of its captains' doctrine; `targets` too.
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


def character(name: str) -> Character:
    """The character of that name; the empty name is the steady one. Raises RuleViolations for an unknown name."""
    found = next((one for one in CHARACTERS if one.name == (name or STEADY.name)), None)
    if found is None:
        known = ", ".join(one.name for one in CHARACTERS)
        raise RuleViolations([Violation("admiral", "unknown-character", f"no admiral is '{name}'; known: {known}")])
    return found


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
