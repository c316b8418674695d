"""Fighters of both editions, six to a group, and the modifications of Continuum.

Rules: 2E "Fighters" [2e.fighters]; 2E "Fighter-to-fighter combat" [2e.dogfights]; Continuum
"Movement" 8.5 [pc.fighter-move]; Continuum "Endurance" 8.13 [pc.endurance]; Continuum "Fighter
types" 8.15 [pc.fighter-types]
"""

from __future__ import annotations

from dataclasses import replace

from engine.core.dice import Dice
from engine.core.phrase import phrase
from engine.core.rolls import Effect, Shot, clamp_die, plain_damage
from engine.core.terms import NAMED_CRAFT, POINT_DEFENCE_COSTS
from engine.craft.craft_type import (
    CANNON,
    Armament,
    CraftTrait,
    CraftType,
    Family,
    Fire,
    Mod,
    no_fire,
)
from engine.craft.fire import (
    STRONG,
    WEAK,
    beams,
    cannon,
    dogfight,
    emp,
    grasers,
    last_shots,
    needles,
    penetrators,
    plasma,
    torpedoes,
)
from engine.craft.level_fire import (
    BY_ATTACK_BEAMS,
    BY_BEAMS,
    BY_EMP,
    BY_GRASERS,
    BY_NEEDLES,
    BY_PENETRATORS,
    BY_TORPEDOES,
    LevelFire,
)
from engine.systems.defences import BEAM_POINTS
from engine.weapons.ordnance import LIGHT_MISSILE
from engine.weapons.point_defence import KILLS


def beam(shot: Shot, dice: Dice, craft: int) -> Effect:
    """Roll one die per craft, with the results of a beam against screens.

    Rules: 2E "Fighter attacks" [2e.fighters]
    """
    rolls = tuple(dice.roll(shot.purpose, shot.subject) for _ in range(craft))
    return Effect(
        rolls, damage_types=plain_damage(sum(BEAM_POINTS[shot.screens][die] for die in rolls))
    )


def guns(shot: Shot, dice: Dice, craft: int) -> Effect:
    """Roll one die per craft, which destroys craft as point defence does.

    Rules: 2E "Fighter-to-fighter combat" [2e.dogfights]
    """
    rolls = tuple(dice.roll(shot.purpose, shot.subject) for _ in range(craft))
    return Effect(rolls, craft=sum(KILLS[clamp_die(die, shot.modifier)] for die in rolls))


STANDARD = CraftType("standard", "standard", Armament(at_ships=beam, at_craft=guns))

LIGHT = "light"
FULL_LIGHT = 8  # light fighters in a full group, which costs as much as six others
SPEED = 24.0  # MU a turn
SPEED_FAST = 36.0
ENDURANCE = 6
ENDURANCE_LIGHT = 4
ENDURANCE_LONG = 9
CONTACT = 1.0  # MU to the ship that shuttles land on
# Modifiers of the dice of point defence and craft.
HARD_TO_HIT = -1
EASY_TO_HIT = 1

# Modifiers of the dice of guns at ships, and at craft. Rules: Continuum "Fighter types" 8.15
# [pc.fighter-types]
GUNS_AT: dict[str, tuple[int, int]] = {
    "interceptor": (WEAK, STRONG),
    "attack": (STRONG, WEAK),
    "torpedo": (WEAK, WEAK),
    "graser": (0, WEAK),
    "plasma": (0, WEAK),
    "mkp": (WEAK, WEAK),
    "missile": (WEAK, WEAK),
    "assault-shuttle": (0, WEAK),
    "emp": (0, WEAK),
    "needle": (0, WEAK),
    "rocket": (WEAK, WEAK),
}
EVEN = (0, 0)
# Rules: Continuum "Interception of missiles" 8.12 [pc.fighter-targets]
NEVER_AT_ORDNANCE = ("attack", "torpedo")


