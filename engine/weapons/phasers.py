"""Phasers: mounts of a laser and a particle beam, which can also aim at single systems.

Any mount may serve as point defence instead of firing at ships. An advanced FireCon lets all
phasers of its ship serve as area defence without an ADFC, for any number of friends and against
craft that attack no ship.

Rules: Continuum "Phasers" 5.8 [pc.phasers]
"""

from __future__ import annotations

from engine.core.dice import Dice
from engine.core.kinds import SEMI
from engine.core.rolls import D3, Effect, Shot, dice_in_range, roll_beams, roll_hit_damage
from engine.prices.system_price import HEAVY, by_class
from engine.weapons.beams import beam_reach
from engine.weapons.guard import BY_PDS, Guard
from engine.weapons.needles import fire_needle
from engine.weapons.weapon import BuilderName, Trait, Weapon

NEEDLE = "needle"  # mode in which it fires like a needle beam of its class


def fire_phaser(shot: Shot, dice: Dice) -> Effect:
    """Fire a phaser: each hit of its beam dice does a D3 of semi-armour piercing damage.

    In needle mode it fires like a needle beam.

    Rules: Continuum "Phasers" 5.8 [pc.phasers]
    """
    if shot.mode == NEEDLE:
        return fire_needle(shot, dice)
    rolled, hits = roll_beams(dice_in_range(shot.size, shot.distance), shot, dice)
    damage, damage_types = roll_hit_damage(hits, shot=shot, dice=dice, kind=SEMI, table=D3)
    return Effect(rolled, damage, damage_types)


POINTS = 2  # for each weapon, besides those for its mass
# The only price on ships with an advanced FireCon, for each mass.
WITH_ADVANCED_FIRECON = (("advanced-firecon", 6),)

CONTINUUM = (
    Weapon(
        "phaser",
        fire_phaser,
        beam_reach,
        guard=Guard(BY_PDS, can_be_area_defence=True),
        modes=("", NEEDLE),
        at_system=(NEEDLE,),
        snipes=(NEEDLE,),
        advanced=(NEEDLE,),
        traits=(Trait.ENERGY,),
        system_prices=by_class(
            "phaser",
            title="Phaser",
            rule="pc.phasers",
            mounts=HEAVY,
            needs="phasers",
            points=POINTS,
            rates=WITH_ADVANCED_FIRECON,
        ),
        builder=(BuilderName("weapons", "phaser"),),
    ),
)
