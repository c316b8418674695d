"""Mines and what lays them: minelayers of the second edition come with three; racks of Continuum do nothing yet."""

from __future__ import annotations

from engine.core.dice import Dice
from engine.pricelists.ware import SystemSpec, Ware
from engine.systems.defences import beam_points
from engine.weapons.weapon import BuilderName, Trait, Weapon

REACH = 3.0  # MU of a mine
MINE_DICE = 2
MINES_EACH = 3  # in a minelayer


def warhead(level: int, dice: Dice, subject: str) -> tuple[tuple[int, ...], int]:
    """A mine's two dice against screens of a level, read like a beam's: the dice and the damage points.

    Rules: 2E "Mines" [2e.mines]
    """
    thrown = tuple(dice.roll("mine", subject) for _ in range(MINE_DICE))
    points = beam_points(level)
    return thrown, sum(points[die] for die in thrown)


SECOND_EDITION = (
    Weapon(
        "minelayer",
        traits=(Trait.LAYS_MINES, Trait.HURTS_ALL),
        stock=MINES_EACH,
        specs=(SystemSpec("minelayer", "", "Minelayer with three mines", 3, 10, "2e.mines", expendable=True),),
    ),
)

CONTINUUM = (
    Weapon(
        "minelayer",
        traits=(Trait.LAYS_MINES, Trait.HURTS_ALL, Trait.IDLE),
        wares=(Ware("minelayer", "Mine rack", "pc.mines", mass=2, rate=3, holds="mine-rack", needs=("minelayers",)),),
        builder=(BuilderName("systems", "mineLayer"),),
    ),
)
