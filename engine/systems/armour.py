"""Regenerative armour: shells that close over their wounds. How damage goes through armour: `engine.continuum.damage`.

Rules: Continuum "Regenerative armour" 7.8 [pc.armour]
"""

from __future__ import annotations

from engine.core.dice import Dice

REPAIRS_ON, DIES_ON = 5, 1


def regenerate(damaged: int, dice: Dice, subject: str) -> tuple[tuple[int, ...], int, int]:
    """The end of a turn for so many damaged boxes: their dice, how many are whole again, and how many never will be.

    Rules: Continuum "Regenerative armour" 7.8 [pc.armour]
    """
    thrown = tuple(dice.roll("regeneration", subject) for _ in range(damaged))
    return thrown, sum(die >= REPAIRS_ON for die in thrown), sum(die <= DIES_ON for die in thrown)
