"""The form for a side's result of a tabletop battle, and differences between results. Pure.

Fields belong to ships, named as on the side's sheet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict

from campaign.forms.field import ChoiceField, NumberField, as_mapping, number, text
from campaign.rules.codec import as_list
from campaign.rules.queries import holder_of
from campaign.words.battle.log import contact_name, own_names
from campaign.words.system_names import system_id
from engine.core.errors import Violation
from engine.core.kinds import (
    CAPTURED,
    DESTROYED,
    FIGHTING,
    FTL,
    HULK,
    LANDED,
    LEFT_TABLE,
    SCANNED_AWAY,
    SHIP_SURRENDERED,
    DestroyedBy,
    ShipStatus,
)
from engine.core.phrase import join_phrases, phrase
from engine.core.phrase_data import restore_phrase
from engine.core.ship import ShipState
from engine.english import kind_words, system_words
from engine.ship_profiles import stock_now
from engine.table_results.ends import TAKEN_STATUSES
from engine.table_results.validation import most_stock

STATUS = ChoiceField("status")
DAMAGE = NumberField("damage")
LOST_SYSTEMS = ChoiceField("lost")
STOCK = NumberField("stock")
CAPTOR = ChoiceField("captor")
DESTROYED_HOW = ChoiceField("how")
GROUND = NumberField("ground")

NOT_REPORTED = "unsaid"


def _status_options(*statuses: ShipStatus) -> tuple[tuple[str, str], ...]:
    return tuple((status, status.label) for status in statuses)


ENDS = _status_options(
    FIGHTING, LEFT_TABLE, FTL, DESTROYED, CAPTURED, SHIP_SURRENDERED, HULK, LANDED
)
DECOY_ENDS = _status_options(FIGHTING, LEFT_TABLE, SCANNED_AWAY)
FOREIGN_ENDS = (
    *ENDS,
    (SCANNED_AWAY, SCANNED_AWAY.label),
    (NOT_REPORTED, phrase("never identified: the other side enters it")),
)
HOWS = (
    ("", phrase("damage: all its boxes were lost")),
    *((cause, cause.label) for cause in DestroyedBy),
)
PARTS = {
    "status": phrase("status at the end"),
    "damage": phrase("damage"),
    "lost": phrase("systems lost"),
    "stock": phrase("stores left"),
    "captor": phrase("captured by"),
    "how": phrase("destroyed by"),
    "turns": phrase("turns played"),
    "ground": phrase("ground targets"),
}


@dataclass(frozen=True, slots=True)
class SystemRow:
    """A system in the form, ticked if lost."""

    id: str
    field: str  # name of its select, which a drive has
    words: str
    lost_count: int
    most: int  # 2 for a drive, which is halved first


@dataclass(frozen=True, slots=True)
class EndRow:
    """A ship in the form."""

    key: str
    id: str
    name: str
    cls: str
    is_own: bool
    is_decoy: bool
    ends: tuple[tuple[str, str], ...]
    status: str
    damage: str
    boxes: int  # 0 if unknown
    systems: tuple[SystemRow, ...]  # of the side's own ships
    lost_systems: str  # as text, for foreign ships
    stock: tuple[tuple[str, str, str, int], ...]  # (field name, label, left, most)
    captor: str
    destroyed_by: str
    faults: tuple[str, ...]

    @property
    def fields(self) -> dict[str, str]:
        """The names of its fields."""
        return end_fields(self.key)


@dataclass(frozen=True, slots=True)
class ResultDifference:
    """A difference between the results of two sides."""

    name: str  # the ship
    part: str  # what it is about
    claims: tuple[tuple[str, str], ...]  # (side, what it entered)


def end_fields(key: str) -> dict[str, str]:
    """Return the names of the fields of a ship's end, for templates."""
    fields = {
        "status": STATUS,
        "damage": DAMAGE,
        "lost": LOST_SYSTEMS,
        "captor": CAPTOR,
        "how": DESTROYED_HOW,
    }
    return {word: field.name(key) for word, field in fields.items()}


def anchor(key: str) -> str:
    """Return the element id of a ship's part of the form."""
    return f"end-{key.replace('/', '-')}"


def names_on_sheet(sheet: Mapping[str, Any], own_names_by_id: Mapping[str, str]) -> dict[str, str]:
    """Return the ships' names on a sheet: names of own ships, descriptions of others."""
    names, _ = own_names(
        ((ship["id"], bool(ship.get("dummy"))) for ship in sheet["own"]), own_names_by_id
    )
    for contact in sheet["contacts"]:
        code = str(contact["id"])
        names[code] = contact_name(code, contact.get("class", phrase("Bogey")))
    return names


