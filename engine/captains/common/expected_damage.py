"""What a weapon may be expected to do, by range and by what its target hides behind.

Each is fired so many times by its own rule, with dice that show every face as often as any other.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from engine.core.dice import Dice
from engine.core.geometry import NEAR
from engine.core.kinds import HULL, PIERCING, SEMI
from engine.core.rolls import Shot
from engine.core.sheet import Fit
from engine.systems.defences import is_blurred
from engine.weapons.weapon import Weapon

STEP = 3.0  # MU of a step of range
STEPS = 18  # as far as FireCons reach
SHOTS = 48  # thrown for a mean by the step of range
THROWS = 36  # and for any other mean: every pair of faces once

# What is worth a point of damage beside points: a hit on electronics, a system shot out for good, a
# unit landed.
EMP_WORTH, NEEDLE_WORTH, LANDED_WORTH = 1.5, 5.0, 2.0


class DefenceProfile(NamedTuple):
    """The defences of a target, as dice meet them: see `engine.core.rolls.Shot`.

    `mass`, `velocity`: its own. `boarded`: people who come aboard it count, because that is agreed
    on.
    """

    screens: int = 0
    advanced: int = 0
    modifier: int = 0
    rerolls_modified: int = 0
    holofield: bool = False
    mass: int = 0
    velocity: int = 0
    counts_boarders: bool = False


class MeanEffect(NamedTuple):
    """The mean effect of one shot: points by how they go through armour, and what else it does."""

    plain: float = 0.0
    semi: float = 0.0
    piercing: float = 0.0
    other: float = 0.0

    def points_worth(self, shell: float) -> float:
        """Its worth in points, where the target has `shell` boxes of armour for each box of hull.

        What goes through armour ends a ship without having to wear the armour down first.
        """
        return (
            self.plain
            + self.semi * (1.0 + 0.5 * shell)
            + self.piercing * (1.0 + shell)
            + self.other
        )


NOTHING = MeanEffect()


class EvenDice(Dice):
    """Dice that show each face of a purpose once before any shows again: what they throw comes near
    the mean soon.
    """

    __slots__ = ("_bags",)

    def __init__(self) -> None:
        super().__init__("even")
        self._bags: dict[tuple[str, int], list[int]] = {}

    def roll(self, purpose: str, subject: str, sides: int = 6) -> int:  # noqa: ARG002 -- other dice use it
        """The next face of the purpose's bag, from 1 to `sides`; an empty bag is filled with every
        face again.
        """
        bag = self._bags.get((purpose, sides))
        if not bag:
            bag = self._bags[purpose, sides] = list(range(1, sides + 1))
        return bag.pop(int(self._random() * len(bag)))


@lru_cache(maxsize=16384)
def mean_effects(
    weapon: Weapon, fit: Fit, mode: str, defence: DefenceProfile
) -> tuple[MeanEffect, ...]:
    """The mean of a shot at each step of range, nearest first.

    `fit`: without what does not matter to its dice.

    Only as many steps as it reaches.
    """
    reach = weapon.reach(fit, mode)
    mean_list: list[MeanEffect] = []
    for step in range(STEPS):
        distance = (step + 0.5) * STEP
        if distance > reach:
            break
        mean_list.append(_mean(weapon, fit, mode, defence, distance))
    return tuple(mean_list)


def _mean(
    weapon: Weapon, fit: Fit, mode: str, defence: DefenceProfile, distance: float
) -> MeanEffect:
    assert weapon.fire is not None
    dice = EvenDice()
    size = int(distance / weapon.stage) if weapon.stage else fit.size
    plain = semi = piercing = 0
    other = 0.0
    for _ in range(SHOTS):
        shot = Shot(
            fit.type, distance, distance, size, fit.variant, fit.flags, mode,
            screens=defence.screens, advanced=defence.advanced, modifier=defence.modifier,
            rerolls_modified=defence.rerolls_modified, holofield=defence.holofield and is_blurred(distance),
            mass=defence.mass, velocity=defence.velocity,
        )  # fmt: skip
        effect = weapon.fire(shot, dice)
        for typed in effect.damage_types:
            if typed.kind == SEMI:
                semi += typed.points
            elif typed.kind in (PIERCING, HULL):
                piercing += typed.points
            else:
                plain += typed.points
        other += effect.emp * EMP_WORTH + effect.needled * NEEDLE_WORTH
        if defence.counts_boarders:
            other += (effect.landed + effect.brought) * LANDED_WORTH
    return MeanEffect(plain / SHOTS, semi / SHOTS, piercing / SHOTS, other / SHOTS)


def at_range(row: tuple[float, ...], distance: float) -> float:
    """The entry of a row by the MU for a distance, one exactly on a limit as the nearer; nothing
    beyond its end.
    """
    place = int(distance - NEAR)
    return row[place] if place < len(row) else 0.0
