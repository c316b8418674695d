"""Needle beams: snipers at single systems. In the second edition each mount looks through one arc only."""

from __future__ import annotations

from engine.dice import Dice
from engine.rolls import Effect, Shot, Wound, clamped, dice_in_range
from engine.ruleset import SystemSpec

REACH = 9.0  # MU
KILLS_ON = 6
HITS_ON = 4  # a point of damage, by Continuum
# MU up to which a ship's ordinary sensors, and up to which enhanced ones, find a system to aim at.
PLAIN_SIGHT, ENHANCED_SIGHT = 12.0, 24.0

NEEDLE_BEAMS = (SystemSpec("needle", "", "Needle beam", 2, 6, "2e.needle-beams", arcs="one", offensive=True),)


def snipe(dice: Dice, subject: str) -> tuple[int, bool]:
    """One shot at one system: the die, and whether it knocks the system out; it does no other damage.

    Rules: 2E "Needle beams" [2e.needle-beams]
    """
    die = dice.roll("to-hit", subject)
    return die, die >= KILLS_ON


def needle(shot: Shot, dice: Dice) -> Effect:
    """A die a class, one fewer in each further band of 12 MU: a point on 4 or more, and on a natural 6 the system too.

    No screen helps. A cloak, the one thing that modifies re-rolls, hides systems, and so does a range beyond its
    ship's sensors; a holofield hides all.
    Rules: Continuum "Needle beams" 5.13 [pc.needle-beams]
    """
    thrown = tuple(dice.roll("to-hit", shot.subject) for _ in range(dice_in_range(shot.size, shot.distance)))
    if shot.holofield:
        return Effect(thrown, needed=HITS_ON)
    needed = KILLS_ON if shot.stern else HITS_ON
    hits = sum(clamped(die, shot.modifier) >= needed for die in thrown)
    needled = KILLS_ON in thrown and not (shot.rerolls_modified or shot.blind)
    return Effect(thrown, wounds=(Wound(1),) * hits, needed=needed, needled=needled)
