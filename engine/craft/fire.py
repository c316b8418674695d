"""The dice of Continuum's craft: fighters' beams and cannon, special loads, and gunboats' weapons.

All craft of a group roll at once. The shot says what the dice of fighters are for; gunboats roll
what a ship rolls with the same weapon.
Rules: Continuum "Fighter combat" 8.9, "Fighter types" 8.15 [pc.fighter-attack]; Continuum "Gunboat
types" 9.2 [pc.gunboats]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

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
    plain_damage,
    roll_beams,
    roll_dice,
    roll_hit_damage,
)
from engine.craft.craft_type import Armament, Fire
from engine.weapons.beams import fire_beam_volley
from engine.weapons.emp import roll_emp
from engine.weapons.guard import BY_LIGHT_BEAM, SUPPORT_REACH, PointDefenceTarget, roll_defence_dice
from engine.weapons.kinetics import PENETRATOR_HITS, PENETRATOR_POINTS
from engine.weapons.needles import HITS_ON, KILLS_ON
from engine.weapons.plasma import roll_plasma
from engine.weapons.point_defence import KILLS, roll_scattergun

WEAK = -2  # modifier of the dice at targets the type is not built for
STRONG = 1  # modifier of the dice at targets the type is built for
TORPEDO_HITS_ON = 4
HIDDEN_HITS_ON = 6  # against a holofield
HITS_CRAFT_ON = 6
# The velocity of gunboats for weapons that do more damage to faster targets: each hit is a point.
BOAT_VELOCITY = 6


def _modified(shot: Shot, modifier: int) -> Shot:
    """Return a shot with a modifier added to its own."""
    if modifier:
        return replace(shot, modifier=shot.modifier + modifier)
    return shot


def beams(modifier: int = 0) -> Fire:
    """Return beams at ships: one die per craft, and a reroll of 6 that ignores screens and armour.

    Rules: Continuum "Attack runs" 8.9 [pc.fighter-attack]
    """

    def fire(shot: Shot, dice: Dice, craft: int) -> Effect:
        rolls, hits = roll_beams(craft, _modified(shot, modifier), dice)
        return Effect(rolls, damage_types=beam_damage(hits))

    return fire


def cannon(modifier: int = 0) -> Fire:
    """Return cannon at ships: only advanced screens stop them, and there are no rerolls.

    Rules: Continuum "Attack runs" 8.9 [pc.fighter-attack]
    """

    def fire(shot: Shot, dice: Dice, craft: int) -> Effect:
        table = HOLOFIELD_HITS if shot.holofield else BEAM_HITS[shot.advanced]
        rolls, hits = roll_dice(
            number=craft,
            first_hits=table,
            reroll_hits=table,
            shot=_modified(shot, modifier),
            dice=dice,
            rerolls=False,
        )
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
    """Return fire at craft.

    Args:
        kills: The craft that each die result destroys.
        dice_each: Dice per craft that fires.
        close: Dice per craft within 6 MU, if different.
        solid: Solid shot, which only advanced area screens weaken.

    Rules: Continuum "Area screens" 7.16 [pc.area-screens]
    """

    def fire(shot: Shot, dice: Dice, craft: int) -> Effect:
        if close and shot.distance <= SUPPORT_REACH + NEAR:
            number = close
        else:
            number = dice_each
        screens = shot.advanced if solid else shot.screens
        rolls, hits = roll_dice(
            number=craft * number,
            first_hits=kills_through_screens(kills, screens),
            reroll_hits=kills,
            shot=_modified(shot, modifier),
            dice=dice,
            rerolls=rerolls and screens < NO_REROLL_LEVEL,
        )
        return Effect(rolls, craft=sum(hits))

    return fire


def dogfight(modifier: int = 0, *, solid: bool = False) -> Fire:
    """Return the fire of beams at craft, or of cannon, which has no rerolls.

    Rules: Continuum "Dogfights" 8.10 [pc.dogfights]
    """
    return at_craft(KILLS, modifier=modifier, rerolls=not solid, solid=solid)


def last_shots(shot: Shot, dice: Dice, craft: int) -> Effect:
    """Roll for exhausted craft at those that hold them in a dogfight: each natural 6 destroys one.

    Rules: Continuum "Endurance" 8.13 [pc.endurance]
    """
    rolls = tuple(dice.roll(shot.purpose, shot.subject) for _ in range(craft))
    return Effect(rolls, craft=rolls.count(6))


def torpedoes(shot: Shot, dice: Dice, craft: int) -> Effect:
    """Roll for one torpedo per craft.

    A hit does as many points as the die shows, less one for each level of advanced screens.

    Rules: Continuum "Torpedo fighter" 8.15 [pc.fighter-types]; Continuum "Advanced screens" 7.3
    [pc.advanced-screens]
    """
    rolls = tuple(dice.roll(shot.purpose, shot.subject) for _ in range(craft))
    if shot.holofield:
        needed = HIDDEN_HITS_ON
    else:
        needed = TORPEDO_HITS_ON
    hits = [die for die in rolls if clamp_die(die, shot.modifier) >= needed]
    return Effect(
        rolls,
        damage_types=tuple(TypedDamage(die - shot.advanced, SEMI) for die in hits),
        needed=needed,
    )


def penetrators(shot: Shot, dice: Dice, craft: int) -> Effect:
    """Roll for one multiple kinetic penetrator per craft; each hit does its damage separately.

    Rules: Continuum "MKP fighter" 8.15 [pc.fighter-types]
    """
    rolls = tuple(dice.roll(shot.purpose, shot.subject) for _ in range(craft))
    if shot.holofield:
        hits_by_die = (0, 0, 0, 0, 0, 0, PENETRATOR_HITS[6])
    else:
        hits_by_die = PENETRATOR_HITS
    hits = sum(hits_by_die[clamp_die(die, shot.modifier)] for die in rolls)
    return Effect(rolls, damage_types=(TypedDamage(PENETRATOR_POINTS, PIERCING),) * hits)


def grasers(shot: Shot, dice: Dice, craft: int) -> Effect:
    """Roll one beam die per craft; each hit does a D3 of semi-armour piercing damage.

    Rules: Continuum "Graser fighter" 8.15 [pc.fighter-types]
    """
    rolls, hits = roll_beams(craft, shot, dice)
    damage, damage_types = roll_hit_damage(hits, shot, dice=dice, kind=SEMI, table=D3)
    return Effect(rolls, damage, damage_types)


def plasma(shot: Shot, dice: Dice, craft: int) -> Effect:
    """Roll one plasma die per craft.

    Rules: Continuum "Plasma fighter" 8.15 [pc.fighter-types]
    """
    return roll_plasma(craft, shot, dice)


def emp(shot: Shot, dice: Dice, craft: int) -> Effect:
    """Roll one die of an EMP projector per craft.

    Rules: Continuum "EMP projectors" 5.4, "The Imperial tech base" 15.1 [pc.named-craft]
    """
    return roll_emp(craft, shot, dice)


def needles(shot: Shot, dice: Dice, craft: int) -> Effect:
    """Roll one needle beam per craft: a point on 4 or more, and the system too on a natural 6.

    In a holofield the system is safe.

    Rules: Continuum "Needle beams" 5.13, "The Imperial tech base" 15.1 [pc.named-craft]
    """
    rolls = tuple(dice.roll(shot.purpose, shot.subject) for _ in range(craft))
    hits = sum(clamp_die(die, shot.modifier) >= HITS_ON for die in rolls)
    is_system_safe = shot.no_sensors or shot.holofield
    return Effect(
        rolls,
        damage_types=plain_damage(hits),
        needed=HITS_ON,
        needled=KILLS_ON in rolls and not is_system_safe,
    )


def ship_weapon_fire(
    weapon: Callable[[Shot, Dice], Effect], size: int = 1, variant: str = "", times: int = 1
) -> Fire:
    """Return the fire of gunboats that each carry `times` of a ship's weapon.

    Rules: Continuum "Gunboat types" 9.2 [pc.gunboats]
    """

    def fire(shot: Shot, dice: Dice, craft: int) -> Effect:
        weapon_shot = replace(shot, size=size, variant=variant)
        total = Effect()
        for number in range(craft * times):
            effect = weapon(weapon_shot, dice)
            total.dice += effect.dice
            total.damage += effect.damage
            total.damage_types += effect.damage_types
            total.needled = total.needled or effect.needled
            total.emp += effect.emp
            total.marines_landed += effect.marines_landed
            if number == 0:
                total.needed = effect.needed
        return total

    return fire


def two_band_beams(
    near_dice: int, far_dice: int, near_range: float
) -> Callable[[Shot, Dice], Effect]:
    """Return a weapon with `near_dice` beam dice up to a range in MU, and `far_dice` beyond it."""

    def fire(shot: Shot, dice: Dice) -> Effect:
        number = near_dice if shot.distance <= near_range + NEAR else far_dice
        return fire_beam_volley(number, shot, dice)

    return fire


def boats_destroyed(effect: Effect) -> int:
    """Return the gunboats that a ship's weapon destroys: one for each hit, however heavy.

    A beam hit is one point; a weapon with damage dice counts each hit separately. EMP destroys one
    boat a hit.
    Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]; Continuum "EMP projectors" 5.4 [pc.emp]
    """
    hits = effect.emp
    for typed in effect.damage_types:
        hits += typed.points if typed.kind == PLAIN else int(typed.points > 0)
    return hits


def against_boats(fire: Fire) -> Fire:
    """Return the fire at gunboats of gunboats that carry a ship's weapon.

    Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]
    """

    def fire_at_boats(shot: Shot, dice: Dice, craft: int) -> Effect:
        effect = fire(replace(shot, velocity=BOAT_VELOCITY), dice, craft)
        return Effect(effect.dice + effect.damage, craft=boats_destroyed(effect))

    return fire_at_boats


def by_sixes(shot: Shot, dice: Dice, craft: int) -> Effect:
    """Roll for an anti-ship weapon at small craft: one die per boat, and a 6 destroys one.

    Rules: Continuum "Ship fire against fighters" 8.6 [pc.fire-at-fighters]
    """
    rolls = tuple(dice.roll(shot.purpose, shot.subject) for _ in range(craft))
    return Effect(rolls, craft=sum(clamp_die(die, shot.modifier) >= HITS_CRAFT_ON for die in rolls))


def point_defence_fire(dice_each: int, close: int = 0, modifier: int = 0) -> Fire:
    """Return so many dice of point defence per boat at craft, `close` of them within 6 MU.

    Rules: Continuum "Point Defense gunboat", "Area Defense System gunboat" 9.2 [pc.gunboats]
    """
    return at_craft(KILLS, dice_each, close, modifier)


def scatterpack_fire(target_kind: PointDefenceTarget) -> Fire:
    """Return the fire of a scatterpack at craft, with the results of a ship's scattergun.

    Rules: Continuum "Scatterpack gunboat" 9.2, "Scattergun" 7.14 [pc.gunboats]
    """

    def fire(shot: Shot, dice: Dice, craft: int) -> Effect:
        effect = Effect()
        for _ in range(craft):
            rolls, hits = roll_scattergun(target_kind, shot.modifier, shot.subject, dice)
            effect.dice += rolls
            effect.craft += hits
        return effect

    return fire


def interception_dice(  # noqa: PLR0913, PLR0917 -- what the dice depend on
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
    """Roll for shots of craft at a target of point defence.

    Args:
        guns: What the craft fire.
        away: The distance in MU.
        screens: Levels of area screens that cover the target.

    Returns:
        The dice, and how many targets they destroy.

    Rules: Continuum "Interception of missiles" 8.12, "Gunboat types" 9.2 [pc.gunboats]
    """
    if guns.bursts is not None:
        all_rolls: tuple[int, ...] = ()
        all_hits = 0
        for _ in range(shots):
            rolls, hits = guns.bursts(target_kind, modifier, subject, dice)
            all_rolls += rolls
            all_hits += hits
        return all_rolls, all_hits
    is_close = bool(guns.close_dice) and away <= SUPPORT_REACH + NEAR
    return roll_defence_dice(
        number=shots * (guns.close_dice if is_close else guns.ordnance_dice),
        kills=guns.kills[target_kind],
        target_kind=target_kind,
        modifier=modifier,
        subject=subject,
        dice=dice,
        purpose=purpose,
        rerolls=guns.rerolls,
        screens=screens,
    )


def light_beams(beams_each: int, *, rerolls: bool = True) -> Fire:
    """Return so many beams of class 1 per boat at craft, with the results of point defence.

    Args:
        rerolls: A 6 is rolled again; not for EMP projectors.

    Rules: Continuum "Beam weapons" 5.3, "EMP projectors" 5.4 [pc.beams]
    """
    return at_craft(BY_LIGHT_BEAM[PointDefenceTarget.FIGHTERS], beams_each, rerolls=rerolls)
