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
from engine.notation.battle_ships import check_on_table, read_pair
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
    groups = []
    for ship, bay, spot, item in bay_entries:
        group = _read_group(reader, item, where=spot, ship=ship, bay=bay, table=table)
        if group is not None:
            groups.append(group)
    return groups


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
    """Return the reason why the pilots of a bay cannot have a quality, "" if they can."""
    index = ship.profile.index_of.get(bay, -1)
    if index not in ship.profile.bays or not is_piloted(craft_type(ship.profile.craft[index])):
        return phrase("{} has no '{}' with fighters that pilots fly", ship.id, bay)
    if quality in PILOTS[1:]:
        return ""
    return phrase("expected one of {}", ", ".join(PILOTS[1:]))


def _read_group(
    reader: Reader, item: object, where: str, ship: ShipState, bay: str, table: Point
) -> GroupEntry | None:
    """Return the group of a bay as a file describes it, or None if its entry has a fault."""
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
    faults_before = len(reader.faults)
    reader.keys(item, GROUP_KEYS, where)
    row = craft_type(ship.profile.craft[index])
    craft = reader.number(item, "craft", where, default=ship.stock[index])
    most_endurance = figure(ship.record, bay, "fuel") or row.endurance
    came_by_ftl = "at" in item and row.arrives_in_flight(1) and not row.berth
    endurance = reader.number(item, "endurance", where, default=most_endurance - came_by_ftl)
    course = reader.number(item, "course", where, default=ship.course)
    at = None
    if "at" in item:
        at = read_pair(reader, data=item, key="at", where=where, default=None)
    _check_range(reader, f"{where}.craft", "craft", craft, most=ship.profile.full[index])
    _check_range(reader, f"{where}.endurance", "endurance", endurance, most=most_endurance)
    if not 1 <= course <= 12:
        reader.fault(f"{where}.course", "course", phrase("courses go from 1 to 12"))
    if at is not None:
        check_on_table(reader, at, where, table)
    if len(reader.faults) > faults_before:
        return None
    return GroupEntry(ship, bay, at, course, craft=craft, used_endurance=most_endurance - endurance)


def _check_range(reader: Reader, where: str, code: str, number: int, *, most: int) -> None:
    """Report a fault if a number is not from 0 to a limit."""
    if not 0 <= number <= most:
        reader.fault(where, code, phrase("expected a number from 0 to {}", most))


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
            groups[name] = _group_json(state, ship, index, flying.get(name))
    return groups


def _group_json(
    state: BattleState, ship: ShipState, index: int, group: Group | None
) -> dict[str, Any]:
    """Return the group of a bay as JSON.

    Args:
        group: The group if it is in flight; None if it is aboard or lost.
    """
    bay = ship.sheet.fits[index].id
    ready = ship.record.ready.get(bay, 1)
    if group is not None:
        row = group.row
        craft = group.craft
        used_endurance = group.used_endurance
        status = FLYING
    else:
        row = row_in(ship, index)
        craft = ship.stock[index]
        used_endurance = 0
        status = ABOARD if craft else LOST
    most_endurance = figure(ship.record, bay, "fuel") or row.endurance
    return {
        "at": [group.x, group.y] if group is not None else None,
        "course": group.course if group is not None else None,
        "craft": craft,
        "endurance": most_endurance - used_endurance if most_endurance else None,
        "type": row.type,
        "mods": ship.profile.craft[index].split("+")[1:],
        "side": state.sides[ship.commander],
        "status": status,
        "loads": _loads(row, group),
        "ready": ready if ready < FOREVER else None,
    }


def _loads(row: CraftType, group: Group | None) -> dict[str, bool]:
    """Return for each load that lasts a few shots whether the group still has it."""
    return {load.name: group is None or bool(group.rounds(load)) for load in row.loads}
