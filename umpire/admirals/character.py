"""The characters of computer admirals: how much they dare, what they leave behind, when they give way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.core.errors import RuleViolations, Violation


@dataclass(frozen=True, slots=True)
class Character:
    """How an admiral leads. Ratios are own strength to the enemy's as estimated.

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
