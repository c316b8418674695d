"""Submunition packs: a cluster of short range missiles for a single salvo, small enough for merchants and couriers."""

from __future__ import annotations

from engine.dice import Dice
from engine.rolls import Effect, Shot, band, beam_hits, beam_wounds
from engine.ruleset import SystemSpec
from engine.sheet import Fit

# Far end of each band in MU, a range exactly on it in the nearer band, and the dice thrown there.
BANDS = (6.0, 12.0, 18.0)
DICE = (3, 2, 1)

SUBMUNITIONS = (
    SystemSpec(
        "submunition", "", "Submunition pack", 1, 3, "2e.submunitions", civil=True, offensive=True, expendable=True
    ),
)


def pack_reach(_fit: Fit, _mode: str = "") -> float:
    """MU a submunition pack reaches. Rules: Continuum "Submunition pack" 5.15 [pc.submunitions]"""
    return BANDS[-1]


def pack(shot: Shot, dice: Dice) -> Effect:
    """A pack's beam dice by range, with re-rolls; of all screens only advanced ones hinder them.

    Rules: Continuum "Submunition pack" 5.15 [pc.submunitions]; Continuum "Advanced screens" 7.3 [pc.advanced-screens]
    """
    thrown, hits = beam_hits(DICE[band(shot.distance, BANDS)], shot, dice, screens=shot.advanced)
    return Effect(thrown, wounds=beam_wounds(hits))
