"""Finds a weapon's row by its edition and type; lists the families of weapons.

A new family is added to FAMILIES, a new weapon to its family's rows. Whatever is worked out from
the rows is worked out when it is asked for, and kept by `derived`, never copied at import: a weapon
registered for a while (`registered`) is seen everywhere, and gone everywhere afterwards.
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

# The shelves of a designer's palette: what a family is found under.
CATEGORIES: tuple[tuple[str, tuple[ModuleType, ...]], ...] = (
    ("Guns", (beams, emp, grasers, phasers, transporters, gravitic, pulsers, needles, fusion)),
    (phrase("Torpedoes and plasma"), (torpedoes, plasma)),
    (phrase("Kinetic weapons"), (kinetics,)),
    ("Missiles", (missiles, antimatter, boarding_torpedoes)),
    (phrase("Along the keel"), (spinal, nova, wave)),
    (phrase("Point defence"), (point_defence,)),
    ("Mines", (mines,)),
)
OTHER_WEAPONS = phrase("Other weapons")
WEAPON_CATEGORIES = (*(title for title, _ in CATEGORIES), OTHER_WEAPONS)

_WEAPONS_BY_EDITION: dict[str, dict[str, Weapon]] = {
    edition: {
        weapon.type: weapon for family in FAMILIES for weapon in getattr(family, edition.name, ())
    }
    for edition in EDITIONS
}


def weapons_of(edition: str) -> Mapping[str, Weapon]:
    """Every weapon of an edition by its type, in the order of the families.

    Raises KeyError for an unknown edition.
    """
    return _WEAPONS_BY_EDITION[edition]


def weapon_of(edition: str, type_: str) -> Weapon:
    """The row of a type of system in an edition, NO_WEAPON where that is none."""
    return _WEAPONS_BY_EDITION[edition].get(type_, NO_WEAPON)


def all_weapons() -> Iterator[Weapon]:
    """Every weapon of every edition."""
    for weapons in _WEAPONS_BY_EDITION.values():
        yield from weapons.values()


@contextmanager
def temporary_weapons(edition: str, *weapons: Weapon) -> Iterator[None]:
    """These weapons belong to an edition for a while.

    Raises ValueError where a type of theirs is taken.
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
    """The types of an edition's weapons that have any of these traits; "" for weapons of every
    edition.
    """
    weapons = all_weapons() if not edition else _WEAPONS_BY_EDITION[edition].values()
    return tuple(
        dict.fromkeys(
            weapon.type for weapon in weapons if any(trait in weapon.traits for trait in traits)
        )
    )


def specs_of(edition: str) -> tuple[SystemSpec, ...]:
    """The rows of an edition's weapons in a table of systems sold by the piece."""
    return tuple(spec for weapon in _WEAPONS_BY_EDITION[edition].values() for spec in weapon.specs)


@rules_cache
def system_prices_of(edition: str) -> tuple[SystemPrice, ...]:
    """The rows of an edition's weapons in a price list by mass."""
    return tuple(
        system_price
        for weapon in _WEAPONS_BY_EDITION[edition].values()
        for system_price in weapon.system_prices
    )


def category_of(edition: str, type_: str) -> str:
    """The shelf of a weapon, "" of what is none."""
    weapon = _WEAPONS_BY_EDITION[edition].get(type_)
    if weapon is None:
        return ""
    for title, families in CATEGORIES:
        if any(weapon in getattr(family, Edition(edition).name, ()) for family in families):
            return title
    return OTHER_WEAPONS


def word_of(type_: str) -> str:
    """The name of a weapon on pages, "" where it is no weapon or goes by its type."""
    return next((weapon.word for weapon in all_weapons() if weapon.type == type_), "")
