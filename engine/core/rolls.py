"""The dice that many rules share: beam dice with their re-rolls, projectiles by range, damage dice,
initiative; shots.

A shot is what `engine.combat` has made of range, arc and the target's defences before any weapon
throws its dice.
Rules: Continuum "Die roll modifiers" 1.7 [pc.dice-modifiers]; 2E "Sequence of play" [2e.sequence]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.dice import Dice
from engine.core.geometry import NEAR
from engine.core.kinds import PLAIN, DamageType

# Hits of a beam die through each level of screens; place 0 is no die. The third level of screens
# lets nothing re-roll.
BEAM_HITS: tuple[tuple[int, ...], ...] = (
    #  1  2  3  4  5  6
    (0, 0, 0, 0, 1, 1, 2),  # unscreened
    (0, 0, 0, 0, 0, 1, 2),  # level 1
    (0, 0, 0, 0, 0, 1, 1),  # level 2
    (0, 0, 0, 0, 0, 1, 1),  # level 3
)
NO_REROLL_LEVEL = 3
# Craft that a die takes through each level of screens, by what it takes of craft without any. Dice
# of point defence are read as a beam's; those of class 1 beams as a beam's that shows one less.
KILLS_THROUGH_SCREENS: dict[tuple[int, ...], tuple[tuple[int, ...], ...]] = {
    (0, 0, 0, 0, 1, 1, 2): BEAM_HITS,
    (0, 0, 0, 0, 0, 1, 1): (
        (0, 0, 0, 0, 0, 1, 1),
        (0, 0, 0, 0, 0, 0, 1),
        (0, 0, 0, 0, 0, 0, 1),
        (0, 0, 0, 0, 0, 0, 1),
    ),
}
HOLOFIELD_HITS = (0, 0, 0, 0, 0, 1, 1)  # of any die at a ship in a holofield, re-rolls too
ONLY_SIXES = (0, 0, 0, 0, 0, 0, 1)  # of a first die through the stern by enhanced sensors
STERN_REROLLS = (0, 0, 0, 0, 0, 1, 2)  # and of its re-rolls

# The die that hits in each range band of a projectile weapon; far ends of the bands in MU, by how
# far it reaches.
PROJECTILE_HITS_ON = (2, 3, 4, 5, 6)
PROJECTILE_BANDS: dict[str, tuple[float, ...]] = {
    "": (6.0, 12.0, 18.0, 24.0, 30.0),
    "long": (9.0, 18.0, 27.0, 36.0, 45.0),
    "short": (4.0, 8.0, 12.0, 16.0, 20.0),
}

# A die as it shows, and as a D3.
D6 = (0, 1, 2, 3, 4, 5, 6)
D3 = (0, 1, 1, 2, 2, 3, 3)

Rolls = list[tuple[str, int]]


@dataclass(slots=True)
class Shot:
    """A weapon about to throw its dice at one target.

    `distance`: MU that count for range bands, after stealth and cloaks; `true_distance`: as
    measured. `screens`: levels that beam dice meet (0 to 3); `advanced`: how many of them also stop
    projectiles (0 to 2). `modifier`: to dice that hit, not to re-rolls; `rerolls_modified`: to
    re-rolls. `holofield`: it blurs this shot. `stern`: through the stern by enhanced sensors, only
    sixes hit. `no_sensors`: at a system its ship's sensors do not find. `size`, `variant`, `flags`:
    the weapon's. `mode`: how it was told to fire. `mass`, `velocity`: the target's; `small`: it is
    no ship, and has no mass that counts. `purpose`: what beam dice and those of craft are thrown
    for.
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


@dataclass(frozen=True, slots=True)
class TypedDamage:
    """Damage points of one type: how they go through armour, and how many layers its re-rolls have
    already passed.
    """

    points: int
    kind: DamageType = PLAIN
    depth: int = 0


_PLAIN_DAMAGE = (
    (),
    *((TypedDamage(points),) for points in range(1, 19)),
)  # made once: most shots need one of them


def plain_damage(points: int) -> tuple[TypedDamage, ...]:
    """So many points of plain damage, none for no points."""
    return _PLAIN_DAMAGE[points] if points < len(_PLAIN_DAMAGE) else (TypedDamage(points),)


@dataclass(slots=True)
class Effect:
    """The effect of a weapon's fire.

    `dice`: those thrown to hit, re-rolls in their place; `damage`: those for damage.

    `needed`: the die a projectile hit on, 0 where dice are read as a beam's. `emp`: hits on
    electronics; `needled`: the system aimed at is out; `landed`: units beamed aboard; `brought`:
    marines that come with it; `lost`: units of the ship that fired that do not come back; `craft`:
    craft of a group that are hit. `burst`: the weapon itself is wrecked. `energy`: fire of the kind
    that a reflex field may give back.
    """

    dice: tuple[int, ...] = ()
    damage: tuple[int, ...] = ()
    damage_types: tuple[TypedDamage, ...] = ()
    needed: int = 0
    emp: int = 0
    needled: bool = False
    landed: int = 0
    brought: int = 0
    lost: int = 0
    craft: int = 0
    burst: bool = False
    energy: bool = False


def range_band(distance: float, limits: tuple[float, ...]) -> int:
    """The place of the band a range in MU falls into, a range exactly on a limit in the nearer one;
    -1 beyond all.

    Rules: Continuum "Range bands" 4.3 [pc.beams]
    """
    return next((place for place, limit in enumerate(limits) if distance <= limit + NEAR), -1)


def dice_in_range(size: int, distance: float, width: float = 12.0) -> int:
    """Dice of a weapon of a class: as many as its class in the first band, one fewer in each
    further one.

    `width`: MU of a band. Rules: Continuum "Beam fire" 4.5 [pc.beams]
    """
    bands = 0
    while distance > (bands + 1) * width + NEAR:
        bands += 1
    return max(size - bands, 0)


