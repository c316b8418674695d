"""Gunboats of Continuum: between small ships and large fighters, six to a squadron, each with a weapon of ships.

Rules: Continuum "Gunboat rules" 9.1, "Gunboat types" 9.2 [pc.gunboats]; Continuum "Boat bay" 13.12 [pc.boat-bays]
"""

from __future__ import annotations

from dataclasses import replace

from engine.craft.craft_type import Armament, CraftTrait, CraftType, Family, Fire, Mod, no_fire
from engine.craft.fire import banded, carried
from engine.weapons.beams import beam
from engine.weapons.grasers import graser
from engine.weapons.kinetics import k_gun, penetrator
from engine.weapons.missiles import pack
from engine.weapons.needles import needle
from engine.weapons.plasma import plasma_cannon
from engine.weapons.torpedoes import torpedo

BERTH, FTL_BERTH = 3, 4  # mass of one in a boat bay


BOATS = "boats"  # what orders call the weapons of a squadron
SPEED, ENDURANCE, REACH = 18.0, 6, 12.0
HARD_TO_HIT = -1  # to all fire at heavy ones
GATLING = (6, 2, 6.0)  # beam dice near and far, and MU up to where they are near


def _boat(
    type_: str, points: int, needs: str, builder: str = "", *, at_ships: Fire = no_fire, rounds: int = 0
) -> CraftType:
    """A row: what each boat carries of a ship's weapon, and for how many shots (0: turn by turn)."""
    names = ((builder or type_, ()),)
    weapons = Armament(BOATS, at_ships=at_ships, reach=REACH, rounds=rounds)
    return CraftType(
        f"{type_}-gunboat", type_, weapons, speed=SPEED, endurance=ENDURANCE, berth=BERTH, points=points,
        needs=(needs,), builder=names,
    )  # fmt: skip


def _heavy(row: CraftType) -> CraftType:
    return replace(row, modifier=HARD_TO_HIT)


def _ftl(row: CraftType) -> CraftType:
    return replace(row, berth=FTL_BERTH, traits=(*row.traits, CraftTrait.FTL))


ONE_LEVEL = "the ECM of a squadron must be of one level"

# Points of a mod are for each boat: a squadron's 6 and 12, and 3 for each of up to three levels.
# fmt: off
CONTINUUM = Family(
    "gunboats",
    (
        #     type        points  technology               builder's name
        _boat("beam",           9, "beam-gunboats", at_ships=carried(beam, times=2)),
        _boat("plasma",         9, "plasma-gunboats", at_ships=carried(plasma_cannon)),
        _boat("graser",         9, "graser-gunboats", at_ships=carried(graser)),
        _boat("gatling",       15, "gatling-gunboats", at_ships=carried(banded(*GATLING))),
        _boat("needle",         9, "needle-gunboats", at_ships=carried(needle)),
        _boat("pulse-torpedo", 12, "torpedo-gunboats",     "pulseTorpedo", at_ships=carried(torpedo, variant="short")),
        _boat("submunition",   12, "submunition-gunboats", at_ships=carried(pack), rounds=2),
        _boat("mkp",           15, "mkp-gunboats", at_ships=carried(penetrator), rounds=2),
        _boat("k-gun",         12, "k-gun-gunboats",       "kGun", at_ships=carried(k_gun, 2, "short")),
        _boat("missile",       12, "missile-gunboats"),
        _boat("rocket",        12, "rocket-gunboats"),
        _boat("point-defence",  9, "gunboats",             "pointDefense"),
        _boat("area-defence",  12, "ads-gunboats",         "ads"),
        _boat("scatterpack",   15, "scatterpack-gunboats"),
        _boat("plasma-bomber", 15, "plasma-bombers",       "plasmaBomber"),
    ),
    (
        Mod("ftl",   _ftl, points=1, needs="ftl-gunboats"),
        Mod("heavy", _heavy, points=2, needs="heavy-gunboats"),
        Mod("ecm-1", points=3, needs="ecm-gunboats", apart=(("ecm-2", "ecm-3"), ONE_LEVEL)),
        Mod("ecm-2", points=6, needs="ecm-gunboats", apart=(("ecm-3",), ONE_LEVEL)),
        Mod("ecm-3", points=9, needs="ecm-gunboats"),
    ),
    craft="gunboats",
    group="squadron",
    mixed=True,
)
# fmt: on