def form_rows(
    own_ships: Sequence[ShipState],
    contacts: Sequence[Mapping[str, Any]],
    payload: Mapping[str, Any],
    names: Mapping[str, str],
    violations: tuple[Violation, ...],
) -> tuple[EndRow, ...]:
    """Return the form rows for a payload, which may contain anything, with its faults.

    Args:
        own_ships: Ships with known sheets.
        contacts: Other ships.
        names: The ships' names on the sheet.
    """
    ends = as_mapping(payload.get("ships"))
    faults: dict[str, list[str]] = {}
    for violation in violations:
        key = _ship_of_path(violation.where, names)
        faults.setdefault(key, []).append(violation.message)
    rows = []
    for ship in own_ships:
        row = _own_ship_row(ship, as_mapping(ends.get(ship.id)), names[ship.id])
        rows.append(replace(row, faults=tuple(faults.get(ship.id, ()))))
    for contact in contacts:
        code = str(contact["id"])
        row = _contact_row(contact, ends.get(code), names[code])
        rows.append(replace(row, faults=tuple(faults.get(code, ()))))
    return tuple(rows)


def _ship_of_path(where: str, names: Iterable[str]) -> str:
    """Return the key of the ship that a path of a result is about, or ""."""
    for key in names:
        if f"{where}.".startswith(f"ships.{key}."):
            return key
    return ""


def _contact_row(contact: Mapping[str, Any], entry: object, name: str) -> EndRow:
    """Return the row of a foreign ship, filled with what the side entered about it.

    Args:
        entry: The entry in the payload; None if the side left it to the other one.
    """
    code = str(contact["id"])
    end = as_mapping(entry)
    lost_systems = [system_words(str(system)) for system in as_list(end.get("lost"))]
    return EndRow(
        key=code,
        id=anchor(code),
        name=name,
        cls=phrase(str(contact.get("classification", ""))),
        is_own=False,
        is_decoy=False,
        ends=FOREIGN_ENDS,
        status=NOT_REPORTED if entry is None else str(end.get("status", "")),
        damage=str(end.get("damage", "")),
        boxes=0,
        systems=(),
        lost_systems=join_phrases(", ", lost_systems),
        stock=(),
        captor=str(end.get("captor", "")),
        destroyed_by=str(end.get("cause", "")),
        faults=(),
    )


def _own_ship_row(ship: ShipState, end: Mapping[str, Any], name: str) -> EndRow:
    """Return the row of one of the side's ships, filled with what the side entered about it."""
    return EndRow(
        key=ship.id,
        id=anchor(ship.id),
        name=name,
        cls=phrase("decoy") if ship.dummy else phrase(ship.sheet.cls),
        is_own=True,
        is_decoy=ship.dummy,
        ends=DECOY_ENDS if ship.dummy else ENDS,
        status=str(end.get("status", "")),
        damage=str(end.get("damage", "")),
        boxes=ship.sheet.boxes,
        systems=() if ship.dummy else tuple(_system_rows(ship, end)),
        lost_systems="",
        stock=() if ship.dummy else tuple(_stock_rows(ship, end)),
        captor=str(end.get("captor", "")),
        destroyed_by=str(end.get("cause", "")),
        faults=(),
    )


def _system_rows(ship: ShipState, end: Mapping[str, Any]) -> Iterator[SystemRow]:
    """Yield a ship's systems with how often the side marked each as lost."""
    lost_counts = Counter(map(str, as_list(end.get("lost"))))
    for fit in ship.sheet.fits:
        yield SystemRow(
            id=fit.id,
            field=LOST_SYSTEMS.name(ship.id, fit.id),
            words=system_words(fit.id),
            lost_count=lost_counts[fit.id],
            most=2 if fit.type == "drive" else 1,
        )


def _stock_rows(ship: ShipState, end: Mapping[str, Any]) -> Iterator[tuple[str, str, str, int]]:
    """Yield a ship's stores as (field name, label, remaining, most), as entered or as before."""
    entered = as_mapping(end.get("stock"))
    stock_before = stock_now(ship)
    for name, most in most_stock(ship).items():
        remaining = str(entered.get(name, stock_before[name]))
        yield STOCK.name(ship.id, name), stock_words(name), remaining, most


@dataclass(frozen=True, slots=True)
class GroundRow:
    """A ground target in the form."""

    key: str
    words: str  # name and side
    damage: str  # boxes marked off
    boxes: int
    damage_before: int

    @property
    def field(self) -> str:
        """The name of its field."""
        return GROUND.name(self.key)

    @property
    def track(self) -> tuple[tuple[int, bool, bool], ...]:
        """Its boxes to tap: (number, marked off, marked off before the battle)."""
        damage = number(self.damage)
        boxes: list[tuple[int, bool, bool]] = []
        for box in range(1, self.boxes + 1):
            is_marked_off = isinstance(damage, int) and box <= damage
            boxes.append((box, is_marked_off, box <= self.damage_before))
        return tuple(boxes)


def ground_rows(
    sites: Sequence[Mapping[str, Any]], payload: Mapping[str, Any], side_names: Sequence[str]
) -> list[GroundRow]:
    """Return the ground targets of a sheet.

    Args:
        side_names: The sides in words, by number.
    """
    damage_entered = as_mapping(payload.get("ground"))
    result: list[GroundRow] = []
    for site in sites:
        site_name = system_words(str(site["id"])).capitalize()
        result.append(
            GroundRow(
                key=str(site["id"]),
                words=phrase("{} of {}", site_name, side_names[site["side"]]),
                damage=str(damage_entered.get(site["id"], site["damage"])),
                boxes=int(site["boxes"]),
                damage_before=int(site["damage"]),
            )
        )
    return result


