"""What the ftLibShip ship builder calls the systems, fighters and gunboats that are called
otherwise here.

A system there has a name and fields that tell its models apart; here it has a type and a model.
Where a type has classes, both write them as `class`. Systems that carry something, drives and
turrets are told in ftlibship.py.
"""

from __future__ import annotations

from typing import Any

from engine.craft.craft_type import Family
from engine.craft.registry import family_of
from engine.weapons.registry import weapons_of

GROUPS = ("systems", "weapons", "ordnance")
# (group, name, fields that tell its models apart): (type, model)
NameMapping = tuple[tuple[str, str, dict[str, Any]], tuple[str, str]]
NAMES: tuple[NameMapping, ...] = (  # of what is no weapon
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
    ),  # a hangar, where the ship has launch tubes
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
BAY_RATIOS = {
    "cargo": "1",
    "passenger": "0.25",
    "troop": "1/3",
    "boat": "1.5",
    "tender": "1.5",
}  # mass for each room


def craft_family(name: str) -> Family:
    """A family of craft that the builder knows, `fighters` or `gunboats`."""
    family = family_of("continuum", name)
    assert family is not None
    return family


def craft_names(family: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Every name of the builder for craft of a family, with the type and the modifications here."""
    return {
        builder_name: (row.type, mods)
        for row in craft_family(family).types
        for builder_name, mods in row.builder
    }


def mod_names(family: str) -> dict[str, str]:
    """The builder's names for what modifies craft of a family, with those here."""
    return {mod.builder: mod.name for mod in craft_family(family).mods if mod.builder}


def builder_names() -> tuple[NameMapping, ...]:
    """Every name of the builder, with the type and the model here; weapons say their own in their
    rows.
    """
    weapon_names = (
        (weapon.type, name)
        for weapon in weapons_of("continuum").values()
        for name in weapon.builder
    )
    return (
        *NAMES,
        *(
            (
                (builder_name.group, builder_name.name, dict(builder_name.fields)),
                (type_, builder_name.model),
            )
            for type_, builder_name in weapon_names
        ),
    )


def model_fields(name: str) -> tuple[str, ...]:
    """The fields that tell the models of one name apart."""
    return tuple(
        dict.fromkeys(
            field
            for (_, builder_name, fields), _ in builder_names()
            if builder_name == name
            for field in fields
        )
    )
