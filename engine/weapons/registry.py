"""Finds a weapon's row by edition and type, and lists the families of weapons.

A new family is added to FAMILIES, a new weapon to its family's rows. Values derived from the rows
are computed on demand and cached by `rules_cache`, never at import, so that `temporary_weapons` can
add weapons for a while.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType

from engine.core.cache import clear_all_caches, rules_cache
from engine.core.edition import EDITIONS, Edition
from engine.core.phrase import phrase
from engine.prices.system_price import SystemPrice, SystemSpec
from engine.weapons import (
    antimatter,
    beams,
    boarding_torpedoes,
    emp,
    fusion,
    grasers,
    gravitic,
    kinetics,
    mines,
    missiles,
    needles,
    nova,
    phasers,
    plasma,
    point_defence,
    pulsers,
    spinal,
    torpedoes,
    transporters,
    wave,
)
from engine.weapons.weapon import NO_WEAPON, Trait, Weapon

FAMILIES: tuple[ModuleType, ...] = (
    beams,
    emp,
    plasma,
    grasers,
    phasers,
    transporters,
    gravitic,
    pulsers,
    needles,
    torpedoes,
    missiles,
    boarding_torpedoes,
    kinetics,
    fusion,
    spinal,
    nova,
    wave,
    point_defence,
    antimatter,
    mines,
)

# Categories of the design editor's palette, and the families in each.
CATEGORIES: tuple[tuple[str, tuple[ModuleType, ...]], ...] = (
    ("Guns", (beams, emp, grasers, phasers, transporters, gravitic, pulsers, needles, fusion)),
    (phrase("Torpedoes and plasma"), (torpedoes, plasma)),
    (phrase("Kinetic weapons"), (kinetics,)),
    ("Missiles", (missiles, antimatter, boarding_torpedoes)),
    (phrase("Along the keel"), (spinal, nova, wave)),
    (phrase("Point defence"), (point_defence,)),
    ("Mines", (mines,)),
)
# How fire looks in films, and the families in each; the others fire beams. Missiles that fly are
# pieces, so the missiles that fire directly are submunitions.
BEAM_LOOK, BODY_LOOK, FAN_LOOK, DOTS_LOOK = "beam", "torpedo", "pack", "pds"
LOOKS: tuple[tuple[str, tuple[ModuleType, ...]], ...] = (
    (BODY_LOOK, (torpedoes, plasma, boarding_torpedoes)),
    (FAN_LOOK, (kinetics, missiles)),
    (DOTS_LOOK, (point_defence,)),
)
COMMON_TYPE = beams.BEAM  # an example of a type of weapon
OTHER_WEAPONS = phrase("Other weapons")
WEAPON_CATEGORIES = (*(title for title, _ in CATEGORIES), OTHER_WEAPONS)


def _weapons_in(edition: Edition) -> dict[str, Weapon]:
    """Return the weapons of an edition by type, from the rows of all families."""
    weapons: dict[str, Weapon] = {}
    for family in FAMILIES:
        for weapon in getattr(family, edition.name, ()):
            weapons[weapon.type] = weapon
    return weapons


_WEAPONS_BY_EDITION: dict[str, dict[str, Weapon]] = {
    edition: _weapons_in(edition) for edition in EDITIONS
}


def weapons_of(edition: str) -> Mapping[str, Weapon]:
    """Return the weapons of an edition by type, in the order of the families.

    Raises:
        KeyError: If the edition is unknown.
    """
    return _WEAPONS_BY_EDITION[edition]


def weapon_of(edition: str, type_: str) -> Weapon:
    """Return the row of a type of system, NO_WEAPON if it is not a weapon."""
    return _WEAPONS_BY_EDITION[edition].get(type_, NO_WEAPON)


def all_weapons() -> Iterator[Weapon]:
    """Yield every weapon of every edition."""
    for weapons in _WEAPONS_BY_EDITION.values():
        yield from weapons.values()


@contextmanager
def temporary_weapons(edition: str, *weapons: Weapon) -> Iterator[None]:
    """Add weapons to an edition within a `with` block.

    Raises:
        ValueError: If the edition already has one of the types.
    """
    weapons_by_type = _WEAPONS_BY_EDITION[edition]
    duplicates = [weapon.type for weapon in weapons if weapon.type in weapons_by_type]
    if duplicates:
        raise ValueError(f"{edition} has these already: {', '.join(duplicates)}")
    weapons_by_type.update({weapon.type: weapon for weapon in weapons})
    clear_all_caches()
    try:
        yield
    finally:
        for weapon in weapons:
            del weapons_by_type[weapon.type]
        clear_all_caches()


def types_with(edition: str, *traits: Trait) -> tuple[str, ...]:
    """Return the types of an edition's weapons that have any of these traits.

    Args:
        edition: The edition, or "" for all editions.
    """
    weapons = all_weapons() if not edition else _WEAPONS_BY_EDITION[edition].values()
    types: list[str] = []
    for weapon in weapons:
        if weapon.type not in types and not set(traits).isdisjoint(weapon.traits):
            types.append(weapon.type)
    return tuple(types)


def specs_of(edition: str) -> tuple[SystemSpec, ...]:
    """Return the rows of an edition's weapons that are sold by the piece."""
    result: list[SystemSpec] = []
    for weapon in _WEAPONS_BY_EDITION[edition].values():
        result += weapon.specs
    return tuple(result)


@rules_cache
def system_prices_of(edition: str) -> tuple[SystemPrice, ...]:
    """Return the rows of an edition's weapons that are sold by mass."""
    result: list[SystemPrice] = []
    for weapon in _WEAPONS_BY_EDITION[edition].values():
        result += weapon.system_prices
    return tuple(result)


def category_of(edition: str, type_: str) -> str:
    """Return the category of a weapon, "" if the type is not a weapon."""
    weapon = _WEAPONS_BY_EDITION[edition].get(type_)
    if weapon is None:
        return ""
    for title, families in CATEGORIES:
        if any(weapon in getattr(family, Edition(edition).name, ()) for family in families):
            return title
    return OTHER_WEAPONS


@rules_cache
def looks_by_type() -> Mapping[str, str]:
    """Return how the fire of weapons looks by their types, except those that fire beams."""
    looks: dict[str, str] = {}
    for look, families in LOOKS:
        for family in families:
            for edition in EDITIONS:
                for weapon in getattr(family, edition.name, ()):
                    looks[weapon.type] = look
    return looks


def word_of(type_: str) -> str:
    """Return a weapon's name on pages, "" if it has none besides its type."""
    return next((weapon.word for weapon in all_weapons() if weapon.type == type_), "")
