"""EMP projectors: beams that hurt neither armour nor hull, but the electronics behind them.

The smallest serve as point defence: a beam die with one less, as that of a beam of class 1, but no
six throws again.
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
    """An EMP projector's fire: beam dice that hurt neither armour nor hull; of all screens only
    advanced ones count.

    Rules: Continuum "EMP projectors" 5.4 [pc.emp]
    """
    rolled, hits = roll_beams(
        dice_in_range(shot.size, shot.distance), shot, dice, screens=shot.advanced
    )
    return Effect(rolled, emp=sum(hits))


CONTINUUM = (
    Weapon(
        "emp",
        fire_emp,
        beam_reach,
        guard=Guard(BY_LIGHT_BEAM, helps=False, strong=True, rerolls=False, serves=is_class_one),
        traits=(Trait.SPREADS,),
        system_prices=by_class("emp", phrase("EMP projector"), "pc.emp", LIGHT, "emp"),
        builder=(BuilderName("weapons", "emp"),),
        word="EMP",
    ),
)
