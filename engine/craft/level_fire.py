"""Fire of craft at ships where point defence is by level.

The ship's point defence gives a band, which decides what each die hits; the modifiers of the types
do not apply. The damage of a hit stays the same: a point of a beam or cannon, a die of a torpedo.
Rules: Fighters by point defence level 1.4 [pdl.fighters]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.core.dice import Dice
from engine.core.kinds import PIERCING, SEMI
from engine.core.rolls import D3, D6, Effect, Shot, TypedDamage, plain_damage, roll_hit_damage
from engine.weapons.kinetics import PENETRATOR_POINTS

# The effect of a number of hits on a ship: the damage dice, and the damage.
Hits = Callable[[int, Shot, Dice], Effect]


@dataclass(frozen=True, slots=True)
class LevelFire:
    """How an armament fares against a ship with a level of point defence.

    Attributes:
        hits: The effect of a number of hits.
        lower: How many bands lower than usual its dice are read.
        rerolls: A 6 is rolled again, if the band allows it.
    """

    hits: Hits
    lower: int = 0
    rerolls: bool = True


def points(hits: int, _shot: Shot, _dice: Dice) -> Effect:
    """Return one point per hit; none ignores armour."""
    return Effect(damage_types=plain_damage(hits))


def penetrators(hits: int, _shot: Shot, _dice: Dice) -> Effect:
    """Return a penetrator's points for each hit separately."""
    return Effect(damage_types=(TypedDamage(PENETRATOR_POINTS, PIERCING),) * hits)


def warheads(hits: int, shot: Shot, dice: Dice) -> Effect:
    """Roll a die per hit, less one point for each level of advanced screens."""
    rolls, damage = roll_hit_damage(hits=(hits,), shot=shot, dice=dice, kind=SEMI, table=D6)
    reduced = [TypedDamage(typed.points - shot.advanced, SEMI) for typed in damage]
    return Effect(damage=rolls, damage_types=tuple(reduced))


def grasers(hits: int, shot: Shot, dice: Dice) -> Effect:
    """Roll a D3 for each hit separately."""
    rolls, damage = roll_hit_damage(hits=(hits,), shot=shot, dice=dice, kind=SEMI, table=D3)
    return Effect(damage=rolls, damage_types=damage)


def electronics(hits: int, _shot: Shot, _dice: Dice) -> Effect:
    """Return the hits as hits on electronics."""
    return Effect(emp=hits)


BY_BEAMS = LevelFire(points)
BY_EMP = LevelFire(electronics)
BY_NEEDLES = LevelFire(points, rerolls=False)
BY_ATTACK_BEAMS = LevelFire(points, lower=1)
BY_GRASERS = LevelFire(grasers)
BY_TORPEDOES = LevelFire(warheads, lower=1, rerolls=False)
BY_PENETRATORS = LevelFire(penetrators, rerolls=False)
