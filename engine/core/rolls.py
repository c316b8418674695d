"""Dice that many rules share: beam dice with re-rolls, projectiles by range, damage, initiative.

A `Shot` is prepared by `engine.combat` from range, arc and the target's defences before the weapon
rolls its dice.

Rules: Continuum "Die roll modifiers" 1.7 [pc.dice-modifiers]; 2E "Sequence of play" [2e.sequence]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.core.dice import Dice
from engine.core.geometry import NEAR
from engine.core.kinds import PLAIN, DamageType

# Hits of a beam die at each level of screens; index 0 is unused. Level 3 allows no re-rolls.
BEAM_HITS: tuple[tuple[int, ...], ...] = (
    #  1  2  3  4  5  6
    (0, 0, 0, 0, 1, 1, 2),  # unscreened
    (0, 0, 0, 0, 0, 1, 2),  # level 1
    (0, 0, 0, 0, 0, 1, 1),  # level 2
    (0, 0, 0, 0, 0, 1, 1),  # level 3
)
NO_REROLL_LEVEL = 3
MAX_COVER = 2  # most levels of area screens over craft that modify dice
# Craft that a die kills at each level of screens, by its kills of unscreened craft. Point defence
# dice work like beam dice, those of class 1 beams like beam dice that show one less.
KILLS_THROUGH_SCREENS: dict[tuple[int, ...], tuple[tuple[int, ...], ...]] = {
    (0, 0, 0, 0, 1, 1, 2): BEAM_HITS,
    (0, 0, 0, 0, 0, 1, 1): (
        (0, 0, 0, 0, 0, 1, 1),
        (0, 0, 0, 0, 0, 0, 1),
        (0, 0, 0, 0, 0, 0, 1),
        (0, 0, 0, 0, 0, 0, 1),
    ),
}
HOLOFIELD_HITS = (0, 0, 0, 0, 0, 1, 1)  # of any die at a ship in a holofield, also of re-rolls
ONLY_SIXES = (0, 0, 0, 0, 0, 0, 1)  # of a first die through the stern with enhanced sensors
STERN_REROLLS = (0, 0, 0, 0, 0, 1, 2)  # of its re-rolls

# The die that hits in each range band of a projectile weapon, and the far ends of the bands in MU
# by the reach of the weapon.
PROJECTILE_HITS_ON = (2, 3, 4, 5, 6)
PROJECTILE_BANDS: dict[str, tuple[float, ...]] = {
    "": (6.0, 12.0, 18.0, 24.0, 30.0),
    "long": (9.0, 18.0, 27.0, 36.0, 45.0),
    "short": (4.0, 8.0, 12.0, 16.0, 20.0),
}

# A die as rolled, and as a D3.
D6 = (0, 1, 2, 3, 4, 5, 6)
D3 = (0, 1, 1, 2, 2, 3, 3)

Rolls = list[tuple[str, int]]


@dataclass(slots=True)
class Shot:
    """A weapon about to roll its dice at one target.

    Attributes:
        subject: The subject of its dice (`engine.core.dice`).
        distance: MU that count for range bands, after stealth and cloaks.
        true_distance: MU as measured.
        size: The class of the weapon.
        variant: The variant of the weapon.
        flags: The upgrades of the weapon.
        mode: The mode in which it was ordered to fire.
        screens: Levels of screens that beam dice meet, 0 to 3.
        advanced: How many of them are advanced, 0 to 2; these also reduce damage dice.
        modifier: Modifier of dice that hit, not of re-rolls.
        rerolls_modified: Modifier of re-rolls; only cloaks have one.
        holofield: A holofield blurs this shot.
        stern: Fire through the stern with enhanced sensors: only sixes hit.
        mass: Mass of the target.
        velocity: Velocity of the target.
        no_sensors: It aims at a system that its ship's sensors do not find.
        small: The target is no ship and has no mass that counts.
        purpose: The purpose of beam dice and of dice at craft.
        covered: Levels of area screens over craft: each of the first two subtracts 1 from dice that
            hit, not from re-rolls; the third prevents re-rolls.
    """

    subject: str
    distance: float
    true_distance: float
    size: int = 0
    variant: str = ""
    flags: tuple[str, ...] = ()
    mode: str = ""
    screens: int = 0
    advanced: int = 0
    modifier: int = 0
    rerolls_modified: int = 0
    holofield: bool = False
    stern: bool = False
    mass: int = 0
    velocity: int = 0
    no_sensors: bool = False
    small: bool = False
    purpose: str = "beam"
    covered: int = 0


@dataclass(frozen=True, slots=True)
class TypedDamage:
    """Damage points of one type.

    Attributes:
        kind: How the damage passes armour.
        depth: How many layers of armour its re-rolls have already passed.
    """

    points: int
    kind: DamageType = PLAIN
    depth: int = 0


# Built once because most shots need one of them.
_PLAIN_DAMAGE = ((), *((TypedDamage(points),) for points in range(1, 19)))


def plain_damage(points: int) -> tuple[TypedDamage, ...]:
    """Return this many points of plain damage; empty for 0 points."""
    if points < len(_PLAIN_DAMAGE):
        return _PLAIN_DAMAGE[points]
    return (TypedDamage(points),)


@dataclass(slots=True)
class Effect:
    """The effect of a weapon's fire.

    Attributes:
        dice: Dice rolled to hit, each followed by its re-rolls.
        damage: Dice rolled for damage.
        needed: The die on which a projectile hits; 0 for beam dice.
        emp: Hits on electronics.
        needled: The targeted system is out.
        units_landed: Boarders beamed aboard.
        marines_landed: Marines that come with the projectile.
        units_lost: Boarders of the firing ship that do not return.
        craft: Craft of a group that are hit.
        wrecks_weapon: The weapon itself is wrecked.
        energy: Fire of a kind that a reflex field may reflect.
    """

    dice: tuple[int, ...] = ()
    damage: tuple[int, ...] = ()
    damage_types: tuple[TypedDamage, ...] = ()
    needed: int = 0
    emp: int = 0
    needled: bool = False
    units_landed: int = 0
    marines_landed: int = 0
    units_lost: int = 0
    craft: int = 0
    wrecks_weapon: bool = False
    energy: bool = False


def range_band(distance: float, limits: tuple[float, ...]) -> int:
    """Return the index of the range band in MU, -1 beyond all of them.

    A range exactly on a limit is in the nearer band.

    Rules: Continuum "Range bands" 4.3 [pc.beams]
    """
    for index, limit in enumerate(limits):
        if distance <= limit + NEAR:
            return index
    return -1


def dice_in_range(size: int, distance: float, width: float = 12.0) -> int:
    """Return the dice of a weapon: its class in the first band, one fewer in each further band.

    Args:
        width: Width of a band in MU.

    Rules: Continuum "Beam fire" 4.5 [pc.beams]
    """
    bands = 0
    while distance > (bands + 1) * width + NEAR:
        bands += 1
    return max(size - bands, 0)


def clamp_die(die: int, modifier: int) -> int:
    """Return a die with its modifier, at least 1 and at most 6.

    Rules: Continuum "Die roll modifiers" [pc.dice-modifiers]
    """
    if modifier:
        return min(max(die + modifier, 1), 6)
    return die


def roll_beams(
    number: int, shot: Shot, dice: Dice, *, rerolls: bool = True, screens: int | None = None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Roll beam dice with their re-rolls.

    A natural 6 is re-rolled, past all screens. Level 3 screens allow no re-rolls.

    Args:
        screens: Levels that these dice meet, if they differ from those of the shot.

    Returns:
        The dice, each followed by its re-rolls; and the hits by depth: first dice, re-rolls,
        re-rolls of re-rolls.

    Rules: Continuum "Re-rolls" 4.6 [pc.beams]; Continuum "Defensive screens" 4.7 [pc.screens]
    """
    level = shot.screens if screens is None else screens
    first_hits, reroll_hits = BEAM_HITS[level], BEAM_HITS[0]
    if shot.holofield:
        first_hits = reroll_hits = HOLOFIELD_HITS
    elif shot.stern:
        first_hits, reroll_hits = ONLY_SIXES, STERN_REROLLS
    return roll_dice(
        number,
        first_hits=first_hits,
        reroll_hits=reroll_hits,
        shot=shot,
        dice=dice,
        rerolls=rerolls and level < NO_REROLL_LEVEL,
    )


