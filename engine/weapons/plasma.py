"""Plasma cannon, whose streams burn through everything, and bolts, which explode where aimed."""

from __future__ import annotations

from engine.core.dice import Dice
from engine.core.phrase import phrase
from engine.core.rolls import (
    PROJECTILE_BANDS,
    PROJECTILE_HITS_ON,
    Effect,
    Shot,
    beam_damage,
    dice_in_range,
    roll_dice,
)
from engine.prices.system_price import HEAVY, SystemPrice, by_class, one_arc
from engine.weapons.beams import beam_reach
from engine.weapons.guard import PointDefenceTarget
from engine.weapons.ordnance import (
    PLASMA_REACH,
    STANDARD,
    Ordnance,
    no_strike,
    plasma_blast,
    shaped_strike,
)
from engine.weapons.weapon import BuilderName, Trait, Weapon, fixed_reach

# Hits of a plasma die: the die less 2, less one for each level of screens; index 0 is unused.
PLASMA_HITS: tuple[tuple[int, ...], ...] = (
    #  1  2  3  4  5  6
    (0, 0, 0, 1, 2, 3, 4),  # unscreened
    (0, 0, 0, 0, 1, 2, 3),  # level 1
    (0, 0, 0, 0, 0, 1, 2),  # level 2
    (0, 0, 0, 0, 0, 1, 2),  # level 3, which prevents re-rolls
)
NO_REROLL_LEVEL = 3
ONLY_SIXES = (0, 0, 0, 0, 0, 0, 4)  # at a ship in a holofield, for re-rolls too
# The hits of dice below 6 through the stern by enhanced sensors.
NO_HITS = (0, 0, 0, 0, 0, 0)
STERN_REROLLS = (0, 0, 0, 0, 0, 1, 2)


def roll_plasma(number: int, shot: Shot, dice: Dice) -> Effect:
    """Roll plasma dice at a target: a point for each hit.

    A natural 6 is rolled again, and the re-roll ignores screens.

    Rules: Continuum "Plasma cannon" 5.5 [pc.plasma-cannon]
    """
    first_hits, reroll_hits = PLASMA_HITS[shot.screens], PLASMA_HITS[0]
    if shot.holofield:
        first_hits = reroll_hits = ONLY_SIXES
    elif shot.stern:
        first_hits, reroll_hits = (*NO_HITS, first_hits[6]), STERN_REROLLS
    rolled, hits = roll_dice(
        number,
        first_hits=first_hits,
        reroll_hits=reroll_hits,
        shot=shot,
        dice=dice,
        rerolls=shot.screens < NO_REROLL_LEVEL,
    )
    return Effect(rolled, damage_types=beam_damage(hits))


def fire_plasma_cannon(shot: Shot, dice: Dice) -> Effect:
    """Fire a plasma die for each class, one fewer in each further band of 12 MU.

    Rules: Continuum "Plasma cannon" 5.5 [pc.plasma-cannon]
    """
    return roll_plasma(dice_in_range(shot.size, shot.distance), shot, dice)


# 3 mass for each class; each additional arc adds as much mass as the class.
BOLT_CLASSES = range(1, 7)

SHAPED_BOLTS = Ordnance(
    "plasma-bolt",
    phrase("shaped plasma bolt"),
    PointDefenceTarget.PLASMA_BOLT,
    shaped_strike,
    strength=0,
    endless=True,
    needs=tuple(zip(PROJECTILE_BANDS[""], PROJECTILE_HITS_ON, strict=True)),
)
BOLTS = Ordnance(
    "plasma-bolt",
    phrase("plasma bolt"),
    PointDefenceTarget.PLASMA_BOLT,
    no_strike,
    strength=0,
    controlled=False,
    reach={STANDARD: (0.0, PLASMA_REACH)},
    bursts=plasma_blast,
    explodes_where_aimed=True,
    endless=True,
    shaped=SHAPED_BOLTS,
)

CONTINUUM = (
    Weapon(
        "plasma-cannon",
        fire_plasma_cannon,
        beam_reach,
        traits=(Trait.ENERGY,),
        system_prices=by_class(
            "plasma-cannon",
            title=phrase("Plasma cannon"),
            rule="pc.plasma-cannon",
            mounts=HEAVY,
            needs="plasma-cannon",
        ),
        builder=(BuilderName("weapons", "plasmaCannon"),),
    ),
    Weapon(
        "plasma-bolt",
        reach=fixed_reach(PROJECTILE_BANDS[""][-1]),
        ordnance=BOLTS,
        system_prices=tuple(
            SystemPrice(
                "plasma-bolt",
                f"Plasma bolt launcher {size}",
                "pc.plasma-bolts",
                size,
                mounts=one_arc(3 * size, mass_per_arc=size, most=3),
                rate=3,
                offensive=True,
                limit="plasma bolt launchers",
                needs=("plasma-bolts",),
            )
            for size in BOLT_CLASSES
        ),
        builder=(BuilderName("weapons", "pbl"),),
    ),
)
