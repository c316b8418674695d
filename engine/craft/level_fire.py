"""What craft do to ships where point defence goes by level: how their dice are read, and what each
hit does.

The band that a ship's point defence makes says what a die hits, in the place of what a type adds to
its dice; what a hit does stays what it is: a point of a beam or of cannon, a die of a torpedo.
Rules: Fighters by point defence level 1.4 [pdl.fighters]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.core.dice import Dice
from engine.core.kinds import PIERCING, SEMI
from engine.core.rolls import D3, D6, Effect, Shot, TypedDamage, plain_damage, roll_hit_damage
from engine.weapons.kinetics import PENETRATOR_POINTS

# What so many hits do to a ship: their dice of damage, and the damage.
Hits = Callable[[int, Shot, Dice], Effect]


@dataclass(frozen=True, slots=True)
class LevelFire:
    """How an armament fares against a ship that has a level of point defence.

    `hits`: what so many hits do. `lower`: bands lower than others read their dice. `rerolls`: a 6
    throws again, where the band lets it.
    """

    hits: Hits
    lower: int = 0
    rerolls: bool = True


def points(hits: int, _shot: Shot, _dice: Dice) -> Effect:
    """A point a hit; no hit goes past armour."""
    return Effect(damage_types=plain_damage(hits))


def penetrators(hits: int, _shot: Shot, _dice: Dice) -> Effect:
    """A penetrator's points a hit, each by itself."""
    return Effect(damage_types=(TypedDamage(PENETRATOR_POINTS, PIERCING),) * hits)


def warheads(hits: int, shot: Shot, dice: Dice) -> Effect:
    """A die a hit, each less by one for each level of advanced screens."""
    rolls, damage = roll_hit_damage((hits,), shot, dice, SEMI, D6)
    return Effect(
        damage=rolls,
        damage_types=tuple(TypedDamage(typed.points - shot.advanced, SEMI) for typed in damage),
    )


def grasers(hits: int, shot: Shot, dice: Dice) -> Effect:
    """A D3 a hit, each by itself."""
    rolls, damage = roll_hit_damage((hits,), shot, dice, SEMI, D3)
    return Effect(damage=rolls, damage_types=damage)


BY_BEAMS = LevelFire(points)
BY_ATTACK_BEAMS = LevelFire(points, lower=1)
BY_GRASERS = LevelFire(grasers)
BY_TORPEDOES = LevelFire(warheads, lower=1, rerolls=False)
BY_PENETRATORS = LevelFire(penetrators, rerolls=False)
