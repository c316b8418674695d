"""What is printed before a battle at a table: a record sheet for each of one's own ships, and the set-up. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campaign.pages.battlelog import SCALE, units
from campaign.pages.battlewords import Names, contact_name
from campaign.pages.fighttable import Thing, things_of
from engine.core.ship import ShipState
from engine.english import system_words
from engine.ship_profiles import stock_now
from engine.table_results.judging import own_state

ARCS = {"F": "fore", "P": "port", "S": "starboard", "A": "aft"}


@dataclass(frozen=True, slots=True)
class Fitted:
    """A system on a record sheet. `boxes`: one to cross out for each that is left of it; `gone`: lost already."""

    words: str
    note: str
    boxes: int
    gone: bool


@dataclass(frozen=True, slots=True)
class Record:
    """A ship's record sheet. `called`: what the other side calls it; `rows`: true where a box is marked already."""

    name: str
    cls: str
    classification: str
    called: str
    drone: bool
    mass: int
    thrust: int
    ftl: str
    points: int
    start: str
    rows: tuple[tuple[bool, ...], ...]
    systems: tuple[Fitted, ...]


@dataclass(frozen=True, slots=True)
class Spot:
    """Something on the set-up: where, which way, how fast. `x`, `y`: on the drawing."""

    name: str
    side: str
    x: int
    y: int
    turn: int
    at: str
    course: int
    velocity: int
    known: str
    bogey: bool


@dataclass(frozen=True, slots=True)
class SetUp:
    width: float
    height: float
    spots: tuple[Spot, ...]
    pieces: tuple[Thing, ...]

    @property
    def half(self) -> float:
        """The middle of the drawing: names beyond it are written towards the left, so that none is cut off."""
        return self.width / 2


def record_sheets(sheet: Mapping[str, Any], names: Mapping[str, str]) -> tuple[Record, ...]:
    """The record sheets of a side's own ships, as they come to the table."""
    return tuple(_record(ship, names[ship.id]) for ship in own_state(sheet).ships)


def _record(ship: ShipState, name: str) -> Record:
    sheet, before, rows = ship.sheet, 0, []
    for row in sheet.rows:
        rows.append(tuple(before + n < ship.damage for n in range(row)))
        before += row
    stock = stock_now(ship)
    systems = [] if ship.dummy else [_fitted(ship, n, stock) for n in range(len(sheet.fits))]
    return Record(
        name=name,
        cls=sheet.cls,
        classification=sheet.classification,
        called=contact_name(ship.contact),
        drone=ship.dummy,
        mass=sheet.mass,
        thrust=sheet.thrust,
        ftl=sheet.ftl,
        points=sheet.points,
        start=f"at {ship.x:g}, {ship.y:g} on course {ship.course}, velocity {ship.velocity}",
        rows=() if ship.dummy else tuple(rows),
        systems=tuple(systems),
    )


def _fitted(ship: ShipState, place: int, stock: Mapping[str, int]) -> Fitted:
    fit = ship.sheet.fits[place]
    notes = [fit.variant.upper() if len(fit.variant) == 1 else fit.variant] if fit.variant else []
    notes += ["/".join(ARCS.get(arc, arc) for arc in fit.arcs)] if fit.arcs else []
    if fit.type == "drive" and ship.alive[place] == 1:
        notes.append("halved")
    if fit.id in stock:
        notes.append(f"{stock[fit.id]} aboard")
    boxes = stock.get(fit.id, ship.alive[place])
    return Fitted(system_words(fit.id), ", ".join(notes), boxes, not ship.alive[place])


def set_up(sheet: Mapping[str, Any], names: Mapping[str, str]) -> SetUp:
    """Where everybody stands that the side sees: its own ships, contacts, what lies on the table."""
    width, height = sheet["table"]
    spots = [
        _spot(names[ship["id"]], "own", ship["at"], ship["course"], ship["velocity"], height, "", False)
        for ship in sheet["own"]
    ]
    spots += [
        _spot(
            names[str(contact["id"])],
            "foe",
            contact["at"],
            contact["course"],
            contact["velocity"],
            height,
            str(contact.get("class", contact["classification"])),
            "class" not in contact,
        )
        for contact in sheet["contacts"]
    ]
    pieces = things_of(sheet["seen"], Names(names), height)
    return SetUp(width * SCALE, height * SCALE, tuple(spots), tuple(piece for piece in pieces if not piece.arrow))


def _spot(name: str, side: str, at: Any, course: int, velocity: int, height: float, known: str, unknown: bool) -> Spot:
    x, y = at
    turn = int(course) % 12 * 30
    return Spot(name, side, units(x), units(height - y), turn, f"{x:g}, {y:g}", course, velocity, known, unknown)
