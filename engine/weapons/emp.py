"""EMP projectors: beams that damage electronics instead of armour and hull.

The smallest serve as point defence, like a class 1 beam but without re-rolls for sixes.

Rules: Continuum "EMP projectors" 5.4 [pc.emp]
"""

from __future__ import annotations

from engine.core.dice import Dice
from engine.core.phrase import phrase
from engine.core.rolls import Effect, Shot, dice_in_range, roll_beams
from engine.prices.system_price import LIGHT, by_class
from engine.weapons.beams import beam_reach
from engine.weapons.guard import BY_LIGHT_BEAM, Guard, is_class_one
from engine.weapons.weapon import BuilderName, Trait, Weapon


def fire_emp(shot: Shot, dice: Dice) -> Effect:
    """Fire an EMP projector, with a die for each class, one fewer in each further band.

    Rules: Continuum "EMP projectors" 5.4 [pc.emp]
    """
    return roll_emp(dice_in_range(shot.size, shot.distance), shot, dice)


def roll_emp(number: int, shot: Shot, dice: Dice) -> Effect:
    """Roll a number of EMP dice: beam dice that only advanced screens reduce.

    Rules: Continuum "EMP projectors" 5.4 [pc.emp]
    """
    rolled, hits = roll_beams(number, shot, dice, screens=shot.advanced)
    return Effect(rolled, emp=sum(hits))


CONTINUUM = (
    Weapon(
        "emp",
        fire_emp,
        beam_reach,
        guard=Guard(
            BY_LIGHT_BEAM,
            protects_others=False,
            is_not_resisted=True,
            rerolls=False,
            accepts_mount=is_class_one,
        ),
        traits=(Trait.SPREADS,),
        system_prices=by_class(
            "emp", title=phrase("EMP projector"), rule="pc.emp", mounts=LIGHT, needs="emp"
        ),
        builder=(BuilderName("weapons", "emp"),),
        word="EMP",
    ),
)
