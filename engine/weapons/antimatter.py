"""Antimatter explosions: suicide charges, and missiles with the same warhead.

Rules: Continuum "Antimatter suicide charge" 7.9 [pc.suicide-charge]
"""

from __future__ import annotations

from engine.core.dice import Dice
from engine.core.geometry import NEAR
from engine.core.phrase import phrase
from engine.prices.system_price import MISSILES, SystemPrice, three_arcs
from engine.weapons.guard import PointDefenceTarget
from engine.weapons.ordnance import (
    ANTIMATTER_REACH,
    STANDARD,
    WARHEAD,
    Ordnance,
    antimatter_blast,
    no_strike,
)
from engine.weapons.weapon import BuilderName, Trait, Weapon

AT_THE_CORE = 3  # dice of a charge against its own ship
EXPLODES_ON = 5  # the die for a damaged charge at the end of a turn


def blast_dice(distance: float, charges: int) -> int:
    """Return the damage dice of exploding charges at a distance in MU; 0 beyond 3 MU.

    Rules: Continuum "Antimatter suicide charge" 7.9 [pc.suicide-charge]
    """
    return next((dice * charges for limit, dice in WARHEAD if distance <= limit + NEAR), 0)


def roll_explosion(
    number: int, screens: int, dice: Dice, subject: str
) -> tuple[tuple[int, ...], int]:
    """Roll an explosion's dice against a ship, and return the dice and the damage points.

    Each level of screens subtracts one from each die.

    Rules: Continuum "Antimatter missiles" 6.6 [pc.suicide-charge]
    """
    rolled = tuple(dice.roll("damage", subject) for _ in range(number))
    return rolled, sum(max(die - screens, 0) for die in rolled)


ANTIMATTER = Ordnance(
    "antimatter",
    phrase("antimatter missile"),
    PointDefenceTarget.HEAVY_MISSILE,
    no_strike,
    strength=WARHEAD[0][1],
    reach={STANDARD: (0.0, ANTIMATTER_REACH)},
    bursts=antimatter_blast,
    clears_mines=True,
)

CONTINUUM = (
    Weapon(
        "suicide-charge",
        traits=(Trait.SUICIDE, Trait.BLOWS_UP, Trait.BURIED),
        system_prices=(
            SystemPrice(
                "suicide-charge",
                "Antimatter suicide charge",
                "pc.suicide-charge",
                mass=1,
                points=5,
                needs=("suicide-charge",),
            ),
        ),
        builder=(BuilderName("systems", "suicide"),),
    ),
    Weapon(
        "antimatter-missile",
        group=MISSILES,
        ordnance=ANTIMATTER,
        once=True,
        stock=1,
        traits=(Trait.LOCKS_ON, Trait.EXPLODES),
        system_prices=(
            SystemPrice(
                "antimatter-missile",
                "Antimatter missile",
                "pc.antimatter-missile",
                mounts=three_arcs(2),
                rate=5,
                offensive=True,
                expendable=True,
                needs=("antimatter-missiles",),
            ),
        ),
        builder=(BuilderName("ordnance", "amt"),),
    ),
)
