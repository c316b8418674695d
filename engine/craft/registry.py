"""Finds a type of craft by its id; lists the families.

A new family is added to FAMILIES, a new type to its family.

What a group holds is the id of its type; what modifies it stands behind,
`attack-fighter+light+fast`: each word makes another row of the one before it; last what a group is
fitted out as, `multi-role-fighter+heavy=attack`.
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
ROWS: dict[str, CraftType] = {}  # every row that has been asked for


def _register(edition: Edition, family: Family) -> None:
    _FAMILIES[edition, family.name] = family
    ROWS.clear()


for _edition in EDITIONS:
    for _module in FAMILIES:
        if hasattr(_module, Edition(_edition).name):
            _register(Edition(_edition), getattr(_module, Edition(_edition).name))


def family_of(edition: str, name: str) -> Family | None:
    """The family of an edition that price lists call so, None where there is none."""
    return _FAMILIES.get((Edition(edition), name))


def craft_type(id_: str) -> CraftType:
    """The row of a type by its id, with what modifies it. Raises KeyError where there is none."""
    row = ROWS.get(id_)
    return row if row is not None else _build_row(id_)


def _build_row(id_: str) -> CraftType:
    base_id, _, role = id_.partition(ROLE)
    first, *names = base_id.split("+")
    if AND in first:
        rows = [(craft_type("+".join((part, *names))), number) for part, number in parts_of(first)]
        ROWS[id_] = mixed_row(id_, rows)
        return ROWS[id_]
    for family in _FAMILIES.values():
        for row in family.types:
            if row.id == first:
                unknown = [name for name in names if family.mod(name) is None]
                if unknown:
                    raise KeyError(id_)
                built = family.modified(row, names)
                if role:
                    as_role = family.as_role(built, role)
                    if as_role is None:
                        raise KeyError(id_)
                    built = as_role
                ROWS[id_] = built
                return built
    raise KeyError(id_)


@contextmanager
def temporary_types(
    edition: Edition, family: str, types: Iterable[CraftType], mods: Iterable[Mod] = ()
) -> Iterator[None]:
    """A family of an edition has these types, and what modifies them, for a while.

    Raises ValueError where a name is taken.
    """
    before = _FAMILIES[edition, family]
    types, mods = tuple(types), tuple(mods)
    ids = {row.id for known_family in _FAMILIES.values() for row in known_family.types}
    used_names = [row.id for row in types if row.id in ids] + [
        mod.name for mod in mods if before.mod(mod.name)
    ]
    if used_names:
        raise ValueError(f"there are such craft already: {', '.join(used_names)}")
    _register(edition, replace(before, types=(*before.types, *types), mods=(*before.mods, *mods)))
    try:
        yield
    finally:
        _register(edition, before)