def clamp_die(die: int, modifier: int) -> int:
    """A die with its modifier, never below 1 nor above 6.

    Rules: Continuum "Die roll modifiers" [pc.dice-modifiers]
    """
    return min(max(die + modifier, 1), 6) if modifier else die


def roll_beams(
    number: int, shot: Shot, dice: Dice, *, rerolls: bool = True, screens: int | None = None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Throw beam dice: the dice, each followed by its re-rolls, and the hits by depth: first dice,
    re-rolls, their own.

    A natural 6 throws again, past all screens; the third level of screens lets none. `screens`: the
    levels these dice meet, where they are not those of the shot.
    Rules: Continuum "Re-rolls" 4.6 [pc.beams]; Continuum "Defensive screens" 4.7 [pc.screens]
    """
    level = shot.screens if screens is None else screens
    first, after = BEAM_HITS[level], BEAM_HITS[0]
    if shot.holofield:
        first = after = HOLOFIELD_HITS
    elif shot.stern:
        first, after = ONLY_SIXES, STERN_REROLLS
    return roll_dice(number, first, after, shot, dice, rerolls=rerolls and level < NO_REROLL_LEVEL)


def roll_dice(
    number: int,
    first: tuple[int, ...],
    after: tuple[int, ...],
    shot: Shot,
    dice: Dice,
    *,
    rerolls: bool,
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Throw dice that say how often they hit: `first` reads each, `after` each re-roll that a
    natural 6 has earned.

    Returns the dice and the hits as `beam_hits` does. Rules: Continuum "Re-rolls" 4.6 [pc.beams]
    """
    rolled: list[int] = []
    hits = [0]
    for _ in range(number):
        die = dice.roll(shot.purpose, shot.subject)
        rolled.append(die)
        hits[0] += first[clamp_die(die, shot.modifier)]
        depth = 0
        while die == 6 and rerolls:
            die = dice.roll("re-roll", shot.subject)
            rolled.append(die)
            depth += 1
            if depth == len(hits):
                hits.append(0)
            hits[depth] += after[clamp_die(die, shot.rerolls_modified)]
    return tuple(rolled), tuple(hits)


def kills_through_screens(kills: tuple[int, ...], screens: int) -> tuple[int, ...]:
    """Return what a die takes of craft through levels of screens; `kills`: of craft without any.

    Rules: Continuum "Area screens" 7.16 [pc.area-screens]
    """
    return KILLS_THROUGH_SCREENS[kills][screens] if screens else kills


def beam_damage(hits: tuple[int, ...], kind: DamageType = PLAIN) -> tuple[TypedDamage, ...]:
    """A point a hit, the first dice together and each depth of re-rolls by itself."""
    return tuple(TypedDamage(points, kind, depth) for depth, points in enumerate(hits) if points)


def roll_hit_damage(
    hits: tuple[int, ...], shot: Shot, dice: Dice, kind: DamageType, table: tuple[int, ...] = D6
) -> tuple[tuple[int, ...], tuple[TypedDamage, ...]]:
    """A die of damage a hit, each hit by itself: the dice and the damage.

    `table` reads a die as a D3.

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
    """A die that has to show a number: what it needs, the die, and whether it hits.

    At a ship in a holofield, and through the stern by enhanced sensors, only a 6 does.
    Rules: Continuum "Holofield" 7.17 [pc.holofield]; Continuum "Enhanced sensors" 13.13 [pc.arcs]
    """
    needed = 6 if shot.holofield or shot.stern else needed
    die = dice.roll("to-hit", shot.subject)
    return needed, die, clamp_die(die, shot.modifier) >= needed


def roll_projectile(shot: Shot, reach: str, dice: Dice) -> tuple[int, int, bool]:
    """A projectile's die: what it needs in its band, the die, and whether it hits; in a holofield
    only a 6 does.

    `reach`: which bands (PROJECTILE_BANDS). Rules: Continuum "Pulse torpedoes" 5.14
    [pc.pulse-torpedoes]
    """
    return roll_to_hit(
        shot, PROJECTILE_HITS_ON[range_band(shot.distance, PROJECTILE_BANDS[reach])], dice
    )


def roll_damage_die(
    shot: Shot, dice: Dice, modifier: int = 0, table: tuple[int, ...] = D6
) -> tuple[int, int]:
    """A die of damage and its points: advanced screens take one off each die for each level; never
    below 0.

    Rules: Continuum "Advanced screens" 7.3 [pc.advanced-screens]
    """
    die = dice.roll("damage", shot.subject)
    return die, max(table[die] + modifier - shot.advanced, 0)


def rank_sides(
    numbers: Mapping[int, int], names: tuple[str, ...], dice: Dice, rolls: Rolls
) -> list[int]:
    """Sides by what they have, most first; equal ones by a die each in file order.

    The dice are added to `rolls`.

    Rules: 2E "Sequence of play" [2e.sequence]
    """
    order: list[int] = []
    for number in sorted(dict.fromkeys(numbers.values()), reverse=True):
        order += roll_off(
            [side for side in sorted(numbers) if numbers[side] == number], names, dice, rolls
        )
    return order


def roll_off(sides: list[int], names: tuple[str, ...], dice: Dice, rolls: Rolls) -> list[int]:
    """Sides by a die each, high first, ties among themselves again."""
    if len(sides) == 1:
        return sides
    rolled = {side: dice.roll("initiative", names[side]) for side in sides}
    rolls += [(names[side], die) for side, die in rolled.items()]
    order: list[int] = []
    for die in range(6, 0, -1):
        tied = [side for side in sides if rolled[side] == die]
        if tied:
            order += roll_off(tied, names, dice, rolls)
    return order
