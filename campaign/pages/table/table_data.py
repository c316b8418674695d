"""The table of an online battle as plain data for the page and its scripts. Pure functions.

Ships, contacts, other objects and tracks come only from the sheet the side received.

    {turn, table: [w, h], own: [ship], contacts: [contact], things: [thing], tracks: {id: [[x, y]]},
     shots: [[x1, y1, x2, y2, mine, hit]]}

A ship is {id, name, size, seat, x, y, course, v, ally?, hull?}. A contact has the same keys and
`foe`; it has no `hull` if its class is unknown, and `v` is None if its velocity was not seen.
`hull` is {rows, damage, armour: [[most, now]]}. A thing is {id?, kind, x, y, r, course, words,
label}: `r` in MU, 0 for a small mark; without words it is a ring around another thing; orders refer
to it by `id`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from campaign.web.turn_drawings import ON_TABLE, SHOTS
from campaign.words.battle.log import SideNames
from engine.core.sheet import Sheet
from engine.core.ship import ShipState
from engine.events.movement import ShipMoved
from engine.pieces.registry import kinds
from engine.view.event_reader import read_events_of

PLACES = 2  # decimals of a coordinate: a hundredth of an MU


@dataclass(frozen=True, slots=True)
class Colours:
    """The seat colours of a battle."""

    seats: Mapping[str, int]  # by power, from 1
    sides: tuple[str, ...]  # the battle's side names
    faction: str  # the reader's power

    def of(self, side: int) -> int:
        """Return the seat number of a side's first power, or 0 if it has none."""
        if 0 <= side < len(self.sides):
            return self.seats.get(self.sides[side].split("+")[0], 0)
        return 0


def rounded_place(place: Iterable[float]) -> list[float]:
    """Return coordinates rounded for transfer."""
    return [round(coordinate, PLACES) for coordinate in place]


def table_data(
    sheet: Mapping[str, Any],
    names: SideNames,
    colours: Colours,
    ships_by_id: Mapping[str, ShipState],
    sizes: Mapping[str, str],
    before: Mapping[str, ShipState] | None = None,
) -> dict[str, Any]:
    """Return the table of a phase's sheet.

    Args:
        ships_by_id: The battle's ships as the side knows them, if it is asked for orders.
        sizes: Silhouettes of the side's own ships by key, for phases that ask for no orders.
        before: Contacts as the side knew them when it was last asked for orders.
    """
    view = sheet["view"]
    commanded = frozenset(sheet["mine"])
    own_seat = colours.seats.get(colours.faction, 0)
    own_rows = []
    for key, ship in sorted(view["own"].items()):
        if ship["status"] not in ON_TABLE:
            continue
        x, y = rounded_place(ship["at"])
        if key in ships_by_id:
            size = ships_by_id[key].sheet.classification
        else:
            size = sizes.get(key, "escort")
        row = {
            "id": key,
            "name": names.of(key),
            "size": size,
            "seat": own_seat,
            "x": x,
            "y": y,
            "course": ship["course"],
            "v": ship["velocity"],
        }
        if commanded and key not in commanded:
            row["ally"] = True
        own_rows.append(row | _hull(ships_by_id.get(key)))
    contacts = []
    for contact in view["contacts"]:
        contacts.append(_contact(contact, names, colours, ships_by_id, before or {}))
    shown_by_id = {ship["id"]: ship for ship in (*own_rows, *contacts)}
    tracks = {}
    for event in read_events_of(sheet["log"], ShipMoved):
        if event.ship in shown_by_id:
            tracks[event.ship] = [rounded_place(point) for point in event.path]
    return {
        "turn": sheet["turn"],
        "table": list(sheet["table"]),
        "own": own_rows,
        "contacts": contacts,
        "things": table_objects(view, names),
        "tracks": tracks,
        "shots": _shots(sheet["log"], shown_by_id),
    }


def _hull(ship: ShipState | None) -> dict[str, Any]:
    if ship is None or ship.bogey:
        return {}
    return {"cls": ship.sheet.cls, "hull": _boxes(ship.sheet, ship.damage, ship.armour)}


def _boxes(sheet: Sheet, damage: int, armour: Iterable[Iterable[int]]) -> dict[str, Any]:
    armour_left = []
    for most, now in zip(sheet.armour, armour, strict=False):
        armour_left.append([sum(most), sum(now)])
    return {"rows": list(sheet.rows), "damage": damage, "armour": armour_left}


def _contact(
    contact: Mapping[str, Any],
    names: SideNames,
    colours: Colours,
    ships_by_id: Mapping[str, ShipState],
    before: Mapping[str, ShipState],
) -> dict[str, Any]:
    key = str(contact["id"])
    x, y = rounded_place(contact["at"])
    row = {
        "id": key,
        "name": names.of(key),
        "size": contact["classification"],
        "seat": colours.of(contact["side"]),
        "x": x,
        "y": y,
        "course": contact["course"],
        "v": contact["velocity"],
        "foe": True,
    }
    if "class" not in contact:
        return row
    ship = ships_by_id.get(key)
    ship_before = before.get(key)
    if ship is None and ship_before is not None and "damage" in contact:
        boxes = _boxes(ship_before.sheet, contact["damage"], contact.get("armour", ()))
        return row | {"cls": contact["class"], "hull": boxes}
    return (
        row
        | {"cls": contact["class"]}
        | _hull(ship)
        | ({"screens": ship.screens} if ship and ship.screens else {})
    )


def table_objects(view: Mapping[str, Any], names: SideNames) -> list[dict[str, Any]]:
    """Return everything on the table except ships, as a side sees it; large objects first.

    A view stored before a kind of object existed lacks the list of that kind.
    """
    rows: list[dict[str, Any]] = []
    for kind in kinds():
        for key in kind.view_keys:
            for piece in view.get(key, ()):
                marker = kind.draw(key, piece, names.of)
                x, y = rounded_place(marker.at)
                row = {
                    "kind": marker.look or kind.kind,
                    "x": x,
                    "y": y,
                    "r": round(marker.radius, PLACES),
                }
                id_field = {"id": str(piece["id"])} if "id" in piece else {}
                rows.append(
                    id_field
                    | row
                    | {"course": marker.course, "words": marker.words, "label": marker.label}
                )
                plain = {
                    "kind": f"{row['kind']} ring",
                    "x": x,
                    "y": y,
                    "course": 0,
                    "words": "",
                    "label": "",
                }
                rows += [plain | {"r": round(ring, PLACES)} for ring in marker.rings]
    return sorted(rows, key=lambda object_row: (bool(object_row["course"]), -object_row["r"]))


def _shots(
    log: Iterable[Mapping[str, Any]], there: Mapping[str, Mapping[str, Any]]
) -> list[list[Any]]:
    """Return one line per pair of ships that fired since, a hit if any shot hit.

    Both ships must still be on the table.
    """
    pairs: dict[tuple[str, str], bool] = {}
    for event in read_events_of(log, *SHOTS):
        pair = event.ship, event.target
        pairs[pair] = pairs.get(pair, False) or bool(event.hits)
    shots: list[list[Any]] = []
    for (a, b), is_hit in pairs.items():
        if a in there and b in there:
            shots.append(
                [
                    there[a]["x"],
                    there[a]["y"],
                    there[b]["x"],
                    there[b]["y"],
                    "foe" not in there[a],
                    is_hit,
                ]
            )
    return shots
