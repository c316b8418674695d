"""The table of an online battle as plain data for the page and its scripts. Pure functions.

Ships, contacts, other objects and tracks come only from the sheet the side received.

    {turn, table: [w, h], own: [ship], contacts: [contact], things: [thing], tracks: {id: [[x, y]]},
     shots: [[x1, y1, x2, y2, mine, hit]]}

A ship is {id, name, size, seat, x, y, course, v, ally?, hull?}. A contact has the same keys and
`foe`; it has no `hull` if its class is unknown, and `v` is None if its velocity was not seen.
`hull` is {rows, damage, armour: [[most, now]]}. A thing is {id?, kind, x, y, r, course, words,
label}: `r` in MU, 0 for a small mark; without words it is a ring around another thing; orders refer
to it by `id`. A group of craft also has {seat, size, craft, detail, screens, moved}.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from campaign.web.turn_drawings import ON_TABLE, SHOTS
from campaign.words.battle.log import SideNames
from engine.core.phrase import join_phrases, phrase
from engine.core.sheet import Sheet
from engine.core.ship import ShipState
from engine.craft.fighters import STANDARD
from engine.craft.registry import craft_type
from engine.english import kind_words
from engine.events.movement import ShipMoved
from engine.pieces.piece import PieceDrawing
from engine.pieces.registry import kinds
from engine.view.event_reader import read_events_of

DECIMALS = 2  # of a coordinate: a hundredth of an MU


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
    return [round(coordinate, DECIMALS) for coordinate in place]


def table_data(
    sheet: Mapping[str, Any],
    names: SideNames,
    colours: Colours,
    *,
    ships: Mapping[str, ShipState],
    silhouettes: Mapping[str, str],
    earlier_ships: Mapping[str, ShipState] | None = None,
) -> dict[str, Any]:
    """Return the table of a phase's sheet.

    Args:
        ships: The battle's ships as the side knows them, by id; empty if it gives no orders.
        silhouettes: Those of the side's own ships by key, for phases that ask for no orders.
        earlier_ships: Contacts as the side knew them when it was last asked for orders.
    """
    view = sheet["view"]
    own_seat = colours.seats.get(colours.faction, 0)
    own_rows = []
    for key, ship in sorted(view["own"].items()):
        if ship["status"] in ON_TABLE:
            row = _own_row(key, ship, names, known_ship=ships.get(key))
            row["seat"] = own_seat
            row.setdefault("size", silhouettes.get(key, "escort"))
            if sheet["mine"] and key not in sheet["mine"]:
                row["ally"] = True
            own_rows.append(row)
    contacts = []
    for contact in view["contacts"]:
        key = str(contact["id"])
        row = _contact_row(contact, names, seat=colours.of(contact["side"]))
        if "class" in contact:
            earlier_ship = (earlier_ships or {}).get(key)
            row |= _class_data(contact, ships.get(key), earlier_ship)
        contacts.append(row)
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
        "things": table_objects(view, names, colours),
        "tracks": tracks,
        "shots": _shots(sheet["log"], shown_by_id),
    }


def _own_row(
    key: str, ship: Mapping[str, Any], names: SideNames, *, known_ship: ShipState | None
) -> dict[str, Any]:
    """Return one of the side's ships in a view, with its class if the battle document has it."""
    x, y = rounded_place(ship["at"])
    row = {
        "id": key,
        "name": names.of(key),
        "x": x,
        "y": y,
        "course": ship["course"],
        "v": ship["velocity"],
    }
    if known_ship is not None:
        row["size"] = known_ship.sheet.classification
    return row | _hull_data(known_ship)


def _hull_data(ship: ShipState | None) -> dict[str, Any]:
    """Return a ship's class and damage track; nothing if its class is unknown."""
    if ship is None or ship.bogey:
        return {}
    return {
        "cls": phrase(ship.sheet.cls),
        "hull": _box_counts(ship.sheet, ship.damage, ship.armour),
    }


def _box_counts(sheet: Sheet, damage: int, armour: Iterable[Iterable[int]]) -> dict[str, Any]:
    """Return the boxes of a damage track, and of each armour layer those it had and has left."""
    layers = []
    for full, remaining in zip(sheet.armour, armour, strict=False):
        layers.append([sum(full), sum(remaining)])
    return {"rows": list(sheet.rows), "damage": damage, "armour": layers}


def _contact_row(contact: Mapping[str, Any], names: SideNames, *, seat: int) -> dict[str, Any]:
    """Return what a side sees of any contact, even without knowing its class."""
    key = str(contact["id"])
    x, y = rounded_place(contact["at"])
    return {
        "id": key,
        "name": names.of(key),
        "size": contact["classification"],
        "seat": seat,
        "x": x,
        "y": y,
        "course": contact["course"],
        "v": contact["velocity"],
        "foe": True,
    }


