"""Gunboats of Continuum: between small ships and large fighters, six to a squadron, each with a weapon of ships.

The rows say what they cost, ask for and may be, which is what its yards need; a rule that flies them adds what they do.
Rules: Continuum "Gunboat types" 9.2 [pc.gunboats]; Continuum "Boat bay" 13.12 [pc.boat-bays]
"""

from __future__ import annotations

from dataclasses import replace

from engine.craft.craft_type import CraftTrait, CraftType, Family, Mod

BERTH, FTL_BERTH = 3, 4  # mass of one in a boat bay


def _boat(type_: str, points: int, needs: str, builder: str = "") -> CraftType:
    names = ((builder or type_, ()),)
    return CraftType(f"{type_}-gunboat", type_, berth=BERTH, points=points, needs=(needs,), builder=names)


def _ftl(row: CraftType) -> CraftType:
    return replace(row, berth=FTL_BERTH, traits=(*row.traits, CraftTrait.FTL))


ONE_LEVEL = "the ECM of a squadron must be of one level"

# Points of a mod are for each boat: a squadron's 6 and 12, and 3 for each of up to three levels.
# fmt: off
CONTINUUM = Family(
    "gunboats",
    (
        #     type        points  technology               builder's name
        _boat("beam",           9, "beam-gunboats"),
        _boat("plasma",         9, "plasma-gunboats"),
        _boat("graser",         9, "graser-gunboats"),
        _boat("gatling",       15, "gatling-gunboats"),
        _boat("needle",         9, "needle-gunboats"),
        _boat("pulse-torpedo", 12, "torpedo-gunboats",     "pulseTorpedo"),
        _boat("submunition",   12, "submunition-gunboats"),
        _boat("mkp",           15, "mkp-gunboats"),
        _boat("k-gun",         12, "k-gun-gunboats",       "kGun"),
        _boat("missile",       12, "missile-gunboats"),
        _boat("rocket",        12, "rocket-gunboats"),
        _boat("point-defence",  9, "gunboats",             "pointDefense"),
        _boat("area-defence",  12, "ads-gunboats",         "ads"),
        _boat("scatterpack",   15, "scatterpack-gunboats"),
        _boat("plasma-bomber", 15, "plasma-bombers",       "plasmaBomber"),
    ),
    (
        Mod("ftl",   _ftl, points=1, needs="ftl-gunboats"),
        Mod("heavy", points=2, needs="heavy-gunboats"),
        Mod("ecm-1", points=3, needs="ecm-gunboats", apart=(("ecm-2", "ecm-3"), ONE_LEVEL)),
        Mod("ecm-2", points=6, needs="ecm-gunboats", apart=(("ecm-3",), ONE_LEVEL)),
        Mod("ecm-3", points=9, needs="ecm-gunboats"),
    ),
    craft="gunboats",
    group="squadron",
    mixed=True,
)
# fmt: on
