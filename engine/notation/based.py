"""Reads fighter groups that fly from bases off the table.

A side of a battle file may have `based: [{load: {standard: 6}, at: [0, 24]}]`: groups that have
launched from an installation beyond the edge of the table and are at these places when turn 1
begins. The installation is a ship of the side that stays off the table: it cannot be seen or
attacked, and it counts for no limit and no score.

Rules: 2E "Introductory scenario" [2e.first-battle, 2e.base-fighters]
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from engine.core.edition import EDITIONS, Edition
from engine.core.errors import RuleViolations, fault_path
from engine.core.geometry import Point
from engine.core.ids import ShipId
from engine.core.kinds import BASED, HullKind
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.craft.registry import craft_type
from engine.notation.battle_craft import GroupEntry
from engine.notation.battle_ships import check_on_table, read_pair
from engine.notation.designs import sheet_once
from engine.notation.reading import Reader
from engine.ship_profiles import new_ship

BASED_KEY = "based"
ENTRY_KEYS = ("load", "mods", "at", "course", "endurance")
MAX_GROUPS = 12  # of a side
FULL_GROUP = 6  # craft
BAY = {Edition.SECOND_EDITION: "fighter-bay", Edition.CONTINUUM: "hangar"}
MASS = 100  # of the installation, and as much again for each group
HULL_SHARE = 10  # mass for each box of its hull
EAST, WEST, NORTH, SOUTH = 3, 9, 12, 6  # courses


def read_based(
    reader: Reader,
    document: Mapping[object, object],
    edition: str,
    options: Sequence[str],
    *,
    ships: list[ShipState],
    table: Point,
) -> list[GroupEntry]:
    """Return the groups that fly from bases off the table; faults go to the reader.

    Args:
        ships: The ships of the file; the bases are added.
    """
    groups: list[GroupEntry] = []
    if edition not in EDITIONS:
        return groups
    ids = {ship.id for ship in ships}
    for number, side in enumerate(reader.items(document, "sides", default=())):
        if not isinstance(side, Mapping) or BASED_KEY not in side:
            continue
        entries = list(_entries(reader, side, fault_path("sides", number)))
        base = _base_with_bays(reader, entries, Edition(edition), options, number)
        if base is None:
            continue
        base.id = ShipId(_unused_id(f"{side.get('name')}-base", ids))
        base.contact = base.id
        ships.append(base)
        for bay, (spot, item) in zip(base.profile.bays, entries, strict=True):
            group = _group(reader, item, spot, base, bay, table)
            if group is not None:
                groups.append(group)
    return groups


def _base_with_bays(
    reader: Reader,
    entries: Sequence[tuple[str, Mapping[Any, Any]]],
    edition: Edition,
    options: Sequence[str],
    side: int,
) -> ShipState | None:
    """Return the base from which groups fly; None without a group, or if one has faults."""
    faults_before = len(reader.faults)
    bays = [_bay(reader, item, spot, edition) for spot, item in entries]
    if not bays or len(reader.faults) > faults_before:
        return None
    where = f"{fault_path('sides', side)}.{BASED_KEY}"
    return _base(reader, where, edition, options, side, bays)


def _entries(
    reader: Reader, side: Mapping[Any, Any], where: str
) -> Iterator[tuple[str, Mapping[Any, Any]]]:
    """Yield the groups of a side with their places in the file."""
    items = reader.items(side, BASED_KEY, where)
    if len(items) > MAX_GROUPS:
        words = phrase("a side can have at most {} groups from bases", MAX_GROUPS)
        reader.fault(f"{where}.{BASED_KEY}", "too-many", words)
        return
    for row, item in enumerate(items):
        spot = f"{where}.{fault_path(BASED_KEY, row)}"
        if isinstance(item, Mapping):
            reader.keys(item, ENTRY_KEYS, spot)
            yield spot, item
        else:
            words = phrase("expected the load and the position of a group")
            reader.fault(spot, "not-a-mapping", words)


def _bay(reader: Reader, item: Mapping[Any, Any], where: str, edition: Edition) -> dict[str, Any]:
    """Return the bay of a group as a system of the base's design."""
    load = item.get("load", {"standard": FULL_GROUP})
    bay: dict[str, Any] = {"type": BAY[edition]}
    if edition == Edition.CONTINUUM:
        bay |= {key: item[key] for key in ("load", "mods") if key in item}
        bay.setdefault("load", load)
        return bay
    is_standard = isinstance(load, Mapping) and list(load) == ["standard"]
    if not is_standard or "mods" in item:
        words = phrase("expected a number of standard fighters, such as standard: 6")
        reader.fault(f"{where}.load", "load", words)
    return bay


def _base(
    reader: Reader,
    where: str,
    edition: Edition,
    options: Sequence[str],
    side: int,
    systems: Sequence[Mapping[str, Any]],
) -> ShipState | None:
    """Return an installation with these bays, off the table; None if it has faults."""
    mass = MASS * (1 + len(systems))
    design: dict[str, Any] = {
        "class": "Base",
        "edition": edition.value,
        "kind": HullKind.INSTALLATION.value,
        "mass": mass,
        "systems": list(systems),
    }
    if edition == Edition.CONTINUUM:
        design["hull"] = {"boxes": mass // HULL_SHARE, "rows": 4}
        design["systems"] = [*systems, {"type": "launch-tube", "count": len(systems)}]
    try:
        sheet = sheet_once(repr(design), design, tuple(options))
    except RuleViolations as refused:
        for fault in refused.violations:
            row, _, rest = fault.where.removeprefix("systems[").partition("]")
            spot = f"{where}[{row}]{rest}" if row.isdecimal() else where
            reader.fault(spot, fault.code, fault.message)
        return None
    base = new_ship(ShipId("base"), side, sheet, (0.0, 0.0), NORTH, 0)
    base.status = BASED
    return base


def _unused_id(name: str, ids: Collection[str]) -> str:
    while name in ids:
        name += "-2"
    return name


def _group(
    reader: Reader, item: Mapping[Any, Any], where: str, base: ShipState, bay: int, table: Point
) -> GroupEntry | None:
    """Return a group at its place; None if it has faults."""
    faults_before = len(reader.faults)
    at = read_pair(reader, data=item, key="at", where=where, default=None)
    check_on_table(reader, at, where, table)
    craft = base.profile.full[bay]
    load = item.get("load")
    if isinstance(load, Mapping) and load:
        number = next(iter(load.values()))
        if type(number) is not int or not 1 <= number <= base.profile.full[bay]:
            words = phrase("expected a number from 1 to {}", base.profile.full[bay])
            reader.fault(f"{where}.load", "load", words)
        else:
            craft = number
    most = craft_type(base.profile.craft[bay]).endurance
    endurance = reader.number(item, "endurance", where, default=most)
    if not 0 <= endurance <= most:
        words = phrase("expected a number from 0 to {}", most)
        reader.fault(f"{where}.endurance", "endurance", words)
    course = reader.number(item, "course", where, default=_inward(at, table))
    if not NORTH >= course >= 1:
        reader.fault(f"{where}.course", "course", phrase("courses go from 1 to 12"))
    if len(reader.faults) > faults_before:
        return None
    name = base.sheet.fits[bay].id
    return GroupEntry(base, name, at, course, craft=craft, used_endurance=most - endurance)


def _inward(at: Point, table: Point) -> int:
    """Return the course from the nearest edge of the table to its inside."""
    distances = {
        EAST: at[0],
        WEST: table[0] - at[0],
        NORTH: at[1],
        SOUTH: table[1] - at[1],
    }
    return min(distances, key=lambda course: distances[course])
