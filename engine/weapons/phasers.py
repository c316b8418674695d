"""Phasers: lasers and particle beams in one mount, which advanced fire control also aims at single
systems.

Any mount serves as point defence instead of firing at ships; an advanced FireCon has all of its
ship's serve as area defence, for any number of friends and at what attacks nobody, without an ADFC.
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

NEEDLE = "needle"  # its way of firing like a needle beam of its class


def fire_phaser(shot: Shot, dice: Dice) -> Effect:
    """Beam dice; each hit is a D3 of semi-armour piercing damage; or it fires like a needle beam,
    where it is told to.

    Rules: Continuum "Phasers" 5.8 [pc.phasers]
    """
    if shot.mode == NEEDLE:
        return fire_needle(shot, dice)
    rolled, hits = roll_beams(dice_in_range(shot.size, shot.distance), shot, dice)
    damage, damage_types = roll_hit_damage(hits, shot, dice, SEMI, D3)
    return Effect(rolled, damage, damage_types)


POINTS = 2  # beside the mass, for each weapon
WITH_ADVANCED_FIRECON = (
    ("advanced-firecon", 6),
)  # such a ship pays this for each mass and nothing beside

CONTINUUM = (
    Weapon(
        "phaser",
        fire_phaser,
        beam_reach,
        guard=Guard(BY_PDS, as_area=True),
        modes=("", NEEDLE),
        at_system=(NEEDLE,),
        snipes=(NEEDLE,),
        advanced=(NEEDLE,),
        traits=(Trait.ENERGY,),
        system_prices=by_class(
            "phaser",
            "Phaser",
            "pc.phasers",
            HEAVY,
            "phasers",
            points=POINTS,
            rates=WITH_ADVANCED_FIRECON,
        ),
        builder=(BuilderName("weapons", "phaser"),),
    ),
)
