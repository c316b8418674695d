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
    clamp_die,
    kills_through_screens,
    roll_beams,
    roll_dice,
    roll_hit_damage,
)
from engine.craft.craft_type import Armament, Fire
from engine.weapons.beams import fire_beam_volley
from engine.weapons.guard import BY_LIGHT_BEAM, SUPPORT_REACH, PointDefenceTarget, roll_defence_dice
from engine.weapons.kinetics import PENETRATOR_HITS, PENETRATOR_POINTS
from engine.weapons.plasma import roll_plasma
from engine.weapons.point_defence import KILLS, roll_scattergun

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
        rolls, hits = roll_beams(craft, _modified(shot, modifier), dice)
        return Effect(rolls, damage_types=beam_damage(hits))

    return fire


def cannon(modifier: int = 0) -> Fire:
    """Cannon at ships: only advanced screens stop them, and no die is thrown again.

    Rules: Continuum "Attack runs" 8.9 [pc.fighter-attack]
    """

    def fire(shot: Shot, dice: Dice, craft: int) -> Effect:
        table = HOLOFIELD_HITS if shot.holofield else BEAM_HITS[shot.advanced]
        rolls, hits = roll_dice(craft, table, table, _modified(shot, modifier), dice, rerolls=False)
        return Effect(rolls, damage_types=beam_damage(hits))

    return fire


