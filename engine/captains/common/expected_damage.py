"""The expected effect of a weapon, by range and by the target's defences.

Each weapon is fired many times by its own rule, with dice that show every face equally often.
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

STEP = 3.0  # MU in a step of range
STEPS = 18  # the reach of FireCons
SHOTS = 48  # samples for a mean at one step of range
THROWS = 36  # samples for any other mean: every pair of faces once

# Worth in damage points of other effects.
EMP_WORTH = 1.5  # a hit on electronics
NEEDLE_WORTH = 5.0  # a system destroyed for good
LANDED_WORTH = 2.0  # a unit landed


class DefenceProfile(NamedTuple):
    """The defences of a target as they affect dice; see `engine.core.rolls.Shot`.

    Attributes:
        mass: The target's own MASS.
        velocity: The target's own velocity.
        counts_boarders: Boarders who land count, because the battle has boarding.
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
    """The mean effect of one shot: points by how they go through armour, and other effects."""

    plain: float = 0.0
    semi: float = 0.0
    piercing: float = 0.0
    other: float = 0.0

    def points_worth(self, armour_ratio: float) -> float:
        """Return its worth in points at a target with so many boxes of armour per box of hull.

        Points that ignore armour count more, because the armour need not be destroyed first.
        """
        return (
            self.plain
            + self.semi * (1.0 + 0.5 * armour_ratio)
            + self.piercing * (1.0 + armour_ratio)
            + self.other
        )


NOTHING = MeanEffect()


class EvenDice(Dice):
    """Dice that show each face once before any face comes again, so means converge quickly.

    Each purpose and number of sides has its own faces.
    """

    __slots__ = ("_bags",)

    def __init__(self) -> None:
        super().__init__("even")
        self._bags: dict[tuple[str, int], list[int]] = {}

    def roll(self, purpose: str, subject: str, sides: int = 6) -> int:  # noqa: ARG002 -- other dice use it
        """Draw from the purpose's bag of faces 1 to `sides`; refill it when it is empty."""
        bag = self._bags.get((purpose, sides))
        if not bag:
            bag = self._bags[purpose, sides] = list(range(1, sides + 1))
        return bag.pop(int(self._random() * len(bag)))


@lru_cache(maxsize=16384)
def mean_effects(
    weapon: Weapon, fit: Fit, mode: str, defence: DefenceProfile
) -> tuple[MeanEffect, ...]:
    """Return the mean effect of a shot at each step of range within reach, nearest first.

    Args:
        fit: The system, without anything that does not affect its dice.
    """
    reach = weapon.reach(fit, mode)
    mean_list: list[MeanEffect] = []
    for step in range(STEPS):
        distance = (step + 0.5) * STEP
        if distance > reach:
            break
        mean_list.append(_mean(weapon, fit, mode, defence, distance=distance))
    return tuple(mean_list)


def _mean(
    weapon: Weapon, fit: Fit, mode: str, defence: DefenceProfile, distance: float
) -> MeanEffect:
    """Return the mean effect of a shot at one distance in MU."""
    assert weapon.fire is not None
    dice = EvenDice()
    if weapon.stage:
        size = int(distance / weapon.stage)
    else:
        size = fit.size
    plain = semi = piercing = 0
    other = 0.0
    for _ in range(SHOTS):
        shot = Shot(
            subject=fit.type,
            distance=distance,
            true_distance=distance,
            size=size,
            variant=fit.variant,
            flags=fit.flags,
            mode=mode,
            screens=defence.screens,
            advanced=defence.advanced,
            modifier=defence.modifier,
            rerolls_modified=defence.rerolls_modified,
            holofield=defence.holofield and is_blurred(distance),
            mass=defence.mass,
            velocity=defence.velocity,
        )
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
            other += (effect.units_landed + effect.marines_landed) * LANDED_WORTH
    return MeanEffect(plain / SHOTS, semi / SHOTS, piercing / SHOTS, other / SHOTS)


def at_range(row: tuple[float, ...], distance: float) -> float:
    """Return the entry for a distance in a row by MU; 0 beyond its end."""
    place = int(distance - NEAR)
    if place < len(row):
        return row[place]
    return 0.0
