"""The coilgun, a weapon that is in no rulebook: the code of docs/tutorials/first-rule.md."""

from __future__ import annotations

from engine.core.dice import Dice
from engine.core.rolls import Effect, Shot, plain_damage
from engine.prices.system_price import SystemSpec
from engine.weapons.weapon import Weapon, fixed_reach

NEAR, FAR = 9.0, 18.0  # MU; a range exactly on the limit counts as nearer
HITS_NEAR, HITS_FAR = 3, 5  # the least die that hits
POINTS = 3  # damage of a hit; screens do not stop it


def coilgun(shot: Shot, dice: Dice) -> Effect:
    """Fire a coilgun at one target: roll a die to hit, and do 3 points of damage with a hit.

    Rules: House "Coilguns" [house.coilgun]
    """
    needed = HITS_NEAR if shot.distance <= NEAR else HITS_FAR
    die = dice.roll("to-hit", shot.subject)
    points = POINTS if die >= needed else 0
    return Effect((die,), damage_types=plain_damage(points), needed=needed)


SECOND_EDITION = (
    Weapon(
        "coilgun",
        coilgun,
        fixed_reach(FAR),
        #                type       model title   mass points rule
        specs=(
            SystemSpec("coilgun", "", "Coilgun", 2, 6, "house.coilgun", arcs="one", offensive=True),
        ),
        word="Coilgun",
    ),
)
