"""What the table of a battle online shows, as plain values for the page and its scripts. Pure.

Ships, contacts, what lies beside them, where everything came from: of what the side was handed and
nothing else.

    {turn, table: [w, h], own: [ship], contacts: [contact], things: [thing], tracks: {id: [[x, y]]},
     shots: [[x1, y1, x2, y2, mine, hit]]}

Ship: {id, name, size, seat, x, y, course, v, ally?, hull?}. Contact: the same with `foe`, without
`hull` where its class is not known; `v` None where nobody saw it. `hull`: {rows, damage, armour:
[[most, now]]}. Thing: {id?, kind, x, y, r, course, words, label}; `r` in MU, 0: a small mark; one
without words is a ring about another; `id`: by which orders name it.
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

PLACES = 2  # digits of a place after the point: a hundredth of an MU


@dataclass(frozen=True, slots=True)
class Colours:
    """Whose colour things have.

    `seats`: of powers, from 1; `sides`: what the sides of the battle are called.

    `own`: the reader's power.
    """

    seats: Mapping[str, int]
    sides: tuple[str, ...]
    faction: str

    def of(self, side: int) -> int:
        """The seat whose colour a side has: its first power's; 0 where nobody sits there."""
        return (
            self.seats.get(self.sides[side].split("+")[0], 0) if 0 <= side < len(self.sides) else 0
        )


def rounded_place(place: Iterable[float]) -> list[float]:
    """A place as it is sent."""
    return [round(coordinate, PLACES) for coordinate in place]


def table_data(
    sheet: Mapping[str, Any],
    names: SideNames,
    colours: Colours,
    ships_by_id: Mapping[str, ShipState],
    sizes: Mapping[str, str],
    before: Mapping[str, ShipState] | None = None,
) -> dict[str, Any]:
    """The table of a stop's sheet.

    `known`: the ships of the battle as the side knows it, where it is asked for orders; where it is
    not `sizes`: silhouettes of its own ships by their keys, `before`: contacts as it knew them when
    it last was.
    """
    view, commanded = sheet["view"], frozenset(sheet["mine"])
    own_rows = []
    for key, ship in sorted(view["own"].items()):
        if ship["status"] not in ON_TABLE:
            continue
        x, y = rounded_place(ship["at"])
        size = (
            ships_by_id[key].sheet.classification
            if key in ships_by_id
            else sizes.get(key, "escort")
        )
        row = {
            "id": key, "name": names.of(key), "size": size, "seat": colours.seats.get(colours.faction, 0),
            "x": x, "y": y, "course": ship["course"], "v": ship["velocity"],
        }  # fmt: skip
        if commanded and key not in commanded:
            row["ally"] = True
        own_rows.append(row | _hull(ships_by_id.get(key)))
    contacts = [
        _contact(contact, names, colours, ships_by_id, before or {}) for contact in view["contacts"]
    ]
    shown_by_id = {ship["id"]: ship for ship in (*own_rows, *contacts)}
    tracks = {
        event.ship: [rounded_place(point) for point in event.path]
        for event in read_events_of(sheet["log"], ShipMoved)
        if event.ship in shown_by_id
    }
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
    armour_left = [[sum(most), sum(now)] for most, now in zip(sheet.armour, armour, strict=False)]
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
        "id": key, "name": names.of(key), "size": contact["classification"], "seat": colours.of(contact["side"]),
        "x": x, "y": y, "course": contact["course"], "v": contact["velocity"], "foe": True,
    }  # fmt: skip
    if "class" not in contact:
        return row
    ship, ship_before = ships_by_id.get(key), before.get(key)
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
    """All that lies and flies on the table beside ships, as a side sees it; what is wide first,
    under what is small.

    A list that a view does not have is that of a kind which came after it.
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
    """Who fired at whom since, where both are still there: once for each pair, a hit where any
    was.
    """
    pairs: dict[tuple[str, str], bool] = {}
    for event in read_events_of(log, *SHOTS):
        pair = event.ship, event.target
        pairs[pair] = pairs.get(pair, False) or bool(event.hits)
    return [
        [there[a]["x"], there[a]["y"], there[b]["x"], there[b]["y"], "foe" not in there[a], is_hit]
        for (a, b), is_hit in pairs.items()
        if a in there and b in there
    ]
