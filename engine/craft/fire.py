"""The dice of Continuum's craft: beams and cannon of fighters, what some carry instead, and boats
with a ship's weapon.

Everything throws for all craft of a group at once. Dice of fighters are told by the shot what they
are thrown for; boats throw what a ship throws with the same weapon.
Rules: Continuum "Fighter combat" 8.9, "Fighter types" 8.15 [pc.fighter-attack]; Continuum "Gunboat
types" 9.2 [pc.gunboats]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from engine.core.dice import Dice
from engine.core.geometry import NEAR
from engine.core.kinds import PIERCING, PLAIN, SEMI
from engine.core.rolls import (
    BEAM_HITS,
    D3,
    HOLOFIELD_HITS,
    NO_REROLL_LEVEL,
    Effect,
    Shot,
    TypedDamage,
    beam_damage,
    beam_hits,
    clamped,
    hit_dice,
    taken_through,
    throw,
)
from engine.craft.craft_type import Armament, Fire
from engine.weapons.beams import beam_volley
from engine.weapons.guard import BY_LIGHT_BEAM, SUPPORT_REACH, Quarry, defence_dice
from engine.weapons.kinetics import PENETRATOR_HITS, PENETRATOR_POINTS
from engine.weapons.plasma import plasma_dice
from engine.weapons.point_defence import KILLS, scatter

WEAK = -2  # to the dice of craft built for other work
STRONG = 1  # to the dice of craft built for this one
TORPEDO_HITS_ON = 4
HIDDEN_HITS_ON = 6  # in a holofield
HITS_CRAFT_ON = 6


def _modified(shot: Shot, modifier: int) -> Shot:
    return replace(shot, modifier=shot.modifier + modifier) if modifier else shot


def beams(modifier: int = 0) -> Fire:
    """Beams at ships: a die a craft against screens; a 6 throws again, past them and armour.

    Rules: Continuum "Attack runs" 8.9 [pc.fighter-attack]
    """

    def fire(shot: Shot, dice: Dice, craft: int) -> Effect:
        thrown, hits = beam_hits(craft, _modified(shot, modifier), dice)
        return Effect(thrown, damage_types=beam_damage(hits))

    return fire


def cannon(modifier: int = 0) -> Fire:
    """Cannon at ships: only advanced screens stop them, and no die is thrown again.

    Rules: Continuum "Attack runs" 8.9 [pc.fighter-attack]
    """

    def fire(shot: Shot, dice: Dice, craft: int) -> Effect:
        table = HOLOFIELD_HITS if shot.holofield else BEAM_HITS[shot.advanced]
        thrown, hits = throw(craft, table, table, _modified(shot, modifier), dice, rerolls=False)
        return Effect(thrown, damage_types=beam_damage(hits))

    return fire


def at_craft(
    kills: tuple[int, ...],
    each: int = 1,
    close: int = 0,
    modifier: int = 0,
    *,
    rerolls: bool = True,
    solid: bool = False,
) -> Fire:
    """So many dice each at craft, `close` of them up to 6 MU where that is given; `kills`: what a
    die takes by what it shows. `solid`: solid shot, which advanced area screens alone weaken.

    Rules: Continuum "Area screens" 7.16 [pc.area-screens]
    """

    def fire(shot: Shot, dice: Dice, craft: int) -> Effect:
        number = close if close and shot.distance <= SUPPORT_REACH + NEAR else each
        screens = shot.advanced if solid else shot.screens
        thrown, hits = throw(
            craft * number,
            taken_through(kills, screens),
            kills,
            _modified(shot, modifier),
            dice,
            rerolls=rerolls and screens < NO_REROLL_LEVEL,
        )
        return Effect(thrown, craft=sum(hits))

    return fire


def dogfight(modifier: int = 0, *, solid: bool = False) -> Fire:
    """Beams at craft; or solid shot of cannon, which throws nothing again.

    Rules: Continuum "Dogfights" 8.10 [pc.dogfights]
    """
    return at_craft(KILLS, modifier=modifier, rerolls=not solid, solid=solid)


def last_shots(shot: Shot, dice: Dice, craft: int) -> Effect:
    """What exhausted craft still do to those that hold them in a fight: one for each natural 6.

    Rules: Continuum "Endurance" 8.13 [pc.endurance]
    """
    thrown = tuple(dice.roll(shot.purpose, shot.subject) for _ in range(craft))
    return Effect(thrown, craft=thrown.count(6))


def torpedoes(shot: Shot, dice: Dice, craft: int) -> Effect:
    """A torpedo a craft: what hits does as many points as the die shows, less one for each advanced
    screen.

    Rules: Continuum "Torpedo fighter" 8.15 [pc.fighter-types]; Continuum "Advanced screens" 7.3
    [pc.advanced-screens]
    """
    thrown = tuple(dice.roll(shot.purpose, shot.subject) for _ in range(craft))
    needed = HIDDEN_HITS_ON if shot.holofield else TORPEDO_HITS_ON
    hits = [die for die in thrown if clamped(die, shot.modifier) >= needed]
    return Effect(
        thrown,
        damage_types=tuple(TypedDamage(die - shot.advanced, SEMI) for die in hits),
        needed=needed,
    )


def penetrators(shot: Shot, dice: Dice, craft: int) -> Effect:
    """A multiple kinetic penetrator a craft, each hit by itself.

    Rules: Continuum "MKP fighter" 8.15 [pc.fighter-types]
    """
    thrown = tuple(dice.roll(shot.purpose, shot.subject) for _ in range(craft))
    read = (0, 0, 0, 0, 0, 0, PENETRATOR_HITS[6]) if shot.holofield else PENETRATOR_HITS
    hits = sum(read[clamped(die, shot.modifier)] for die in thrown)
    return Effect(thrown, damage_types=(TypedDamage(PENETRATOR_POINTS, PIERCING),) * hits)


def grasers(shot: Shot, dice: Dice, craft: int) -> Effect:
    """A beam die a craft, each hit a D3 of semi-armour piercing damage.

    Rules: Continuum "Graser fighter" 8.15 [pc.fighter-types]
    """
    thrown, hits = beam_hits(craft, shot, dice)
    damage, damage_types = hit_dice(hits, shot, dice, SEMI, D3)
    return Effect(thrown, damage, damage_types)


def plasma(shot: Shot, dice: Dice, craft: int) -> Effect:
    """A plasma die a craft. Rules: Continuum "Plasma fighter" 8.15 [pc.fighter-types]"""
    return plasma_dice(craft, shot, dice)


def carried(
    weapon: Callable[[Shot, Dice], Effect], size: int = 1, variant: str = "", times: int = 1
) -> Fire:
    """Boats that each carry so many of a ship's weapon: what each does, all together.

    Rules: Continuum "Gunboat types" 9.2 [pc.gunboats]
    """

    def fire(shot: Shot, dice: Dice, craft: int) -> Effect:
        aimed = replace(shot, size=size, variant=variant)
        effects = [weapon(aimed, dice) for _ in range(craft * times)]
        return Effect(
            tuple(die for one in effects for die in one.dice),
            tuple(die for one in effects for die in one.damage),
            tuple(typed for one in effects for typed in one.damage_types),
            needed=effects[0].needed if effects else 0,
            needled=any(one.needled for one in effects),
        )

    return fire


def _by_range(near: int, far: int, within: float, shot: Shot, dice: Dice) -> Effect:
    return beam_volley(near if shot.distance <= within + NEAR else far, shot, dice)


def banded(near: int, far: int, within: float) -> Callable[[Shot, Dice], Effect]:
    """A weapon of so many beam dice up to a range, and of so many beyond it."""
    return partial(_by_range, near, far, within)


def boats_hit(effect: Effect) -> int:
    """The gunboats that a ship's weapon destroys: one for each hit, however many points that would
    do to a ship.

    Beam dice do a point a hit; what throws dice of damage does each hit by itself. EMP burns out a
    boat a hit.
    Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]; Continuum "EMP projectors" 5.4 [pc.emp]
    """
    hits = effect.emp
    for one in effect.damage_types:
        hits += one.points if one.kind == PLAIN else int(one.points > 0)
    return hits


def against_boats(fire: Fire) -> Fire:
    """What a ship's weapon does to gunboats, fired by gunboats.

    Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]
    """

    def at(shot: Shot, dice: Dice, craft: int) -> Effect:
        effect = fire(shot, dice, craft)
        return Effect(effect.dice + effect.damage, craft=boats_hit(effect))

    return at


def by_sixes(shot: Shot, dice: Dice, craft: int) -> Effect:
    """A weapon for ships at craft too small for it: a die a boat, a 6 takes one.

    Rules: Continuum "Ship fire against fighters" 8.6 [pc.fire-at-fighters]
    """
    thrown = tuple(dice.roll(shot.purpose, shot.subject) for _ in range(craft))
    return Effect(thrown, craft=sum(clamped(die, shot.modifier) >= HITS_CRAFT_ON for die in thrown))


def guarding(each: int, close: int = 0, modifier: int = 0) -> Fire:
    """So many dice of point defence a boat at craft, `close` of them up to 6 MU.

    Rules: Continuum "Point Defense gunboat", "Area Defense System gunboat" 9.2 [pc.gunboats]
    """
    return at_craft(KILLS, each, close, modifier)


def scattering(quarry: Quarry) -> Fire:
    """A scatterpack a shot at craft, as a ship's scattergun takes them.

    Rules: Continuum "Scatterpack gunboat" 9.2, "Scattergun" 7.14 [pc.gunboats]
    """

    def fire(shot: Shot, dice: Dice, craft: int) -> Effect:
        packs = [scatter(quarry, shot.modifier, shot.subject, dice) for _ in range(craft)]
        return Effect(
            tuple(die for thrown, _ in packs for die in thrown),
            craft=sum(hits for _, hits in packs),
        )

    return fire


def meeting(
    guns: Armament,
    shots: int,
    quarry: Quarry,
    modifier: int,
    away: float,
    subject: str,
    dice: Dice,
    purpose: str,
    screens: int = 0,
) -> tuple[tuple[int, ...], int]:
    """So many shots of what craft carry at what point defence meets, so many MU away: their dice,
    and what they take. `screens`: levels of area screens that cover it.

    Rules: Continuum "Interception of missiles" 8.12, "Gunboat types" 9.2 [pc.gunboats]
    """
    if guns.bursts is not None:
        packs = [guns.bursts(quarry, modifier, subject, dice) for _ in range(shots)]
        return tuple(die for thrown, _ in packs for die in thrown), sum(hits for _, hits in packs)
    close = bool(guns.close_dice) and away <= SUPPORT_REACH + NEAR
    return defence_dice(
        shots * (guns.close_dice if close else guns.ordnance_dice), guns.kills[quarry], quarry, modifier, subject, dice,
        purpose=purpose, rerolls=guns.rerolls, screens=screens,
    )  # fmt: skip


def light_beams(each: int) -> Fire:
    """So many beams of class 1 a boat at craft, as in point defence.

    Rules: Continuum "Beam weapons" 5.3 [pc.beams]
    """
    return at_craft(BY_LIGHT_BEAM[Quarry.FIGHTERS], each)
