"""Gunboats of Continuum: smaller than ships, six to a squadron, each with a ship's weapon.

Rules: Continuum "Gunboat rules" 9.1, "Gunboat types" 9.2 [pc.gunboats]; Continuum "Boat bay" 13.12
[pc.boat-bays]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine.core.reason import reason
from engine.core.terms import NAMED_CRAFT
from engine.craft.craft_type import Armament, CraftTrait, CraftType, Family, Fire, Mod, no_fire
from engine.craft.fire import (
    against_boats,
    by_sixes,
    dogfight,
    last_shots,
    light_beams,
    point_defence_fire,
    scatterpack_fire,
    ship_weapon_fire,
    two_band_beams,
)
from engine.weapons.beams import fire_beam
from engine.weapons.boarding_torpedoes import fire_boarding_torpedo
from engine.weapons.emp import fire_emp
from engine.weapons.grasers import fire_graser
from engine.weapons.gravitic import fire_gravitic
from engine.weapons.guard import AT_BOATS, BY_PDS, SUPPORT_REACH, PointDefenceTarget
from engine.weapons.kinetics import fire_k_gun, fire_penetrator
from engine.weapons.missiles import fire_pack
from engine.weapons.needles import fire_needle
from engine.weapons.plasma import fire_plasma_cannon
from engine.weapons.point_defence import roll_scattergun
from engine.weapons.torpedoes import fire_torpedo

# Mass of one boat in a boat bay.
BERTH = 3
FTL_BERTH = 4

BOATS = "boats"  # the name of a squadron's weapons in orders
SPEED = 18.0  # MU a turn
ENDURANCE = 6
REACH = 12.0  # MU
HARD_TO_HIT = -1  # modifier of all fire at heavy gunboats
GATLING_NEAR = 6.0  # MU
GATLING = (6, 2, GATLING_NEAR)  # beam dice near and far, and the limit between them in MU
MISSILES = Armament("missiles", reach=REACH, rounds=4, launches="salvo-rack", salvo=4)
ROCKETS = Armament("rockets", reach=REACH, rounds=4, launches="rocket-pod", at_target=True)
BOMBS = Armament("plasma-bolts", reach=REACH, rounds=2, launches="plasma-bolt", dropped=True)
PDS = 2  # point defence systems of a point defence boat
ADS_CLOSE = 2  # dice of an area defence boat within 6 MU
BEAMS = 2  # beams of class 1 on a beam boat; EMP and gravitic boats carry as many


def _boat(
    type_: str,
    points: int,
    needs: str,
    builder: str = "",
    *,
    at_ships: Fire = no_fire,
    rounds: int = 0,
    at_craft: Fire = no_fire,
    loads: tuple[Armament, ...] = (),
    **columns: Any,
) -> CraftType:
    """Return a gunboat type.

    Args:
        at_ships: The dice of the ship's weapon that each boat carries.
        rounds: For how many shots; 0 means every turn.
        at_craft: Its dice at fighters.
        loads: What it launches.
        columns: Further fields of the armament.
    """
    names = ((builder or type_, ()),)
    at_boats = against_boats(at_ships) if at_ships is not no_fire and not rounds else None
    weapons = Armament(
        BOATS,
        at_ships=at_ships,
        at_craft=at_craft,
        reach=REACH,
        rounds=rounds,
        at_boats=at_boats,
        with_ships=True,
    )
    exhausted_fire = last_shots if at_craft is not no_fire else no_fire
    return CraftType(
        id=f"{type_}-gunboat",
        type=type_,
        guns=replace(weapons, **columns),
        loads=loads,
        exhausted_fire=exhausted_fire,
        speed=SPEED,
        endurance=ENDURANCE,
        berth=BERTH,
        points=points,
        needs=(needs,),
        builder=names,
        word="gunboats",
        outline="gunboat",
    )


def _named(weapon: str, row: CraftType) -> CraftType:
    """Return a type that the book only names: it needs an option and its weapon's technology.

    Its figures are ours: 3 points for each mass of a boat.

    Rules: Continuum "Gunboat rules" 9.1, "The Imperial tech base" 15.8 [pc.named-craft]
    """
    return replace(row, needs=("gunboats", weapon), option=NAMED_CRAFT, builder=())


def _heavy(row: CraftType) -> CraftType:
    """Return the heavy version of a gunboat, which is harder to hit."""
    return replace(row, modifier=HARD_TO_HIT)


def _ecm(level: int) -> Callable[[CraftType], CraftType]:
    """Return the change that gives a boat ECM of a level.

    Rules: Continuum "Electronic warfare gunboat" 9.2 [pc.gunboats]
    """
    return lambda row: replace(row, ecm=level)


def _ftl(row: CraftType) -> CraftType:
    """Return the version of a gunboat with an FTL drive, which takes a larger berth."""
    return replace(row, berth=FTL_BERTH, traits=(*row.traits, CraftTrait.FTL))


ONE_LEVEL = reason("one-level", "all boats of a squadron must have the same ECM level")

# Points of a modification are per boat: 6 and 12 for a squadron of six, and 3 for each ECM level.
# fmt: off
CONTINUUM = Family(
    "gunboats",
    (
        _boat("beam",            points=9, needs="beam-gunboats",
              at_ships=ship_weapon_fire(fire_beam, times=BEAMS), at_craft=light_beams(BEAMS),
              at_ordnance=0, ordnance_dice=BEAMS, energy=True),
        _boat("plasma",          points=9, needs="plasma-gunboats",
              at_ships=ship_weapon_fire(fire_plasma_cannon), at_craft=by_sixes, energy=True),
        _boat("graser",          points=9, needs="graser-gunboats",
              at_ships=ship_weapon_fire(fire_graser), at_craft=by_sixes, energy=True),
        _boat("gatling",        points=15, needs="gatling-gunboats",
              at_ships=ship_weapon_fire(two_band_beams(*GATLING)), at_craft=dogfight(),
              at_ordnance=0, kills=BY_PDS, near=GATLING_NEAR, narrow=True, energy=True),
        _boat("needle",          points=9, needs="needle-gunboats",
              at_ships=ship_weapon_fire(fire_needle), at_craft=by_sixes, snipes=True),
        _boat("pulse-torpedo",  points=12, needs="torpedo-gunboats",     builder="pulseTorpedo",
              at_ships=ship_weapon_fire(fire_torpedo, variant="short"), at_craft=by_sixes),
        _boat("submunition",    points=12, needs="submunition-gunboats",
              at_ships=ship_weapon_fire(fire_pack), rounds=2),
        _boat("mkp",            points=15, needs="mkp-gunboats",
              at_ships=ship_weapon_fire(fire_penetrator), rounds=2),
        _boat("k-gun",          points=12, needs="k-gun-gunboats",       builder="kGun",
              at_ships=ship_weapon_fire(fire_k_gun, size=2, variant="short"), at_craft=by_sixes),
        _boat("missile",        points=12, needs="missile-gunboats",     loads=(MISSILES,)),
        _boat("rocket",         points=12, needs="rocket-gunboats",      loads=(ROCKETS,)),
        _boat("point-defence",   points=9, needs="gunboats",             builder="pointDefense",
              at_craft=point_defence_fire(PDS), at_boats=point_defence_fire(PDS, modifier=AT_BOATS),
              at_ordnance=0, ordnance_dice=PDS, kills=BY_PDS, reach=SUPPORT_REACH, guards=True),
        _boat("area-defence",   points=12, needs="ads-gunboats",         builder="ads",
              at_craft=point_defence_fire(1, ADS_CLOSE),
              at_boats=point_defence_fire(1, ADS_CLOSE, AT_BOATS),
              at_ordnance=0, close_dice=ADS_CLOSE, kills=BY_PDS, guards=True),
        _boat("scatterpack",    points=15, needs="scatterpack-gunboats",
              at_craft=scatterpack_fire(PointDefenceTarget.FIGHTERS),
              at_boats=scatterpack_fire(PointDefenceTarget.GUNBOATS),
              at_ordnance=0, bursts=roll_scattergun, rounds=2, reach=SUPPORT_REACH, guards=True),
        _boat("plasma-bomber",  points=15, needs="plasma-bombers",
              builder="plasmaBomber", loads=(BOMBS,)),
        # The book only names these.
        _named("emp", _boat("emp", points=9, needs="gunboats",
               at_ships=ship_weapon_fire(fire_emp, times=BEAMS),
               at_craft=light_beams(BEAMS, rerolls=False),
               at_ordnance=0, ordnance_dice=BEAMS, rerolls=False, jams=True)),
        _named("gravitic-guns", _boat("gravitic", points=9, needs="gunboats",
               at_ships=ship_weapon_fire(fire_gravitic, times=BEAMS), at_craft=by_sixes,
               energy=True)),
        _named("boarding-torpedoes", _boat("boarding-torpedo", points=9, needs="gunboats",
               at_ships=ship_weapon_fire(fire_boarding_torpedo), rounds=1)),
    ),
    (
        Mod("ftl", _ftl, points=1, needs="ftl-gunboats"),
        Mod("heavy", _heavy, points=2, needs="heavy-gunboats"),
        Mod("ecm-1", _ecm(1), points=3, needs="ecm-gunboats",
            excludes=(("ecm-2", "ecm-3"), ONE_LEVEL)),
        Mod("ecm-2", _ecm(2), points=6, needs="ecm-gunboats", excludes=(("ecm-3",), ONE_LEVEL)),
        Mod("ecm-3", _ecm(3), points=9, needs="ecm-gunboats"),
    ),
    craft="gunboats",
    group="squadron",
    mixed=True,
)
# fmt: on
