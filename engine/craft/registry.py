"""Look-up of craft types by id, and the list of families.

Add a new family to FAMILIES, and a new type to its family.

The id of a group's contents is the id of its type, followed by its modifications
(`attack-fighter+light+fast`), each applied to the type before it, and by its role
(`multi-role-fighter+heavy=attack`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import ModuleType

from engine.core.edition import EDITIONS, Edition
from engine.craft import fighters, gunboats
from engine.craft.craft_type import ROLE, CraftType, Family, Mod
from engine.craft.mixed_squadrons import AND, mixed_row, parts_of

FAMILIES: tuple[ModuleType, ...] = (fighters, gunboats)

_FAMILIES: dict[tuple[Edition, str], Family] = {}
ROWS: dict[str, CraftType] = {}  # every type that has been looked up


def _register(edition: Edition, family: Family) -> None:
    """Add or replace a family, and forget the types built before."""
    _FAMILIES[edition, family.name] = family
    ROWS.clear()


for _edition in EDITIONS:
    for _module in FAMILIES:
        if hasattr(_module, Edition(_edition).name):
            _register(Edition(_edition), getattr(_module, Edition(_edition).name))


def family_of(edition: str, name: str) -> Family | None:
    """Return the family of an edition with that name in price lists, or None."""
    return _FAMILIES.get((Edition(edition), name))


def craft_type(id_: str) -> CraftType:
    """Return a type by its id with modifications and role.

    Raises:
        KeyError: There is no such type.
    """
    row = ROWS.get(id_)
    if row is not None:
        return row
    return _build_row(id_)


def _build_row(id_: str) -> CraftType:
    """Build the type of an id and remember it.

    Raises:
        KeyError: There is no such type.
    """
    base_id, _, role = id_.partition(ROLE)
    first, *names = base_id.split("+")
    if AND in first:
        parts = []
        for part, number in parts_of(first):
            parts.append((craft_type("+".join((part, *names))), number))
        ROWS[id_] = mixed_row(id_, parts)
        return ROWS[id_]
    for family in _FAMILIES.values():
        for row in family.types:
            if row.id == first:
                built = _modify(family, row, names, role)
                if built is None:
                    raise KeyError(id_)
                ROWS[id_] = built
                return built
    raise KeyError(id_)


def _modify(family: Family, row: CraftType, mods: list[str], role: str) -> CraftType | None:
    """Return a type with modifications and a role, or None if it cannot have them."""
    if any(family.mod(name) is None for name in mods):
        return None
    modified = family.modified(row, mods)
    if role:
        return family.as_role(modified, role)
    return modified


@contextmanager
def temporary_types(
    edition: Edition, family: str, types: Iterable[CraftType], mods: Iterable[Mod] = ()
) -> Iterator[None]:
    """Add types and modifications to a family of an edition inside a `with` block.

    Raises:
        ValueError: A name is taken.
    """
    before = _FAMILIES[edition, family]
    types = tuple(types)
    mods = tuple(mods)
    ids = set()
    for known_family in _FAMILIES.values():
        for row in known_family.types:
            ids.add(row.id)
    used_names = [row.id for row in types if row.id in ids]
    used_names += [mod.name for mod in mods if before.mod(mod.name)]
    if used_names:
        raise ValueError(f"there are such craft already: {', '.join(used_names)}")
    _register(edition, replace(before, types=(*before.types, *types), mods=(*before.mods, *mods)))
    try:
        yield
    finally:
        _register(edition, before)
