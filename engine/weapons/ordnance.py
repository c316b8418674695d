"""What launchers launch: how far it goes, what finds its target, and what it does there.

Rules: Continuum "Ordnance weapons" 6 [pc.salvo-missiles]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.core.dice import Dice
from engine.core.geometry import NEAR
from engine.core.kinds import SEMI
from engine.core.rolls import D3, D6, TypedDamage
from engine.core.sheet import Fit
from engine.weapons.guard import PointDefenceTarget

STANDARD, EXTENDED, TWO_STAGE = "standard", "extended", "two-stage"
LIGHT_MISSILE = "light"  # the grade of what light fighters launch: easier to shoot down
SALVO = 6  # missiles in one
STAGE = (16.0, 24.0)  # MU, at least and at most, of each stage of a missile that has two
# MU, at least and at most, from a launcher to where a missile is aimed, by its grade.
MISSILE_REACH: Mapping[str, tuple[float, float]] = {
    STANDARD: (0.0, 24.0),
    EXTENDED: (0.0, 36.0),
    TWO_STAGE: STAGE,
}
ROCKET_NEEDS = ((6.0, 2), (12.0, 3), (18.0, 4))  # the die by which a rocket hits, to so many MU
PLASMA_REACH, PLASMA_RADIUS = 30.0, 6.0  # MU to where a bolt goes off, and of its blast
ANTIMATTER_REACH = 18.0  # MU to where an antimatter missile is aimed
# Dice of a whole warhead within so many MU.
WARHEAD: tuple[tuple[float, int], ...] = ((1.0, 3), (2.0, 2), (3.0, 1))
OPEN = "open"  # the fuse of a warhead that goes off where it is aimed, and not at a target
LOCK_ON = 6.0  # MU from its point of aim within which ordnance finds a ship
LOCK_ON_VECTOR = 3.0  # a ship that moves by vectors
HEAVY_DICE = 3  # of one heavy missile, together one hit


class Strike(NamedTuple):
    """What ordnance did to a ship that it reached: the dice of its damage, and the damage."""

    dice: tuple[int, ...]
    damage_types: tuple[TypedDamage, ...]


# (how many of it get through, levels of advanced screens, whose dice they are, the dice, how many
# dice fewer one heavy missile or bolt has)
Strikes = Callable[[int, int, str, Dice, int], Strike]


def salvo_strike(through: int, advanced: int, subject: str, dice: Dice, _fewer: int = 0) -> Strike:
    """A die of semi-armour piercing damage a missile, each a hit of its own; advanced screens take
    one off each die for each level.

    Rules: Continuum "Damage" 6.5 [pc.salvo-missiles]; Continuum "Advanced screens" 7.3
    [pc.advanced-screens]
    """
    return _hits(through, D6, advanced, subject, dice)


def rocket_strike(through: int, advanced: int, subject: str, dice: Dice, _fewer: int = 0) -> Strike:
    """A D3 of semi-armour piercing damage a rocket.

    Rules: Continuum "Rocket pods" 6.7 [pc.rocket-pods]
    """
    return _hits(through, D3, advanced, subject, dice)


def _hits(number: int, table: tuple[int, ...], advanced: int, subject: str, dice: Dice) -> Strike:
    rolled = tuple(dice.roll("damage", subject) for _ in range(number))
    points = (max(table[die] - advanced, 0) for die in rolled)
    return Strike(rolled, tuple(TypedDamage(each, SEMI) for each in points if each))


def heavy_strike(through: int, advanced: int, subject: str, dice: Dice, fewer: int = 0) -> Strike:
    """Three dice, together one hit of semi-armour piercing damage; advanced screens take one off
    each die for each level.

    Rules: Continuum "Damage" 6.5 [pc.heavy-missiles]; Continuum "Advanced screens" 7.3
    [pc.advanced-screens]
    """
    rolled = tuple(dice.roll("damage", subject) for _ in range((HEAVY_DICE - fewer) * through))
    points = sum(max(die - advanced, 0) for die in rolled)
    return Strike(rolled, (TypedDamage(points, SEMI),) if points else ())


def shaped_strike(through: int, advanced: int, subject: str, dice: Dice, fewer: int = 0) -> Strike:
    """A D3 for each class that is left, together one hit of semi-armour piercing damage; advanced
    screens take one off each for each level, standard ones nothing.

    Rules: Continuum "Plasma bolt launchers" 6.8 [pc.plasma-bolts]
    """
    rolled = tuple(dice.roll("damage", subject) for _ in range(max(through - fewer, 0)))
    points = sum(max(D3[die] - advanced, 0) for die in rolled)
    return Strike(rolled, (TypedDamage(points, SEMI),) if points else ())


# Dice of damage that what is left of a marker has for what is so many MU from where it goes off.
Bursts = Callable[[int, float], int]


def plasma_blast(remaining: int, distance: float) -> int:
    """A die for each class that is left, within 6 MU.

    Rules: Continuum "Plasma bolt launchers" 6.8 [pc.plasma-bolts]
    """
    return remaining if distance <= PLASMA_RADIUS + NEAR else 0


def antimatter_blast(remaining: int, distance: float) -> int:
    """As many dice as are left of the warhead's three within 1 MU, one fewer for each MU further.

    Rules: Continuum "Antimatter missiles" 6.6 [pc.antimatter-missile]
    """
    full_dice = next((dice for limit, dice in WARHEAD if distance <= limit + NEAR), 0)
    return max(full_dice - (WARHEAD[0][1] - remaining), 0)


def no_strike(_through: int, _advanced: int, _subject: str, _dice: Dice, _fewer: int = 0) -> Strike:
    """It does its damage by going off."""
    return Strike((), ())


@dataclass(frozen=True, slots=True, eq=False)
class Ordnance:
    """A kind of ordnance, of the row of the weapon that launches it.

    `kind`: what a marker of it is called in documents; `word`: on pages. `quarry`: what point
    defence takes it for. `strength`: how many hits of point defence there are to it (missiles of a
    salvo), 0: as many as its launcher's class. `reach`: MU, at least and at most, from its launcher
    to its point of aim, by grade. `strikes`: what of it that gets through does. `counted`: a die
    says how many of it find their target. `controlled`: its launch takes a working FireCon.
    `needs`: launched at a ship and not at a point, each of it hits on such a die there and then, by
    MU (far end of a band, die); no lock-on is asked. `bursts`: it goes off, and hurts all about it;
    where it lies (`by_itself`, or fused to), or at its target; `clears_mines`: mines too.
    `endless`: its launcher holds nothing that is used up, but rests for a turn. `shaped`: what it
    is where it is launched at a ship instead, as plots must say. `at_boats`: what is launched at
    ships may be at gunboats too.
    Rules: Continuum "Ordnance weapons" 6 [pc.salvo-missiles] [pc.heavy-missiles]
    """

    kind: str
    word: str
    defence_target: PointDefenceTarget
    strikes: Strikes
    strength: int = 1
    has_rolled_number: bool = False
    controlled: bool = True
    reach: Mapping[str, tuple[float, float]] = field(default_factory=lambda: MISSILE_REACH)
    needs: tuple[tuple[float, int], ...] = ()
    bursts: Bursts | None = None
    by_itself: bool = False
    clears_mines: bool = False
    endless: bool = False
    shaped: Ordnance | None = None
    at_boats: bool = False

    def needed(self, distance: float) -> int:
        """The die that hits at so many MU. Raises StopIteration beyond its reach."""
        return next(die for far, die in self.needs if distance <= far + NEAR)


def grade_of(fit: Fit) -> str:
    """The grade of what a rack holds: its model.

    Rules: Continuum "Mountings and magazines" 6.6 [pc.heavy-missiles]
    """
    return fit.variant or STANDARD
