"""Pulse torpedoes: tubes fixed forward, whose bolts go through screens."""

from __future__ import annotations

from engine.dice import Dice
from engine.ruleset import SystemSpec

# Far end of each band in MU, a range exactly on it in the nearer band, and the die that hits there.
BANDS = (6.0, 12.0, 18.0, 24.0)
HITS_ON = (3, 4, 5, 6)

PULSE_TORPEDOES = (
    SystemSpec("pulse-torpedo", "", "Pulse torpedo tube", 5, 15, "2e.pulse-torpedoes", arcs="fore", offensive=True),
)


def bolt(band: int, dice: Dice, subject: str) -> tuple[int, int]:
    """One torpedo in a range band (0 to 3): the die to hit, and the damage points, 0 for a miss.

    Rules: 2E "Pulse torpedoes" [2e.pulse-torpedoes]
    """
    die = dice.roll("to-hit", subject)
    return die, dice.roll("damage", subject) if die >= HITS_ON[band] else 0
