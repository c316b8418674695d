"""Fighters of either edition: small craft of six to a group, and what modifies those of Continuum.

Continuum's rows say what they cost, ask for and may be, which is what its yards need; a rule that flies them adds what
they do to the same rows.
Rules: 2E "Fighters" [2e.fighters]; 2E "Fighter-to-fighter combat" [2e.dogfights]; Continuum "Fighter types" 8.15
[pc.fighter-types]
"""

from __future__ import annotations

from dataclasses import replace

from engine.core.dice import Dice
from engine.core.rolls import Effect, Shot, clamped, plain
from engine.craft.craft_type import Armament, CraftTrait, CraftType, Family, Mod
from engine.systems.defences import BEAM_POINTS
from engine.weapons.point_defence import KILLS


def beam(shot: Shot, dice: Dice, craft: int) -> Effect:
    """A die a craft, read as a beam's against screens. Rules: 2E "Fighter attacks" [2e.fighters]"""
    thrown = tuple(dice.roll(shot.purpose, shot.subject) for _ in range(craft))
    return Effect(thrown, damage_types=plain(sum(BEAM_POINTS[shot.screens][die] for die in thrown)))


def guns(shot: Shot, dice: Dice, craft: int) -> Effect:
    """A die a craft, that takes craft as point defence does. Rules: 2E "Fighter-to-fighter combat" [2e.dogfights]"""
    thrown = tuple(dice.roll(shot.purpose, shot.subject) for _ in range(craft))
    return Effect(thrown, craft=sum(KILLS[clamped(die, shot.modifier)] for die in thrown))


STANDARD = CraftType("standard", "standard", Armament(at_ships=beam, at_craft=guns))

LIGHT, CANNON = "light", "cannon"
FULL_LIGHT = 8  # light fighters of a full group, for the price of six others


def _fighter(type_: str, points: int, needs: str, *mods: str, builder: str = "", light: str = "") -> CraftType:
    """A row of Continuum; `light`: what the ftLibShip builder calls it where it is light."""
    names = ((builder or type_, ()), *(((light, (LIGHT,)),) if light else ()))
    return CraftType(f"{type_}-fighter", type_, mods=mods, points=points, needs=(needs,), builder=names)


def _light(row: CraftType) -> CraftType:
    return replace(row, full=FULL_LIGHT)


def _cannon(row: CraftType) -> CraftType:
    """Standard fighters with guns are a technology of their own. Rules: Continuum 8.15 [pc.fighter-types]"""
    return replace(row, needs=tuple(one for one in row.needs if one != BEAM_FIGHTERS))


def _robot(row: CraftType) -> CraftType:
    return replace(row, traits=(*row.traits, CraftTrait.ROBOT))


BEAM_FIGHTERS, GUN_FIGHTERS = "beam-fighters", "gun-fighters"

SECOND_EDITION = Family("fighters", (STANDARD,))

# fmt: off
CONTINUUM = Family(
    "fighters",
    (
        #         type             points  technology              may be
        _fighter("standard",            3, BEAM_FIGHTERS,          LIGHT, CANNON, light="light"),
        _fighter("interceptor",         3, "interceptors",         LIGHT, CANNON, light="lightInterceptor"),
        _fighter("attack",              4, "attack-fighters",      LIGHT, CANNON, light="lightAttack"),
        _fighter("torpedo",             6, "torpedo-fighters"),
        _fighter("graser",              7, "graser-fighters"),
        _fighter("plasma",              7, "plasma-fighters"),
        _fighter("mkp",                 6, "mkp-fighters",         CANNON, builder="MKP"),
        _fighter("missile",             4, "missile-fighters",     LIGHT, CANNON),
        _fighter("multi-role",          4, "multi-role-fighters",  CANNON, builder="multiRole"),
        _fighter("assault-shuttle",     1, "assault-shuttles",     builder="assault"),
    ),
    (
        #   name                   points  technology
        Mod("heavy",      points=3,  needs="heavy-fighters",      builder="heavy"),
        Mod("fast",       points=1,  needs="fast-fighters",       builder="fast"),
        Mod("long-range", points=1,  needs="long-range-fighters", builder="longRange"),
        Mod("ftl",        points=1,  needs="ftl-fighters",        builder="ftl"),
        Mod("robot", _robot, points=-1, needs="robot-fighters",   builder="robot"),
        Mod(LIGHT, _light,
            apart=(("heavy", "long-range"), "light fighters cannot be {other}"),
            some=("no-light-type", "there are no light {type} fighters; there are light {types}")),
        Mod(CANNON, _cannon, needs=GUN_FIGHTERS,
            some=("no-cannon", "{type} fighters have no cannon instead of beams")),
    ),
)
# fmt: on
