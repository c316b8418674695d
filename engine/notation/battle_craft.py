"""Reads the craft in flight at the start of a battle, and writes the state of every group.

A ship has `{"groups": {"hangar-1": {"at": [20, 24], "course": 3, "craft": 4, "endurance": 2}}}`. A
group without `at` is aboard. Omitted values are full, except that fighters with FTL drives have
used endurance to arrive.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.continuum.craft.morale import is_piloted
from engine.core.facts import FOREVER
from engine.core.geometry import Point
from engine.core.kinds import PILOTS
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import ACES
from engine.craft.craft_type import CraftType
from engine.craft.dogfight_figures import figure
from engine.craft.registry import craft_type
from engine.craft.roles import row_in
from engine.fighters.hangars import free_name
from engine.notation.battle_ships import read_pair
from engine.notation.reading import Reader, ship_entries
from engine.pieces.group import Group, group_id, groups_from

GROUPS, PILOTS_KEY = "groups", "pilots"
GROUP_KEYS = ("at", "course", "craft", "endurance")
FLYING, ABOARD, LOST = "flying", "aboard", "lost"


@dataclass(frozen=True, slots=True)
class GroupEntry:
    """A group of craft in a battle file."""

    ship: ShipState
    bay: str
    at: Point | None  # None: aboard
    course: int
    craft: int  # how many are left
    used_endurance: int


def entries_by_bay(
    reader: Reader,
    document: Mapping[object, object],
    ships: Sequence[ShipState],
    key: str,
    needed: str,
) -> Iterator[tuple[ShipState, str, str, object]]:
    """Yield the entries that ships of a battle file have under a key, one for each bay.

    Faults go to the reader.

    Args:
        needed: What belongs under the key, in words, for the fault message.

    Yields:
        The ship, the bay, the place in the file and the entry.
    """
    by_id: dict[str, ShipState] = {ship.id: ship for ship in ships}
    for where, item in ship_entries(document):
        if key not in item:
            continue
        spot = f"{where}.{key}"
        ship = by_id.get(str(item.get("id")))
        if not isinstance(item[key], Mapping):
            reader.fault(spot, "not-a-mapping", phrase("expected {}", needed))
        elif ship is not None:
            for bay, entry in item[key].items():
                yield ship, str(bay), f"{spot}.{bay}", entry


def read_groups(
    reader: Reader,
    document: Mapping[object, object],
    ships: Sequence[ShipState],
    table: Point,
) -> list[GroupEntry]:
    """Return the groups that the ships of a battle file list; faults go to the reader.

    Args:
        table: Width and height in MU.
    """
    bay_entries = entries_by_bay(
        reader, document, ships, key=GROUPS, needed=phrase("groups in flight by bay")
    )
    entries = (
        _read_group(reader, item, where=spot, ship=ship, bay=bay, table=table)
        for ship, bay, spot, item in bay_entries
    )
    return [entry for entry in entries if entry is not None]


def read_pilots(
    reader: Reader,
    document: Mapping[object, object],
    ships: Sequence[ShipState],
    options: Sequence[str],
) -> None:
    """Record on the ships the pilot quality that a battle file gives; faults go to the reader.

    Rules: Continuum "Fighter pilot quality" 8.18 [pc.aces]
    """
    for ship, bay, spot, quality in entries_by_bay(
        reader, document, ships, key=PILOTS_KEY, needed=phrase("{} by bay", ", ".join(PILOTS[1:]))
    ):
        if ACES not in options:
            reader.fault(spot, "no-pilots", phrase("pilots need the optional rule '{}'", ACES))
        elif fault := _pilots_fault(ship, bay, quality):
            reader.fault(spot, "pilots", fault)
        else:
            ship.write_fact("pilots", PILOTS.index(str(quality)), bay)


def _pilots_fault(ship: ShipState, bay: str, quality: object) -> str:
    index = ship.profile.index_of.get(bay, -1)
    if index not in ship.profile.bays or not is_piloted(craft_type(ship.profile.craft[index])):
        return phrase("{} has no '{}' with fighters that pilots fly", ship.id, bay)
    if quality in PILOTS[1:]:
        return ""
    return phrase("expected one of {}", ", ".join(PILOTS[1:]))


def _read_group(
    reader: Reader, item: object, where: str, ship: ShipState, bay: str, table: Point
) -> GroupEntry | None:
    index = ship.profile.index_of.get(bay, -1)
    if index not in ship.profile.bays:
        bays = ", ".join(ship.sheet.fits[place].id for place in ship.profile.bays) or "none"
        reader.fault(
            where,
            "no-bay",
            phrase("{} has no '{}' with craft of its own; it has {}", ship.id, bay, bays),
        )
        return None
    if not isinstance(item, Mapping):
        reader.fault(
            where,
            "not-a-mapping",
            phrase("expected the position, course, craft and endurance of a group"),
        )
        return None
    before = len(reader.faults)
    reader.keys(item, GROUP_KEYS, where)
    row = craft_type(ship.profile.craft[index])
    craft = reader.number(item, "craft", where, default=ship.stock[index])
    came_by_ftl = "at" in item and row.arrives_in_flight(1) and not row.berth
    most = figure(ship.record, bay, "fuel") or row.endurance
    endurance = reader.number(item, "endurance", where, default=most - came_by_ftl)
    course = reader.number(item, "course", where, default=ship.course)
    at = read_pair(reader, data=item, key="at", where=where, default=None) if "at" in item else None
    if not 0 <= craft <= ship.profile.full[index]:
        reader.fault(
            f"{where}.craft",
            "craft",
            phrase("expected a number from 0 to {}", ship.profile.full[index]),
        )
    if not 0 <= endurance <= most:
        reader.fault(
            f"{where}.endurance", "endurance", phrase("expected a number from 0 to {}", most)
        )
    if not 1 <= course <= 12:
        reader.fault(f"{where}.course", "course", phrase("courses go from 1 to 12"))
    if at is not None and not (0 <= at[0] <= table[0] and 0 <= at[1] <= table[1]):
        reader.fault(
            f"{where}.at", "off-table", phrase("({:g}, {:g}) is not on the table", at[0], at[1])
        )
    if len(reader.faults) > before:
        return None
    return GroupEntry(ship, bay, at, course, craft=craft, used_endurance=most - endurance)


def put_groups(state: BattleState, entries: Sequence[GroupEntry]) -> None:
    """Put the groups of a battle file on the table, or into their bays.

    Other sides have not seen which ship launched them.
    """
    for entry in entries:
        ship, index = entry.ship, entry.ship.profile.index_of[entry.bay]
        ship.stock[index] = entry.craft
        if entry.at is not None and entry.craft:
            Group.put_in_flight(
                state,
                ship,
                entry.bay,
                contact=free_name(state),
                at=entry.at,
                course=entry.course,
                turn=0,
            )
            state.piece(Group, group_id(ship, entry.bay)).used_endurance = entry.used_endurance


def groups_json(state: BattleState) -> dict[str, dict[str, Any]]:
    """Return every group of a battle as JSON, including those that are lost."""
    flying = {group.id: group for group in state.pieces_of(Group)}
    groups: dict[str, dict[str, Any]] = {}
    for ship in state.ships:
        for name, index in groups_from(ship):
            group = flying.get(name)
            if group is not None:
                row = group.row
            else:
                row = row_in(ship, index)
            if group is not None:
                craft = group.craft
            else:
                craft = ship.stock[index]
            most = figure(ship.record, ship.sheet.fits[index].id, "fuel") or row.endurance
            used_endurance = group.used_endurance if group is not None else 0
            if group is not None:
                status = FLYING
            else:
                status = ABOARD if craft else LOST
            ready = ship.record.ready.get(ship.sheet.fits[index].id, 1)
            groups[name] = {
                "at": [group.x, group.y] if group is not None else None,
                "course": group.course if group is not None else None,
                "craft": craft,
                "endurance": most - used_endurance if most else None,
                "type": row.type,
                "mods": ship.profile.craft[index].split("+")[1:],
                "side": state.sides[ship.commander],
                "status": status,
                "loads": _loads(row, group),
                "ready": ready if ready < FOREVER else None,
            }
    return groups


def _loads(row: CraftType, group: Group | None) -> dict[str, bool]:
    """Return for each load that lasts a few shots whether the group still has it."""
    return {load.name: group is None or bool(group.rounds(load)) for load in row.loads}
