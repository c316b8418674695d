"""Gravitic guns: they disturb the field of a target's drive, more so if it is fast."""

from __future__ import annotations

from dataclasses import replace

from engine.core.dice import Dice
from engine.core.phrase import phrase
from engine.core.rolls import Effect, Shot, beam_damage, dice_in_range, roll_beams
from engine.prices.system_price import LIGHT, by_class
from engine.weapons.beams import beam_reach
from engine.weapons.weapon import BuilderName, Trait, Weapon

MU_PER_POINT = 6  # MU of the target's velocity for each point of a hit


def fire_gravitic(shot: Shot, dice: Dice) -> Effect:
    """Fire a gravitic gun: each hit does a point for every 6 MU of the target's velocity.

    Holofields have no effect.

    Rules: Continuum "Gravitic guns" 5.20 [pc.gravitic-guns]
    """
    number = dice_in_range(shot.size, shot.distance)
    rolled, hits = roll_beams(number, replace(shot, holofield=False), dice)
    points_per_hit = shot.velocity // MU_PER_POINT
    return Effect(rolled, damage_types=beam_damage(tuple(hit * points_per_hit for hit in hits)))


CONTINUUM = (
    Weapon(
        "gravitic",
        fire_gravitic,
        beam_reach,
        traits=(Trait.ENERGY, Trait.PAST_HOLOFIELDS, Trait.BY_VELOCITY),
        system_prices=by_class(
            "gravitic",
            title=phrase("Gravitic gun"),
            rule="pc.gravitic-guns",
            mounts=LIGHT,
            needs="gravitic-guns",
        ),
        builder=(BuilderName("weapons", "gravitic"),),
    ),
)
