"""The form for a side's result of a tabletop battle, and differences between results. Pure.

Fields belong to ships, named as on the side's sheet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from campaign.forms.field import ChoiceField, NumberField, number, text
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
ENDS = tuple(
    (status, status.label)
    for status in (FIGHTING, LEFT_TABLE, FTL, DESTROYED, CAPTURED, SHIP_SURRENDERED, HULK, LANDED)
)
DRONE_ENDS = tuple((status, status.label) for status in (FIGHTING, LEFT_TABLE, SCANNED_AWAY))
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
    is_drone: bool
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
    """
    ends = payload.get("ships")
    ends = ends if isinstance(ends, Mapping) else {}
    faults: dict[str, list[str]] = {}
    for fault in violations:
        key = next((name for name in names if f"{fault.where}.".startswith(f"ships.{name}.")), "")
        faults.setdefault(key, []).append(fault.message)
    rows = []
    for ship in own_ships:
        rows.append(
            _own_ship_row(ship, _table(ends.get(ship.id)), names, tuple(faults.get(ship.id, ())))
        )
    for contact in contacts:
        code = str(contact["id"])
        entered = ends.get(code)
        end = _table(entered)
        rows.append(
            EndRow(
                key=code,
                id=anchor(code),
                name=names[code],
                cls=phrase(str(contact.get("classification", ""))),
                is_own=False,
                is_drone=False,
                ends=FOREIGN_ENDS,
                status=NOT_REPORTED if entered is None else str(end.get("status", "")),
                damage=str(end.get("damage", "")),
                boxes=0,
                systems=(),
                lost_systems=join_phrases(
                    ", ", (system_words(str(system)) for system in _list(end.get("lost")))
                ),
                stock=(),
                captor=str(end.get("captor", "")),
                destroyed_by=str(end.get("cause", "")),
                faults=tuple(faults.get(code, ())),
            )
        )
    return tuple(rows)


def _own_ship_row(
    ship: ShipState, end: Mapping[str, Any], names: Mapping[str, str], faults: tuple[str, ...]
) -> EndRow:
    lost_counts = Counter(map(str, _list(end.get("lost"))))
    fits = {fit.id: 2 if fit.type == "drive" else 1 for fit in ship.sheet.fits}
    stock_entered = _table(end.get("stock"))
    stock_before = stock_now(ship)
    return EndRow(
        key=ship.id,
        id=anchor(ship.id),
        name=names[ship.id],
        cls="drone" if ship.dummy else ship.sheet.cls,
        is_own=True,
        is_drone=ship.dummy,
        ends=DRONE_ENDS if ship.dummy else ENDS,
        status=str(end.get("status", "")),
        damage=str(end.get("damage", "")),
        boxes=ship.sheet.boxes,
        systems=()
        if ship.dummy
        else tuple(
            SystemRow(
                id_, LOST_SYSTEMS.name(ship.id, id_), system_words(id_), lost_counts[id_], most
            )
            for id_, most in fits.items()
        ),
        lost_systems="",
        stock=()
        if ship.dummy
        else tuple(
            (
                STOCK.name(ship.id, id_),
                stock_words(id_),
                str(stock_entered.get(id_, stock_before[id_])),
                most,
            )
            for id_, most in most_stock(ship).items()
        ),
        captor=str(end.get("captor", "")),
        destroyed_by=str(end.get("cause", "")),
        faults=faults,
    )


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
        off = number(self.damage)
        result: list[tuple[int, bool, bool]] = []
        for n in range(1, self.boxes + 1):
            result.append((n, isinstance(off, int) and n <= off, n <= self.damage_before))
        return tuple(result)