def _fighter(  # noqa: PLR0913 -- a row of the fighter table
    type_: str,
    points: int,
    needs: str,
    *mods: str,
    builder: str = "",
    light: str = "",
    at_ships: Fire | None = None,
    by_level: LevelFire = BY_BEAMS,
    dearer: int = 0,
    drain: int = 1,
    energy: bool = True,
    snipes: bool = False,
    jams: bool = False,
    option: str = "",
    loads: tuple[Armament, ...] = (),
    roles: tuple[str, ...] = (),
    roles_agreed: tuple[str, ...] = (),
    roles_chosen: tuple[str, ...] = (),
) -> CraftType:
    """Return a fighter type of Continuum.

    Args:
        builder: Its name in the ftLibShip builder, if different from the type.
        light: The builder's name of its light version.
        at_ships: Its dice at ships, if not beams.
        by_level: How those fare where point defence is by level.
        dearer: Additional points where area defence costs more.
        energy: Standard screens weaken its dice at ships.
        snipes: It is aimed at a system.
        jams: Its hits test electronics.
        option: The option without which there are none; the builder has none either.
    """
    names: tuple[tuple[str, tuple[str, ...]], ...] = ((builder or type_, ()),)
    if light:
        names += ((light, (LIGHT,)),)
    modifier_at_ships, modifier_at_craft = GUNS_AT.get(type_, EVEN)
    at_ordnance = None if type_ in NEVER_AT_ORDNANCE else modifier_at_craft
    guns = Armament(
        at_ships=at_ships or beams(modifier_at_ships),
        at_craft=dogfight(modifier_at_craft),
        drain=drain,
        at_ordnance=at_ordnance,
        energy=energy,
        snipes=snipes,
        jams=jams,
        by_level=by_level,
    )
    return CraftType(
        id=f"{type_}-fighter",
        type=type_,
        guns=guns,
        loads=loads,
        exhausted_fire=last_shots,
        speed=SPEED,
        endurance=ENDURANCE,
        mods=mods,
        points=points,
        dearer=(POINT_DEFENCE_COSTS, dearer),
        needs=(needs,),
        option=option,
        outline=_outline(modifier_at_craft, loads),
        builder=() if option else names,
        roles=roles,
        roles_agreed=roles_agreed,
        roles_chosen=roles_chosen,
    )


def _outline(modifier_at_craft: int, loads: tuple[Armament, ...]) -> str:
    """Return the silhouette of fighters by what they are good at."""
    if any(load.lands for load in loads):
        return "shuttle"
    if modifier_at_craft > 0:
        return "interceptor"
    return "bomber" if modifier_at_craft < 0 else "fighter"


def _light(row: CraftType) -> CraftType:
    """Return the light version of a type, with light missiles."""
    loads = []
    for load in row.loads:
        loads.append(replace(load, grade=LIGHT_MISSILE) if load.launches else load)
    return replace(
        row,
        full=FULL_LIGHT,
        endurance=ENDURANCE_LIGHT,
        modifier=EASY_TO_HIT,
        loads=tuple(loads),
    )


def _heavy(row: CraftType) -> CraftType:
    """Return the heavy version of a type, which is harder to hit."""
    return replace(row, modifier=HARD_TO_HIT)


def _fast(row: CraftType) -> CraftType:
    """Return the fast version of a type."""
    return replace(row, speed=SPEED_FAST)


def _long_range(row: CraftType) -> CraftType:
    """Return the version of a type with more endurance."""
    return replace(row, endurance=ENDURANCE_LONG)


def _cannon(row: CraftType) -> CraftType:
    """Replace beams by cannon; standard fighters with cannon need a technology of their own.

    Rules: Continuum 8.9, 8.15 [pc.fighter-types]
    """
    modifier_at_ships, modifier_at_craft = GUNS_AT.get(row.type, EVEN)
    guns = replace(
        row.guns,
        at_ships=cannon(modifier_at_ships),
        at_craft=dogfight(modifier_at_craft, solid=True),
        rerolls=False,
        energy=False,
    )
    return replace(row, guns=guns, needs=tuple(need for need in row.needs if need != BEAM_FIGHTERS))


def _ftl(row: CraftType) -> CraftType:
    """Return the version of a type with FTL drives."""
    return replace(row, traits=(*row.traits, CraftTrait.FTL))