def roll_dice(
    number: int,
    first_hits: tuple[int, ...],
    reroll_hits: tuple[int, ...],
    shot: Shot,
    dice: Dice,
    *,
    rerolls: bool,
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Roll dice that give numbers of hits.

    Args:
        first_hits: Hits by the number on a first die.
        reroll_hits: Hits by the number on a re-roll; a natural 6 earns one.

    Returns:
        The dice and the hits by depth, as `roll_beams`.

    Rules: Continuum "Re-rolls" 4.6 [pc.beams]
    """
    rolled: list[int] = []
    hits = [0]
    modifier = shot.modifier
    if shot.covered:
        modifier -= min(shot.covered, MAX_COVER)
        rerolls = rerolls and shot.covered < NO_REROLL_LEVEL
    for _ in range(number):
        die = dice.roll(shot.purpose, shot.subject)
        rolled.append(die)
        hits[0] += first_hits[clamp_die(die, modifier)]
        depth = 0
        while die == 6 and rerolls:
            die = dice.roll("re-roll", shot.subject)
            rolled.append(die)
            depth += 1
            if depth == len(hits):
                hits.append(0)
            hits[depth] += reroll_hits[clamp_die(die, shot.rerolls_modified)]
    return tuple(rolled), tuple(hits)


def kills_through_screens(kills: tuple[int, ...], screens: int) -> tuple[int, ...]:
    """Return the kills of craft by die through levels of screens.

    Args:
        kills: The kills by die without screens.

    Rules: Continuum "Area screens" 7.16 [pc.area-screens]
    """
    if screens:
        return KILLS_THROUGH_SCREENS[kills][screens]
    return kills


def beam_damage(hits: tuple[int, ...], kind: DamageType = PLAIN) -> tuple[TypedDamage, ...]:
    """Return one point for each hit, separately for the first dice and each depth of re-rolls."""
    result: list[TypedDamage] = []
    for depth, points in enumerate(hits):
        if points:
            result.append(TypedDamage(points, kind, depth))
    return tuple(result)


def roll_hit_damage(
    hits: tuple[int, ...], shot: Shot, dice: Dice, kind: DamageType, table: tuple[int, ...] = D6
) -> tuple[tuple[int, ...], tuple[TypedDamage, ...]]:
    """Roll a die of damage for each hit.

    Args:
        hits: Hits by depth of re-rolls.
        table: The points of a die, for example D3.

    Returns:
        The dice and the damage, one entry for each hit.

    Rules: Continuum "Standard grasers" 5.6 [pc.grasers]
    """
    rolled: list[int] = []
    damage_types: list[TypedDamage] = []
    for depth, number in enumerate(hits):
        for _ in range(number):
            die = dice.roll("damage", shot.subject)
            rolled.append(die)
            damage_types.append(TypedDamage(table[die], kind, depth))
    return tuple(rolled), tuple(damage_types)


def roll_to_hit(shot: Shot, needed: int, dice: Dice) -> tuple[int, int, bool]:
    """Roll a die against a number; return the number, the die, and whether it hits.

    Only a 6 hits a ship in a holofield or through the stern with enhanced sensors.

    Rules: Continuum "Holofield" 7.17 [pc.holofield]; Continuum "Enhanced sensors" 13.13 [pc.arcs]
    """
    needed = 6 if shot.holofield or shot.stern else needed
    die = dice.roll("to-hit", shot.subject)
    return needed, die, clamp_die(die, shot.modifier) >= needed


def roll_projectile(shot: Shot, reach: str, dice: Dice) -> tuple[int, int, bool]:
    """Roll a projectile's die; return the number it needs, the die, and whether it hits.

    Only a 6 hits a ship in a holofield.

    Args:
        reach: The key of its range bands in PROJECTILE_BANDS.

    Rules: Continuum "Pulse torpedoes" 5.14 [pc.pulse-torpedoes]
    """
    band = range_band(shot.distance, PROJECTILE_BANDS[reach])
    return roll_to_hit(shot, PROJECTILE_HITS_ON[band], dice)


def roll_damage_die(
    shot: Shot, dice: Dice, modifier: int = 0, table: tuple[int, ...] = D6
) -> tuple[int, int]:
    """Roll a die of damage; return the die and its points.

    Each level of advanced screens takes one point off each die, never below 0.

    Rules: Continuum "Advanced screens" 7.3 [pc.advanced-screens]
    """
    die = dice.roll("damage", shot.subject)
    return die, max(table[die] + modifier - shot.advanced, 0)


def rank_sides(
    numbers: Mapping[int, int], names: tuple[str, ...], dice: Dice, rolls: Rolls
) -> list[int]:
    """Return the sides by their numbers, highest first.

    Equal sides roll a die each, in file order; the dice are added to `rolls`.

    Rules: 2E "Sequence of play" [2e.sequence]
    """
    order: list[int] = []
    for number in sorted(dict.fromkeys(numbers.values()), reverse=True):
        equal_sides = [side for side in sorted(numbers) if numbers[side] == number]
        order += roll_off(equal_sides, names, dice, rolls)
    return order


def roll_off(
    sides: list[int],
    names: tuple[str, ...],
    dice: Dice,
    rolls: Rolls,
    choice: Callable[[int], list[int] | None] | None = None,
) -> list[int]:
    """Return the sides by a die each, highest first; tied sides roll again.

    Args:
        choice: Returns the order of the others if the first side chose it, else None.
    """
    if len(sides) == 1:
        return sides
    rolled = {side: dice.roll("initiative", names[side]) for side in sides}
    rolls += [(names[side], die) for side, die in rolled.items()]
    order: list[int] = []
    for die in range(6, 0, -1):
        tied = [side for side in sides if rolled[side] == die]
        if not tied:
            continue
        is_first = not order
        order += roll_off(tied, names, dice, rolls)
        chosen = choice(order[0]) if is_first and choice is not None else None
        if chosen is not None:
            return [order[0], *chosen]
    return order