def at_craft(
    kills: tuple[int, ...],
    dice_each: int = 1,
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
        number = close if close and shot.distance <= SUPPORT_REACH + NEAR else dice_each
        screens = shot.advanced if solid else shot.screens
        rolls, hits = roll_dice(
            craft * number,
            kills_through_screens(kills, screens),
            kills,
            _modified(shot, modifier),
            dice,
            rerolls=rerolls and screens < NO_REROLL_LEVEL,
        )
        return Effect(rolls, craft=sum(hits))

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
    rolls = tuple(dice.roll(shot.purpose, shot.subject) for _ in range(craft))
    return Effect(rolls, craft=rolls.count(6))


def torpedoes(shot: Shot, dice: Dice, craft: int) -> Effect:
    """A torpedo a craft: what hits does as many points as the die shows, less one for each advanced
    screen.

    Rules: Continuum "Torpedo fighter" 8.15 [pc.fighter-types]; Continuum "Advanced screens" 7.3
    [pc.advanced-screens]
    """
    rolls = tuple(dice.roll(shot.purpose, shot.subject) for _ in range(craft))
    needed = HIDDEN_HITS_ON if shot.holofield else TORPEDO_HITS_ON
    hits = [die for die in rolls if clamp_die(die, shot.modifier) >= needed]
    return Effect(
        rolls,
        damage_types=tuple(TypedDamage(die - shot.advanced, SEMI) for die in hits),
        needed=needed,
    )


def penetrators(shot: Shot, dice: Dice, craft: int) -> Effect:
    """A multiple kinetic penetrator a craft, each hit by itself.

    Rules: Continuum "MKP fighter" 8.15 [pc.fighter-types]
    """
    rolls = tuple(dice.roll(shot.purpose, shot.subject) for _ in range(craft))
    hits_by_die = (0, 0, 0, 0, 0, 0, PENETRATOR_HITS[6]) if shot.holofield else PENETRATOR_HITS
    hits = sum(hits_by_die[clamp_die(die, shot.modifier)] for die in rolls)
    return Effect(rolls, damage_types=(TypedDamage(PENETRATOR_POINTS, PIERCING),) * hits)


def grasers(shot: Shot, dice: Dice, craft: int) -> Effect:
    """A beam die a craft, each hit a D3 of semi-armour piercing damage.

    Rules: Continuum "Graser fighter" 8.15 [pc.fighter-types]
    """
    rolls, hits = roll_beams(craft, shot, dice)
    damage, damage_types = roll_hit_damage(hits, shot, dice, SEMI, D3)
    return Effect(rolls, damage, damage_types)


def plasma(shot: Shot, dice: Dice, craft: int) -> Effect:
    """A plasma die a craft. Rules: Continuum "Plasma fighter" 8.15 [pc.fighter-types]"""
    return roll_plasma(craft, shot, dice)


def ship_weapon_fire(
    weapon: Callable[[Shot, Dice], Effect], size: int = 1, variant: str = "", times: int = 1
) -> Fire:
    """Boats that each carry so many of a ship's weapon: what each does, all together.

    Rules: Continuum "Gunboat types" 9.2 [pc.gunboats]
    """

    def fire(shot: Shot, dice: Dice, craft: int) -> Effect:
        aimed = replace(shot, size=size, variant=variant)
        effects = [weapon(aimed, dice) for _ in range(craft * times)]
        return Effect(
            tuple(die for effect in effects for die in effect.dice),
            tuple(die for effect in effects for die in effect.damage),
            tuple(typed for effect in effects for typed in effect.damage_types),
            needed=effects[0].needed if effects else 0,
            needled=any(effect.needled for effect in effects),
        )

    return fire


def _by_range(near: int, far: int, near_range: float, shot: Shot, dice: Dice) -> Effect:
    return fire_beam_volley(near if shot.distance <= near_range + NEAR else far, shot, dice)


def two_band_beams(near: int, far: int, near_range: float) -> Callable[[Shot, Dice], Effect]:
    """A weapon of so many beam dice up to a range, and of so many beyond it."""
    return partial(_by_range, near, far, near_range)


def boats_destroyed(effect: Effect) -> int:
    """The gunboats that a ship's weapon destroys: one for each hit, however many points that would
    do to a ship.

    Beam dice do a point a hit; what throws dice of damage does each hit by itself. EMP burns out a
    boat a hit.
    Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]; Continuum "EMP projectors" 5.4 [pc.emp]
    """
    hits = effect.emp
    for typed in effect.damage_types:
        hits += typed.points if typed.kind == PLAIN else int(typed.points > 0)
    return hits


def against_boats(fire: Fire) -> Fire:
    """What a ship's weapon does to gunboats, fired by gunboats.

    Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]
    """

    def at(shot: Shot, dice: Dice, craft: int) -> Effect:
        effect = fire(shot, dice, craft)
        return Effect(effect.dice + effect.damage, craft=boats_destroyed(effect))

    return at


def by_sixes(shot: Shot, dice: Dice, craft: int) -> Effect:
    """A weapon for ships at craft too small for it: a die a boat, a 6 takes one.

    Rules: Continuum "Ship fire against fighters" 8.6 [pc.fire-at-fighters]
    """
    rolls = tuple(dice.roll(shot.purpose, shot.subject) for _ in range(craft))
    return Effect(rolls, craft=sum(clamp_die(die, shot.modifier) >= HITS_CRAFT_ON for die in rolls))


def point_defence_fire(dice_each: int, close: int = 0, modifier: int = 0) -> Fire:
    """So many dice of point defence a boat at craft, `close` of them up to 6 MU.

    Rules: Continuum "Point Defense gunboat", "Area Defense System gunboat" 9.2 [pc.gunboats]
    """
    return at_craft(KILLS, dice_each, close, modifier)


def scatterpack_fire(target_kind: PointDefenceTarget) -> Fire:
    """A scatterpack a shot at craft, as a ship's scattergun takes them.

    Rules: Continuum "Scatterpack gunboat" 9.2, "Scattergun" 7.14 [pc.gunboats]
    """

    def fire(shot: Shot, dice: Dice, craft: int) -> Effect:
        packs = [
            roll_scattergun(target_kind, shot.modifier, shot.subject, dice) for _ in range(craft)
        ]
        return Effect(
            tuple(die for rolls, _ in packs for die in rolls),
            craft=sum(hits for _, hits in packs),
        )

    return fire


def interception_dice(
    guns: Armament,
    shots: int,
    target_kind: PointDefenceTarget,
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
        packs = [guns.bursts(target_kind, modifier, subject, dice) for _ in range(shots)]
        return tuple(die for rolls, _ in packs for die in rolls), sum(hits for _, hits in packs)
    close = bool(guns.close_dice) and away <= SUPPORT_REACH + NEAR
    return roll_defence_dice(
        shots * (guns.close_dice if close else guns.ordnance_dice),
        guns.kills[target_kind],
        target_kind,
        modifier,
        subject,
        dice,
        purpose=purpose,
        rerolls=guns.rerolls,
        screens=screens,
    )


def light_beams(beams_each: int) -> Fire:
    """So many beams of class 1 a boat at craft, as in point defence.

    Rules: Continuum "Beam weapons" 5.3 [pc.beams]
    """
    return at_craft(BY_LIGHT_BEAM[PointDefenceTarget.FIGHTERS], beams_each)
