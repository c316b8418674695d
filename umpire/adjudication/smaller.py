"""Shrink a battle to fewer ships, chosen by chance: each side keeps the same share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.notation.battle_file import BattleFileDocument, ShipEntry

MAX_SHIPS = 60  # of all sides in a battle that is made smaller


def shrink_battle(start: BattleFileDocument, most: int) -> BattleFileDocument:
    """Return a battle's set-up with about `most` ships in all, or unchanged if it has no more.

    Each side keeps the same share of its ships, at least one. Contact codes are random, so ships
    are kept in their order. Ships that name each other (carried, docked, in a squadron) stay or go
    together. Stations stay.
    """
    total = sum(len(side["ships"]) for side in start["sides"])
    if total <= most:
        return start
    sides = []
    for side in start["sides"]:
        sides.append({**side, "ships": _choose_ships(side["ships"], most / total)})
    return {**start, "sides": sides}  # type: ignore[typeddict-item]


def _choose_ships(ships: list[ShipEntry], share: float) -> list[ShipEntry]:
    """Return the first ships of a side, up to a share of them, with those they belong to."""
    target = max(1, int(len(ships) * share))
    fixed_ids = {ship["id"] for ship in ships if ship.get("fixed")}
    groups = _groups(ships)
    # Stations are part of the place: gates may be on them.
    kept_ids: set[str] = set().union(*(group for group in groups if group & fixed_ids))
    for group in groups:
        if len(kept_ids) >= target:
            break
        kept_ids |= group
    return [ship for ship in ships if ship["id"] in kept_ids]


def _groups(ships: list[ShipEntry]) -> list[set[str]]:
    """Return the ships that belong together, in the order of the first of each."""
    names = {ship["id"] for ship in ships}
    group_of: dict[str, set[str]] = {name: {name} for name in names}
    for ship in ships:
        for other in set(_texts(ship)) & names:
            if group_of[other] is not group_of[ship["id"]]:
                merged = group_of[other] | group_of[ship["id"]]
                group_of.update(dict.fromkeys(merged, merged))
    groups: dict[int, set[str]] = {}
    for ship in ships:
        groups.setdefault(id(group_of[ship["id"]]), group_of[ship["id"]])
    return list(groups.values())


def _texts(value: Any) -> Iterator[str]:
    """Yield all texts in a document, including keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, entry in value.items():
            yield from _texts(key)
            yield from _texts(entry)
    elif isinstance(value, (list, tuple)):
        for entry in value:
            yield from _texts(entry)