def table_payload(
    own_ships: Sequence[ShipState],
    contacts: Sequence[Mapping[str, Any]],
    post: QueryDict,
    edition: str,
    sites: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """Return the result in a form.

    No rule is checked; invalid numbers stay text.

    Args:
        edition: The rulebook whose systems it names.
        sites: The ground targets.
    """
    ships: dict[str, Any] = {}
    for ship in own_ships:
        ships[ship.id] = _submitted_own_end(ship, post)
    for contact in contacts:
        code = str(contact["id"])
        if STATUS.text(post, code) != NOT_REPORTED:
            names = LOST_SYSTEMS.text(post, code).split(",")
            lost_systems = [system_id(name, edition) for name in names if name.strip()]
            ships[code] = _submitted_end(post, code, lost_systems)
    result = {"schema": 1, "turns": number(text(post, "turns") or "1"), "ships": ships}
    ground = {}
    for site in sites:
        ground[site["id"]] = number(GROUND.text(post, site["id"]) or str(site["damage"]))
    if ground:
        result["ground"] = ground
    return result


def _submitted_own_end(ship: ShipState, post: QueryDict) -> dict[str, Any]:
    """Return the end of one of the side's ships in the form, with the stores that changed."""
    lost_systems = [name for name in post.getlist(LOST_SYSTEMS.name(ship.id)) if name]
    for fit in ship.sheet.fits:
        lost_systems += [fit.id] * _loss_count(LOST_SYSTEMS.text(post, ship.id, fit.id))
    end = _submitted_end(post, ship.id, lost_systems)
    stock = {}
    for name, amount_before in stock_now(ship).items():
        amount = number(STOCK.text(post, ship.id, name) or str(amount_before))
        if amount != amount_before and holder_of(name) not in lost_systems:
            stock[name] = amount
    if stock and not ship.dummy:
        end["stock"] = stock
    return end


def _submitted_end(post: QueryDict, key: str, lost_systems: list[str]) -> dict[str, Any]:
    """Return a ship's status, damage and losses in the form, and who captured or destroyed it."""
    status = STATUS.text(post, key)
    end: dict[str, Any] = {
        "status": status,
        "damage": number(DAMAGE.text(post, key) or "0"),
        "lost": lost_systems,
    }
    if status in TAKEN_STATUSES:
        end["captor"] = CAPTOR.text(post, key)
    if status == DESTROYED and DESTROYED_HOW.text(post, key):
        end["cause"] = DESTROYED_HOW.text(post, key)
    return end


def _loss_count(text_value: str) -> int:
    """Return how often a drive is lost: once for halved, twice for out."""
    if text_value in ("1", "2"):
        return int(text_value)
    return 0


def result_differences(
    check: Mapping[str, Any], names: Mapping[str, str], powers: Mapping[str, str]
) -> tuple[ResultDifference, ...]:
    """Return the differences found by the last comparison, in words.

    Args:
        powers: The names of the sides.
    """
    differences: list[ResultDifference] = []
    for difference in check["differences"]:
        part = difference["part"]
        claims = []
        for side, value in difference["claims"].items():
            claims.append((powers.get(side, side), part_words(part, value)))
        name = _difference_name(difference["ship"], names)
        differences.append(ResultDifference(name, PARTS[part], tuple(claims)))
    return tuple(differences)


def _difference_name(ship: str, names: Mapping[str, str]) -> str:
    """Return the name of the ship that a difference is about, or of the whole battle."""
    if ship in names:
        return names[ship]
    return contact_name(ship) if ship else phrase("The battle")


def fault_lines(check: Mapping[str, Any], names: Mapping[str, str]) -> tuple[str, ...]:
    """Return the faults found by the last comparison, in words."""
    lines = []
    for fault in check["faults"]:
        ship = _ship_of_path(fault["where"], names)
        reason = restore_phrase(fault["reason"])
        lines.append(phrase("{}: {}", names[ship], reason) if ship else reason)
    return tuple(lines)


def part_words(part: str, value: Any) -> str:
    """Return one part of a result in words."""
    if part == "status":
        return ShipStatus.label_of(value)
    if part == "lost":
        return join_phrases(", ", map(system_words, value)) or phrase("none")
    if part == "ground":
        sites = [phrase("{}: {} marked off", system_words(name), n) for name, n in value.items()]
        return join_phrases(", ", sites)
    if part == "stock":
        stores = [
            phrase("{}: {}", system_words(name), remaining) for name, remaining in value.items()
        ]
        return join_phrases(", ", stores)
    return str(value)


def stock_words(name: str) -> str:
    """Return the name of a stock: its system, and a magazine's load."""
    holder, _, load = name.partition("/")
    if load:
        return phrase("{} ({})", system_words(holder), kind_words(load))
    return system_words(holder)
