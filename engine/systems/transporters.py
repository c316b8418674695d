"""Transporter beams: they set boarders down on other ships, and commandos at single systems."""

from __future__ import annotations

from engine.dice import Dice
from engine.rolls import Effect, Shot, beam_hits, dice_in_range

RAID = "raid"
# What becomes of a raid: whether the system is out, whether the marines stay behind; place 0 is no die.
RAIDS: tuple[tuple[bool, bool], ...] = (
    (False, False),
    (False, False),
    (False, True),
    (False, True),
    (False, True),  # unless another die brings them home
    (True, True),
    (True, False),
)
SECOND_CHANCE, HOME_ON = 4, 4


def transporter(shot: Shot, dice: Dice) -> Effect:
    """Beam dice without re-rolls: a unit set down for each hit; a raid sends one, which throws for what it does.

    Rules: Continuum "Transporter beams" 5.9 [pc.transporters]
    """
    thrown, hits = beam_hits(dice_in_range(shot.size, shot.distance), shot, dice, rerolls=False)
    if shot.mode != RAID:
        return Effect(thrown, landed=hits[0])
    if not hits[0]:
        return Effect(thrown)
    raid = [dice.roll("boarding", shot.subject)]
    destroyed, stays = RAIDS[raid[0]]
    if raid[0] == SECOND_CHANCE:
        raid.append(dice.roll("boarding", shot.subject))
        stays = raid[1] < HOME_ON
    return Effect(thrown, tuple(raid), needled=destroyed, lost=int(stays))