def ground_rows(
    sites: Sequence[Mapping[str, Any]], payload: Mapping[str, Any], side_names: Sequence[str]
) -> list[GroundRow]:
    """Return the ground targets of a sheet.

    Args:
        side_names: The sides in words, by number.
    """
    damage_entered = _table(payload.get("ground"))
    result: list[GroundRow] = []
    for site in sites:
        result.append(
            GroundRow(
                str(site["id"]),
                phrase(
                    "{} of {}", system_words(str(site["id"])).capitalize(), side_names[site["side"]]
                ),
                str(damage_entered.get(site["id"], site["damage"])),
                int(site["boxes"]),
                int(site["damage"]),
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
    """
    ships: dict[str, Any] = {}
    for ship in own_ships:
        fits = [fit.id for fit in ship.sheet.fits]
        lost_systems = [name for name in post.getlist(LOST_SYSTEMS.name(ship.id)) if name]
        for name in fits:
            lost_systems += [name] * _loss_count(LOST_SYSTEMS.text(post, ship.id, name))
        end = _end(post, ship.id, lost_systems)
        stock_before = stock_now(ship)
        stock = {}
        for name in stock_before:
            stock[name] = number(STOCK.text(post, ship.id, name) or str(stock_before[name]))
        stock = {
            name: amount
            for name, amount in stock.items()
            if amount != stock_before[name] and holder_of(name) not in lost_systems
        }
        ships[ship.id] = end | ({"stock": stock} if stock and not ship.dummy else {})
    for contact in contacts:
        code = str(contact["id"])
        if STATUS.text(post, code) != NOT_REPORTED:
            lost_systems = []
            for piece in LOST_SYSTEMS.text(post, code).split(","):
                if piece.strip():
                    lost_systems.append(system_id(piece, edition))
            ships[code] = _end(post, code, lost_systems)
    result = {"schema": 1, "turns": number(text(post, "turns") or "1"), "ships": ships}
    ground = {}
    for site in sites:
        ground[site["id"]] = number(GROUND.text(post, site["id"]) or str(site["damage"]))
    return result | ({"ground": ground} if ground else {})


def _end(post: QueryDict, key: str, lost_systems: list[str]) -> dict[str, Any]:
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
    """Return the differences found by the last comparison, in words."""
    differences: list[ResultDifference] = []
    for difference in check["differences"]:
        differences.append(
            ResultDifference(
                names.get(
                    difference["ship"],
                    phrase("The battle")
                    if not difference["ship"]
                    else contact_name(difference["ship"]),
                ),
                PARTS[difference["part"]],
                tuple(
                    (powers.get(side, side), part_words(difference["part"], value))
                    for side, value in difference["claims"].items()
                ),
            )
        )
    return tuple(differences)


def fault_lines(check: Mapping[str, Any], names: Mapping[str, str]) -> tuple[str, ...]:
    """Return the faults found by the last comparison, in words."""
    words = []
    for fault in check["faults"]:
        name = next(
            (
                name
                for key, name in names.items()
                if f"{fault['where']}.".startswith(f"ships.{key}.")
            ),
            "",
        )
        reason = restore_phrase(fault["reason"])
        words.append(phrase("{}: {}", name, reason) if name else reason)
    return tuple(words)


def part_words(part: str, value: Any) -> str:
    """Return one part of a result in words."""
    if part == "status":
        return ShipStatus.label_of(value)
    if part == "lost":
        return join_phrases(", ", (system_words(system) for system in value)) or phrase("none")
    if part == "ground":
        return join_phrases(
            ", ",
            (
                phrase("{}: {} marked off", system_words(name), damage)
                for name, damage in value.items()
            ),
        )
    if part == "stock":
        return join_phrases(
            ", ",
            (phrase("{}: {}", system_words(system), amount) for system, amount in value.items()),
        )
    return str(value)


def _table(value: object) -> Mapping[str, Any]:
    if isinstance(value, Mapping):
        return value
    return {}


def _list(value: object) -> list[Any]:
    if isinstance(value, list):
        return value
    return []


def stock_words(name: str) -> str:
    """Return the name of a stock: its system, and a magazine's load."""
    holder, _, load = name.partition("/")
    if load:
        return phrase("{} ({})", system_words(holder), kind_words(load))
    return system_words(holder)