def _class_data(
    contact: Mapping[str, Any], ship: ShipState | None, earlier_ship: ShipState | None
) -> dict[str, Any]:
    """Return the class and damage of an identified contact.

    Args:
        ship: The ship as the battle document has it; None if the side gives no orders now.
        earlier_ship: The ship as the side knew it before; the view has its damage since then.
    """
    data: dict[str, Any] = {"cls": phrase(contact["class"])}
    if "role" in contact:
        data["role"] = contact["role"]
    if ship is None and earlier_ship is not None and "damage" in contact:
        armour = contact.get("armour", ())
        data["hull"] = _box_counts(earlier_ship.sheet, contact["damage"], armour)
        return data
    data |= _hull_data(ship)
    if ship is not None and ship.screens:
        data["screens"] = ship.screens
    return data


def table_objects(
    view: Mapping[str, Any], names: SideNames, colours: Colours | None = None
) -> list[dict[str, Any]]:
    """Return everything on the table except ships, as a side sees it; large objects first.

    A view stored before a kind of object existed lacks the list of that kind.

    Args:
        colours: The seat colours, for the groups of craft.
    """
    rows: list[dict[str, Any]] = []
    for kind in kinds():
        for key in kind.view_keys:
            for piece in view.get(key, ()):
                marker = kind.draw(key, piece, names.of)
                row = _object_row(marker, marker.look or kind.kind)
                if "id" in piece:
                    row = {"id": str(piece["id"]), **row}
                if "craft" in piece:
                    row |= _craft_data(piece, marker.words, names)
                    row["seat"] = colours.of(piece["side"]) if colours else 0
                rows.append(row)
                rows += _ring_rows(row, marker.rings)
    return sorted(rows, key=lambda row: (bool(row["course"]), -row["r"]))


def _craft_data(piece: Mapping[str, Any], words: str, names: SideNames) -> dict[str, Any]:
    """Return what the counter of a group shows: its type, code, craft, endurance and marks."""
    type_id = piece.get("type", STANDARD.id)
    row = craft_type(type_id)
    detail = ""
    parts = [words, kind_words(row.type)]
    endurance = piece.get("fuel", 0) or row.endurance
    if endurance:
        left = max(endurance - piece.get("used_endurance", 0), 0)
        detail = f"E{left}" if left < endurance else ""
        parts.append(phrase("{} of {} endurance left", left, endurance))
    if piece.get("escorts"):
        parts.append(phrase("screens {}", names.of(piece["escorts"])))
    if piece.get("has_moved"):
        parts.append(phrase("has moved"))
    return {
        "label": names.code(piece["id"]),
        "words": join_phrases(", ", parts),
        "size": row.outline,
        "craft": piece["craft"],
        "detail": detail,
        "screens": bool(piece.get("escorts")),
        "moved": bool(piece.get("has_moved")),
    }


def _object_row(marker: PieceDrawing, kind: str) -> dict[str, Any]:
    """Return an object on the table as data."""
    x, y = rounded_place(marker.at)
    return {
        "kind": kind,
        "x": x,
        "y": y,
        "r": round(marker.radius, DECIMALS),
        "course": marker.course,
        "words": marker.words,
        "label": marker.label,
    }


def _ring_rows(row: Mapping[str, Any], radii: Iterable[float]) -> list[dict[str, Any]]:
    """Return the rings around an object, as objects without words."""
    ring = {
        "kind": f"{row['kind']} ring",
        "x": row["x"],
        "y": row["y"],
        "course": 0,
        "words": "",
        "label": "",
    }
    return [ring | {"r": round(radius, DECIMALS)} for radius in radii]


def _shots(
    log: Iterable[Mapping[str, Any]], shown_by_id: Mapping[str, Mapping[str, Any]]
) -> list[list[Any]]:
    """Return one line for each pair of shooter and target that are still on the table.

    Each line is [x1, y1, x2, y2, whether the shooter is the side's own, whether any shot hit].
    """
    hit_by_pair: dict[tuple[str, str], bool] = {}
    for event in read_events_of(log, *SHOTS):
        pair = event.ship, event.target
        hit_by_pair[pair] = hit_by_pair.get(pair, False) or bool(event.hits)
    shots: list[list[Any]] = []
    for (shooter_id, target_id), is_hit in hit_by_pair.items():
        shooter = shown_by_id.get(shooter_id)
        target = shown_by_id.get(target_id)
        if shooter is not None and target is not None:
            is_own = "foe" not in shooter
            ends = [shooter["x"], shooter["y"], target["x"], target["y"]]
            shots.append([*ends, is_own, is_hit])
    return shots
