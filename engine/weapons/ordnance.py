"""Ordnance: its range, how it finds its target, and its damage.

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
LIGHT_MISSILE = "light"  # the grade of light fighters' missiles, which are easier to shoot down
SALVO = 6  # missiles in a salvo
STAGE = (16.0, 24.0)  # MU, at least and at most, of each stage of a two-stage missile
# MU, at least and at most, from a launcher to the point of aim, by grade.
MISSILE_REACH: Mapping[str, tuple[float, float]] = {
    STANDARD: (0.0, 24.0),
    EXTENDED: (0.0, 36.0),
    TWO_STAGE: STAGE,
}
ROCKET_NEEDS = ((6.0, 2), (12.0, 3), (18.0, 4))  # (MU, die with which a rocket hits)
PLASMA_REACH, PLASMA_RADIUS = 30.0, 6.0  # MU to a bolt's point of aim, and of its blast
ANTIMATTER_REACH = 18.0  # MU to an antimatter missile's point of aim
# The dice of an undamaged warhead, by distance in MU.
WARHEAD: tuple[tuple[float, int], ...] = ((1.0, 3), (2.0, 2), (3.0, 1))
OPEN = "open"  # the fuse of a warhead that explodes at its point of aim, not at a target
LOCK_ON = 6.0  # MU from its point of aim within which ordnance finds a ship
LOCK_ON_VECTOR = 3.0  # the same for a ship that moves by vectors
HEAVY_DICE = 3  # of one heavy missile, together one hit


class Strike(NamedTuple):
    """The damage of ordnance to a ship that it reached, and the dice."""

    dice: tuple[int, ...]
    damage_types: tuple[TypedDamage, ...]


# (how many get through, levels of advanced screens, subject of the dice, dice, by how many dice one
# heavy missile or bolt is reduced)
StrikeFunction = Callable[[int, int, str, Dice, int], Strike]


def salvo_strike(through: int, advanced: int, subject: str, dice: Dice, _fewer: int = 0) -> Strike:
    """Roll one die of semi-armour piercing damage for each missile, each a separate hit.

    Each level of advanced screens subtracts one from each die.

    Rules: Continuum "Damage" 6.5 [pc.salvo-missiles]; Continuum "Advanced screens" 7.3
    [pc.advanced-screens]
    """
    return _hits(through, table=D6, advanced=advanced, subject=subject, dice=dice)


def rocket_strike(through: int, advanced: int, subject: str, dice: Dice, _fewer: int = 0) -> Strike:
    """Roll a D3 of semi-armour piercing damage for each rocket.

    Rules: Continuum "Rocket pods" 6.7 [pc.rocket-pods]
    """
    return _hits(through, table=D3, advanced=advanced, subject=subject, dice=dice)


def _hits(number: int, table: tuple[int, ...], advanced: int, subject: str, dice: Dice) -> Strike:
    """Roll a die of damage for each of these hits.

    Args:
        table: The points of a die.
        advanced: Levels of advanced screens, each of which subtracts one.
    """
    rolled = tuple(dice.roll("damage", subject) for _ in range(number))
    points = (max(table[die] - advanced, 0) for die in rolled)
    return Strike(rolled, tuple(TypedDamage(each, SEMI) for each in points if each))


def heavy_strike(through: int, advanced: int, subject: str, dice: Dice, fewer: int = 0) -> Strike:
    """Roll three dice that together make one hit of semi-armour piercing damage.

    Each level of advanced screens subtracts one from each die.

    Rules: Continuum "Damage" 6.5 [pc.heavy-missiles]; Continuum "Advanced screens" 7.3
    [pc.advanced-screens]
    """
    rolled = tuple(dice.roll("damage", subject) for _ in range((HEAVY_DICE - fewer) * through))
    points = sum(max(die - advanced, 0) for die in rolled)
    return Strike(rolled, (TypedDamage(points, SEMI),) if points else ())


def shaped_strike(through: int, advanced: int, subject: str, dice: Dice, fewer: int = 0) -> Strike:
    """Roll a D3 for each class that is left, together one hit of semi-armour piercing damage.

    Each level of advanced screens subtracts one from each die; standard screens have no effect.

    Rules: Continuum "Plasma bolt launchers" 6.8 [pc.plasma-bolts]
    """
    rolled = tuple(dice.roll("damage", subject) for _ in range(max(through - fewer, 0)))
    points = sum(max(D3[die] - advanced, 0) for die in rolled)
    return Strike(rolled, (TypedDamage(points, SEMI),) if points else ())


# The damage dice of a marker's remaining strength at a distance in MU from the explosion.
BlastDice = Callable[[int, float], int]


def plasma_blast(remaining: int, distance: float) -> int:
    """Return one die for each class that is left, within 6 MU.

    Rules: Continuum "Plasma bolt launchers" 6.8 [pc.plasma-bolts]
    """
    if distance <= PLASMA_RADIUS + NEAR:
        return remaining
    return 0


def antimatter_blast(remaining: int, distance: float) -> int:
    """Return the warhead's remaining dice within 1 MU, one fewer for each further MU.

    Rules: Continuum "Antimatter missiles" 6.6 [pc.antimatter-missile]
    """
    full_dice = next((dice for limit, dice in WARHEAD if distance <= limit + NEAR), 0)
    return max(full_dice - (WARHEAD[0][1] - remaining), 0)


def no_strike(_through: int, _advanced: int, _subject: str, _dice: Dice, _fewer: int = 0) -> Strike:
    """Return no damage, for ordnance that does its damage by exploding."""
    return Strike((), ())


@dataclass(frozen=True, slots=True, eq=False)
class Ordnance:
    """A kind of ordnance, in the row of the weapon that launches it.

    Attributes:
        kind: The word for its markers in documents.
        word: The word for it on pages.
        defence_target: Its kind as a target of point defence.
        strikes: Rolls the damage of what gets through.
        strength: The hits it can absorb (missiles of a salvo); 0 means its launcher's class.
        has_rolled_number: Whether a die decides how many find their target.
        controlled: Whether a launch needs a working FireCon.
        reach: MU, at least and at most, from the launcher to the point of aim, by grade.
        needs: (far end of a band in MU, die) for ordnance that is launched at a ship and hits at
            once with that die, without lock-on.
        bursts: Its explosion, if it hurts everything around it.
        explodes_where_aimed: Whether it explodes at its point of aim; other ordnance does so only
            with the fuse OPEN, else at its target.
        clears_mines: Whether its explosion destroys mines.
        endless: Whether its launcher needs no ammunition but rests for a turn.
        shaped: The ordnance it becomes if a plot says that it is fired at a ship.
        at_boats: Whether it may be launched at gunboats as well as at ships.

    Rules: Continuum "Ordnance weapons" 6 [pc.salvo-missiles] [pc.heavy-missiles]
    """

    kind: str
    word: str
    defence_target: PointDefenceTarget
    strikes: StrikeFunction
    strength: int = 1
    has_rolled_number: bool = False
    controlled: bool = True
    reach: Mapping[str, tuple[float, float]] = field(default_factory=lambda: MISSILE_REACH)
    needs: tuple[tuple[float, int], ...] = ()
    bursts: BlastDice | None = None
    explodes_where_aimed: bool = False
    clears_mines: bool = False
    endless: bool = False
    shaped: Ordnance | None = None
    at_boats: bool = False

    def needed(self, distance: float) -> int:
        """Return the die that hits at this distance in MU.

        Raises:
            StopIteration: Beyond its range.
        """
        return next(die for far, die in self.needs if distance <= far + NEAR)


def grade_of(fit: Fit) -> str:
    """Return the grade of a rack's contents: its model.

    Rules: Continuum "Mountings and magazines" 6.6 [pc.heavy-missiles]
    """
    return fit.variant or STANDARD
