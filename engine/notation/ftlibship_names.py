"""The names of systems, fighters and gunboats in the ftLibShip ship builder and here.

A system of ftLibShip has a name and fields that distinguish its models; here it has a type and a
model. Where a type has classes, both write `class`. The import and export modules handle drives,
turrets and systems that carry something.
"""

from __future__ import annotations

from typing import Any

from engine.craft.craft_type import Family
from engine.craft.registry import family_of
from engine.weapons.registry import weapons_of

GROUPS = ("systems", "weapons", "ordnance")
# (group, name, fields that distinguish its models): (type, model)
NameMapping = tuple[tuple[str, str, dict[str, Any]], tuple[str, str]]
NAMES: tuple[NameMapping, ...] = (  # all systems except weapons
    (("systems", "fireControl", {}), ("firecon", "")),
    (("systems", "fireControl", {"advanced": True}), ("advanced-firecon", "")),
    (("systems", "adfc", {}), ("adfc", "")),
    (("systems", "adfc", {"advanced": True}), ("advanced-adfc", "")),
    (("systems", "sensors", {}), ("enhanced-sensors", "")),
    (("systems", "sensors", {"advanced": True}), ("superior-sensors", "")),
    (("systems", "screen", {}), ("screen", "")),
    (("systems", "screen", {"advanced": True}), ("advanced-screen", "")),
    (("systems", "screen", {"area": True}), ("area-screen", "")),
    (("systems", "screen", {"advanced": True, "area": True}), ("advanced-area-screen", "")),
    (("systems", "ecm", {}), ("ecm", "")),
    (("systems", "ecm", {"area": True}), ("area-ecm", "")),
    (("systems", "mineSweeper", {}), ("minesweeper", "")),
    (("systems", "damageControl", {}), ("damage-control", "")),
    (("systems", "marines", {}), ("marines", "")),
    (("systems", "stealthField", {}), ("stealth-field", "")),
    (("systems", "holofield", {}), ("holofield", "")),
    (("systems", "cloakDevice", {}), ("cloaking-device", "")),
    (("systems", "cloakField", {}), ("cloaking-field", "")),
    (("systems", "ortillery", {}), ("ortillery", "")),
    (("systems", "reflex", {}), ("reflex-field", "")),
    (("systems", "shroud", {}), ("shroud", "")),
    (("systems", "decoy", {"type": "cruiser"}), ("weasel", "cruiser")),
    (("systems", "decoy", {"type": "capital"}), ("weasel", "capital")),
    (("systems", "launchTube", {}), ("launch-tube", "")),
    (
        ("systems", "hangar", {}),
        ("combined-hangar", ""),
    ),  # becomes `hangar` on ships with launch tubes
    (("systems", "hangar", {"isRack": True}), ("fighter-rack", "")),
    (("systems", "gunboatRack", {}), ("gunboat-rack", "")),
    (("systems", "magazine", {}), ("magazine", "")),
    (("systems", "boardingTorpedoMagazine", {}), ("magazine", "")),
    (("systems", "turret", {}), ("turret", "")),
    (("systems", "bay", {"type": "cargo"}), ("hold", "")),
    (("systems", "bay", {"type": "passenger"}), ("passengers", "")),
    (("systems", "bay", {"type": "troop"}), ("troops", "")),
    (("systems", "bay", {"type": "boat"}), ("boat-bay", "")),
    (("systems", "bay", {"type": "tender"}), ("tender-bay", "")),
)
MAGAZINES = {"": "standard", "er": "extended", "twostage": "two-stage"}
# Mass per unit of capacity.
BAY_RATIOS = {
    "cargo": "1",
    "passenger": "0.25",
    "troop": "1/3",
    "boat": "1.5",
    "tender": "1.5",
}


def craft_family(name: str) -> Family:
    """Return a family of craft that the builder knows, `fighters` or `gunboats`."""
    family = family_of("continuum", name)
    assert family is not None
    return family


def craft_names(family: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return the type and modifications here, by the builder's name for craft of a family."""
    result: dict[str, tuple[str, tuple[str, ...]]] = {}
    for row in craft_family(family).types:
        for builder_name, mods in row.builder:
            result[builder_name] = (row.type, mods)
    return result


def mod_names(family: str) -> dict[str, str]:
    """Return the name of each craft modification here, by the builder's name."""
    return {mod.builder: mod.name for mod in craft_family(family).mods if mod.builder}


def builder_names() -> tuple[NameMapping, ...]:
    """Return every name of the builder with the type and model here.

    Those of weapons come from the weapons' rows.
    """
    weapon_names: list[NameMapping] = []
    for weapon in weapons_of("continuum").values():
        for builder in weapon.builder:
            builder_key = (builder.group, builder.name, dict(builder.fields))
            weapon_names.append((builder_key, (weapon.type, builder.model)))
    return (*NAMES, *weapon_names)


def model_fields(name: str) -> tuple[str, ...]:
    """Return the fields that distinguish the models with one name."""
    result: dict[str, None] = {}
    for (_, builder_name, fields), _ in builder_names():
        if builder_name == name:
            result |= dict.fromkeys(fields)
    return tuple(result)