def _robot(row: CraftType) -> CraftType:
    """Return the version of a type that computers fly."""
    return replace(row, traits=(*row.traits, CraftTrait.ROBOT))


ROLES = ("standard", "interceptor", "attack", "cannon", "interceptor-cannon", "attack-cannon")
BEAM_FIGHTERS = "beam-fighters"
GUN_FIGHTERS = "gun-fighters"
TORPEDOES = Armament("torpedoes", at_ships=torpedoes, rounds=1, by_level=BY_TORPEDOES)
PENETRATORS = Armament(
    "mkp", at_ships=penetrators, rounds=1, combinable=True, by_level=BY_PENETRATORS
)
SHUTTLES = Armament("shuttles", reach=CONTACT, rounds=1, lands=True)
MISSILES = Armament("missiles", reach=12.0, rounds=1, launches="salvo-rack")
ROCKETS = Armament("rockets", reach=12.0, rounds=1, launches="rocket-pod", at_target=True)

SECOND_EDITION = Family("fighters", (STANDARD,))

# fmt: off
CONTINUUM = Family(
    "fighters",
    (
        #         type           points  technology              may be
        _fighter("standard",          3, BEAM_FIGHTERS,          LIGHT, CANNON, light="light"),
        _fighter("interceptor",       3, "interceptors",         LIGHT, CANNON,
                 light="lightInterceptor"),
        _fighter("attack",            4, "attack-fighters",      LIGHT, CANNON,
                 light="lightAttack", by_level=BY_ATTACK_BEAMS, dearer=1),
        _fighter("torpedo",           6, "torpedo-fighters",     loads=(TORPEDOES,)),
        _fighter("graser",            7, "graser-fighters",
                 at_ships=grasers, by_level=BY_GRASERS, drain=2),
        _fighter("plasma",            7, "plasma-fighters",      at_ships=plasma, drain=2),
        _fighter("mkp",               6, "mkp-fighters",         CANNON,
                 builder="MKP", loads=(PENETRATORS,)),
        _fighter("missile",           4, "missile-fighters",     LIGHT, CANNON, loads=(MISSILES,)),
        _fighter("multi-role",        4, "multi-role-fighters",  CANNON, builder="multiRole",
                 roles=ROLES, roles_agreed=("missile", "assault-shuttle"),
                 roles_chosen=("torpedo", "graser", "plasma", "mkp")),
        _fighter("assault-shuttle",   1, "assault-shuttles",     builder="assault",
                 at_ships=no_fire, loads=(SHUTTLES,)),
        # The book only names these: the figures are ours, by the pattern of those above.
        _fighter("emp",               7, "emp-fighters",         option=NAMED_CRAFT,
                 at_ships=emp, by_level=BY_EMP, drain=2, energy=False, jams=True),
        _fighter("needle",            7, "needle-fighters",      option=NAMED_CRAFT,
                 at_ships=needles, by_level=BY_NEEDLES, drain=2, energy=False, snipes=True),
        _fighter("rocket",            4, "rocket-fighters",      CANNON, option=NAMED_CRAFT,
                 loads=(ROCKETS,)),
    ),
    (
        #    name                     points     technology
        Mod("heavy", _heavy,          points=3,  needs="heavy-fighters",      builder="heavy"),
        Mod("fast", _fast,            points=1,  needs="fast-fighters",       builder="fast"),
        Mod("long-range", _long_range, points=1, needs="long-range-fighters", builder="longRange"),
        Mod("ftl", _ftl,              points=1,  needs="ftl-fighters",        builder="ftl"),
        Mod("robot", _robot,          points=-1, needs="robot-fighters",      builder="robot"),
        Mod(LIGHT, _light,
            excludes=(("heavy", "long-range"), phrase("light fighters cannot be {other}")),
            restricted_to=(
                "no-light-type",
                phrase("there are no light {type} fighters; light fighters can be {types}"),
            )),
        Mod(CANNON, _cannon, needs=GUN_FIGHTERS,
            restricted_to=(
                "no-cannon", phrase("{type} fighters cannot have cannon instead of beams")
            )),
    ),
)
# fmt: on
