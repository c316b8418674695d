"""Needle beams: snipers at single systems. Each mount looks through one arc only."""

from __future__ import annotations

from engine.dice import Dice
from engine.ruleset import SystemSpec

REACH = 9.0  # MU
KILLS_ON = 6

NEEDLE_BEAMS = (SystemSpec("needle", "", "Needle beam", 2, 6, "2e.needle-beams", arcs="one", offensive=True),)


def snipe(dice: Dice, subject: str) -> tuple[int, bool]:
    """One shot at one system: the die, and whether it knocks the system out; it does no other damage.

    Rules: 2E "Needle beams" [2e.needle-beams]
    """
    die = dice.roll("to-hit", subject)
    return die, die >= KILLS_ON
