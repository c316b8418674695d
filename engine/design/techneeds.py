"""What technologies a design asks for, system by system, and which of them a faction lacks.

A system's row in the price list names those it asks for; this adds hulls, upgrades and what systems hold.

What the master list does not name needs none: crew, holds, tender bays; and what stands under an option of its own
(nova cannon, wave gun, reflex field) the option decides.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.errors import Violation, place
from engine.design.techbase import TechBase, named
from engine.design.value import Design, Fitting
from engine.pricelists.defences import DEFENCES
from engine.pricelists.ordnance import ORDNANCE
from engine.pricelists.outfit import OUTFIT
from engine.weapons.registry import derived, wares_of

Need = tuple[str, tuple[str, ...]]  # a place in the design, and technologies of which any one will do

FLAGS = {"flak": "flak", "overload": "overloaded-torpedoes", "catapult": "catapult"}
LOADS = {"extended": "extended-salvoes", "two-stage": "extended-salvoes", "boarding": "boarding-torpedoes"}
FIGHTERS = {
    "standard": "beam-fighters", "interceptor": "interceptors", "attack": "attack-fighters",
    "torpedo": "torpedo-fighters", "graser": "graser-fighters", "plasma": "plasma-fighters", "mkp": "mkp-fighters",
    "missile": "missile-fighters", "multi-role": "multi-role-fighters", "assault-shuttle": "assault-shuttles",
}  # fmt: skip
FIGHTER_MODS = {
    "heavy": "heavy-fighters", "fast": "fast-fighters", "long-range": "long-range-fighters", "ftl": "ftl-fighters",
    "robot": "robot-fighters", "cannon": "gun-fighters",
}  # fmt: skip
GUNBOATS = {
    "beam": "beam-gunboats", "plasma": "plasma-gunboats", "graser": "graser-gunboats", "gatling": "gatling-gunboats",
    "needle": "needle-gunboats", "pulse-torpedo": "torpedo-gunboats", "submunition": "submunition-gunboats",
    "mkp": "mkp-gunboats", "k-gun": "k-gun-gunboats", "missile": "missile-gunboats", "rocket": "rocket-gunboats",
    "point-defence": "gunboats", "area-defence": "ads-gunboats", "scatterpack": "scatterpack-gunboats",
    "plasma-bomber": "plasma-bombers",
}  # fmt: skip
GUNBOAT_MODS = {
    "ftl": "ftl-gunboats", "heavy": "heavy-gunboats", "ecm-1": "ecm-gunboats", "ecm-2": "ecm-gunboats",
    "ecm-3": "ecm-gunboats",
}  # fmt: skip
MAGAZINE = "magazine"
HANGARS = ("hangar", "combined-hangar", "fighter-rack")
RACKS = ("gunboat-rack", "boat-bay")
ADVANCED_ROWS = 3  # of a hull


def missing(design: Design, base: TechBase | None) -> tuple[Violation, ...]:
    """Every technology that a design needs and a faction lacks, at the place of what needs it.

    Without a tech base everything may be built.

    Rules: Continuum "The Imperial tech base" 15.1 [camp.tech-base]
    """
    if base is None:
        return ()
    had = base.had
    found = [
        Violation(where, "missing-technology", f"needs the technology {named(ids)}, which {_whose(base)} lacks")
        for where, ids in needs(design)
        if not any(id_ in had for id_ in ids)
    ]
    return tuple(dict.fromkeys(found))


def _whose(base: TechBase) -> str:
    return base.name or "this faction"


def needs(design: Design) -> tuple[Need, ...]:
    """What a design asks for, in its own order: hull, armour and drives first, then the systems.

    Rules: Continuum "The Imperial tech base" 15.1 [camp.tech-base]
    """
    return (
        *_ship(design),
        *(
            need
            for n, item in enumerate(design.systems)
            for need in _fitting(place("systems", n), item, design.edition)
        ),
    )


def _ship(design: Design) -> Iterator[Need]:
    if design.hull_rows == ADVANCED_ROWS:
        yield "hull.rows", ("advanced-hull",)
    if design.drive == "advanced":
        yield "drive", ("advanced-drive",)
    if design.ftl == "advanced" or design.advanced_tug:
        yield "ftl", ("advanced-ftl",)
    for number, (standard, regenerative) in enumerate(design.armour):
        where = place("armour", number)
        if standard:
            yield where, ("armour",)
        if regenerative:
            yield where, ("regenerative-armour",)
        if number:
            yield where, ("layered-armour",)
    if design.stealth:
        yield "stealth", ("stealth-hull",)


@derived
def _asked_for(edition: str, type_: str, size: int, model: str) -> tuple[str, ...]:
    """The technologies that the price list's row of a system names."""
    rows = (*wares_of(edition), *DEFENCES, *ORDNANCE, *OUTFIT)
    return next((row.needs for row in rows if (row.type, row.size, row.model) == (type_, size, model)), ())


def _fitting(where: str, item: Fitting, edition: str) -> Iterator[Need]:
    """What one row of a design asks for: the system, its upgrades, and what it holds."""
    for technology in _asked_for(edition, item.type, item.size, item.variant):
        yield where, (technology,)
    for flag in item.flags:
        if flag in FLAGS:
            yield f"{where}.{flag}", (FLAGS[flag],)
    yield from held(f"{where}.load", item.type, [kind for kind, number in item.load if number], item.mods)


def held(where: str, type_: str, kinds: list[str], mods: tuple[str, ...]) -> Iterator[Need]:
    """What the missiles, fighters or gunboats in a system of this type ask for.

    Light fighters come with the type they are made from.
    """
    cannon = "cannon" in mods
    kinds_known: dict[str, str] = LOADS if type_ == MAGAZINE else {}
    mods_known: dict[str, str] = {}
    if type_ in HANGARS:
        kinds_known, mods_known = FIGHTERS, FIGHTER_MODS
    elif type_ in RACKS:
        kinds_known, mods_known = GUNBOATS, GUNBOAT_MODS
    for kind in kinds:
        if kind in kinds_known and not (kind == "standard" and cannon):
            yield where, (kinds_known[kind],)
    for mod in mods:
        if mod in mods_known:
            yield where, (mods_known[mod],)
