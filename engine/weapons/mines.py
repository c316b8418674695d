"""Mines and the systems that lay them.

Minelayers of the second edition hold three, mine racks of Continuum as many as were bought.
"""

from __future__ import annotations

from engine.core.dice import Dice
from engine.core.phrase import phrase
from engine.core.rolls import Shot, TypedDamage, beam_damage, roll_beams
from engine.prices.system_price import MINES, SystemPrice, SystemSpec
from engine.systems.defences import beam_points
from engine.weapons.weapon import BuilderName, Trait, Weapon

REACH = 3.0  # MU of a mine
MINE_DICE = 2
DETONATION_DICE = 4  # of a mine of Continuum
MINES_EACH = 3  # in a minelayer


def roll_warhead(level: int, dice: Dice, subject: str) -> tuple[tuple[int, ...], int]:
    """Roll a mine's two beam dice against screens, and return the dice and the damage points.

    Rules: 2E "Mines" [2e.mines]
    """
    rolled = tuple(dice.roll("mine", subject) for _ in range(MINE_DICE))
    points = beam_points(level)
    return rolled, sum(points[die] for die in rolled)


def roll_detonation(
    level: int, dice: Dice, subject: str
) -> tuple[tuple[int, ...], tuple[TypedDamage, ...]]:
    """Roll a mine's four beam dice with re-rolls against screens, and return dice and damage.

    Rules: Continuum "Mines and mine racks" 6.9 [pc.mines]
    """
    rolled, hits = roll_beams(
        DETONATION_DICE, Shot(subject, 0.0, 0.0, screens=level, purpose="mine"), dice
    )
    return rolled, beam_damage(hits)


SECOND_EDITION = (
    Weapon(
        "minelayer",
        group=MINES,
        traits=(Trait.LAYS_MINES, Trait.HURTS_ALL),
        stock=MINES_EACH,
        specs=(
            SystemSpec(
                "minelayer",
                variant="",
                title=phrase("Minelayer with three mines"),
                mass=3,
                points=10,
                rule="2e.mines",
                expendable=True,
            ),
        ),
    ),
)

CONTINUUM = (
    Weapon(
        "minelayer",
        group=MINES,
        traits=(Trait.LAYS_MINES, Trait.HURTS_ALL),
        system_prices=(
            SystemPrice(
                "minelayer",
                "Mine rack",
                "pc.mines",
                mass=2,
                rate=3,
                holds="mine-rack",
                needs=("minelayers",),
            ),
        ),
        builder=(BuilderName("systems", "mineLayer"),),
    ),
)
