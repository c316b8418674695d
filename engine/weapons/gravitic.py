"""Gravitic guns: surges in the field of a target's drive, the worse the faster it flies."""

from __future__ import annotations

from dataclasses import replace

from engine.core.dice import Dice
from engine.core.phrase import phrase
from engine.core.rolls import Effect, Shot, beam_damage, beam_hits, dice_in_range
from engine.pricelists.ware import LIGHT, by_class
from engine.weapons.beams import beam_reach
from engine.weapons.weapon import BuilderName, Trait, Weapon

VELOCITY_A_POINT = 6


def gravitic(shot: Shot, dice: Dice) -> Effect:
    """Beam dice; each hit is a point for every 6 MU of the target's velocity. No holofield helps.

    Rules: Continuum "Gravitic guns" 5.20 [pc.gravitic-guns]
    """
    thrown, hits = beam_hits(
        dice_in_range(shot.size, shot.distance), replace(shot, holofield=False), dice
    )
    each = shot.velocity // VELOCITY_A_POINT
    return Effect(thrown, damage_types=beam_damage(tuple(number * each for number in hits)))


CONTINUUM = (
    Weapon(
        "gravitic",
        gravitic,
        beam_reach,
        traits=(Trait.ENERGY, Trait.PAST_HOLOFIELDS, Trait.BY_VELOCITY),
        wares=by_class(
            "gravitic", phrase("Gravitic gun"), "pc.gravitic-guns", LIGHT, "gravitic-guns"
        ),
        builder=(BuilderName("weapons", "gravitic"),),
    ),
)
