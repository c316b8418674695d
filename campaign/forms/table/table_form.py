"""The form in which a side enters what came of a battle at its table, and what differs, in words.

Pure.

Fields are of a ship, ships being called as on the side's sheet.
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
from campaign.words.stored_reasons import reason_words
from campaign.words.system_names import system_id
from engine.core.errors import Violation
from engine.core.kinds import (
    CAPTURED,
    DESTROYED,
    FIGHTING,
    FTL,
    HULK,
    LANDED,
    LEFT,
    SCANNED_AWAY,
    STRUCK,
    DestroyedBy,
    ShipStatus,
)
from engine.core.phrase import joined_phrases, phrase
from engine.core.phrase_data import phrase_of
from engine.core.ship import ShipState
from engine.english import kind_words, system_words
from engine.ship_profiles import stock_now
from engine.table_results.ends import TAKEN
from engine.table_results.judging import most_left

STATUS = ChoiceField("status")
DAMAGE = NumberField("damage")
LOST = ChoiceField("lost")
STOCK = NumberField("stock")
CAPTOR = ChoiceField("captor")
HOW = ChoiceField("how")
GROUND = NumberField("ground")

NOT_SAID = "unsaid"
ENDS = tuple(
    (status, status.label)
    for status in (FIGHTING, LEFT, FTL, DESTROYED, CAPTURED, STRUCK, HULK, LANDED)
)
DRONE_ENDS = tuple((status, status.label) for status in (FIGHTING, LEFT, SCANNED_AWAY))
FOREIGN_ENDS = (
    *ENDS,
    (SCANNED_AWAY, SCANNED_AWAY.label),
    (NOT_SAID, phrase("never identified: the other side enters it")),
)
HOWS = (("", phrase("damage: all its boxes are lost")), *((how, how.label) for how in DestroyedBy))
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
    """A system in the form: ticked where it is lost. `most`: 2 for a drive, which is halved first.

    `field`: the name of its list, which a drive has.
    """

    id: str
    field: str
    words: str
    lost: int
    most: int


@dataclass(frozen=True, slots=True)
class EndRow:
    """A ship in the form.

    `boxes` 0: not known; `systems`: of one's own ships; `lost`: as text for others'.

    `stock`: (name of the field, words, left, most).
    """

    key: str
    id: str
    name: str
    cls: str
    own: bool
    drone: bool
    ends: tuple[tuple[str, str], ...]
    status: str
    damage: str
    boxes: int
    systems: tuple[SystemRow, ...]
    lost: str
    stock: tuple[tuple[str, str, str, int], ...]
    captor: str
    how: str
    faults: tuple[str, ...]

    @property
    def fields(self) -> dict[str, str]:
        """The names of its fields."""
        return end_fields(self.key)


@dataclass(frozen=True, slots=True)
class Unlike:
    """A difference between what two sides say: of which ship, about what, and what each says."""

    name: str
    part: str
    said: tuple[tuple[str, str], ...]


def end_fields(key: str) -> dict[str, str]:
    """Name the fields of a ship's end, for templates."""
    fields = {"status": STATUS, "damage": DAMAGE, "lost": LOST, "captor": CAPTOR, "how": HOW}
    return {word: field.name(key) for word, field in fields.items()}


def anchor(key: str) -> str:
    """The id on the page of a ship's part of the form."""
    return f"end-{key.replace('/', '-')}"


def names_at(sheet: Mapping[str, Any], own: Mapping[str, str]) -> dict[str, str]:
    """The names of the ships of a sheet: one's own by their names, others by what is known of
    them.
    """
    found, _ = own_names(((ship["id"], bool(ship.get("dummy"))) for ship in sheet["own"]), own)
    for contact in sheet["contacts"]:
        code = str(contact["id"])
        found[code] = contact_name(code, contact.get("class", phrase("Bogey")))
    return found


def form_rows(
    own: Sequence[ShipState],
    contacts: Sequence[Mapping[str, Any]],
    payload: Mapping[str, Any],
    names: Mapping[str, str],
    found: tuple[Violation, ...],
) -> tuple[EndRow, ...]:
    """The form with what a payload says; the payload may hold anything, faults included.

    `own`: ships whose sheets are known; `contacts`: others.
    """
    ends = payload.get("ships")
    ends = ends if isinstance(ends, Mapping) else {}
    faults: dict[str, list[str]] = {}
    for fault in found:
        key = next((name for name in names if f"{fault.where}.".startswith(f"ships.{name}.")), "")
        faults.setdefault(key, []).append(fault.message)
    rows = [
        _own(ship, _table(ends.get(ship.id)), names, tuple(faults.get(ship.id, ()))) for ship in own
    ]
    for contact in contacts:
        code = str(contact["id"])
        said = ends.get(code)
        end = _table(said)
        rows.append(
            EndRow(
                key=code,
                id=anchor(code),
                name=names[code],
                cls=phrase(str(contact.get("classification", ""))),
                own=False,
                drone=False,
                ends=FOREIGN_ENDS,
                status=NOT_SAID if said is None else str(end.get("status", "")),
                damage=str(end.get("damage", "")),
                boxes=0,
                systems=(),
                lost=joined_phrases(
                    ", ", (system_words(str(system)) for system in _list(end.get("lost")))
                ),
                stock=(),
                captor=str(end.get("captor", "")),
                how=str(end.get("how", "")),
                faults=tuple(faults.get(code, ())),
            )
        )
    return tuple(rows)


def _own(
    ship: ShipState, end: Mapping[str, Any], names: Mapping[str, str], faults: tuple[str, ...]
) -> EndRow:
    lost = Counter(map(str, _list(end.get("lost"))))
    fits = {fit.id: 2 if fit.type == "drive" else 1 for fit in ship.sheet.fits}
    left, came = _table(end.get("stock")), stock_now(ship)
    return EndRow(
        key=ship.id,
        id=anchor(ship.id),
        name=names[ship.id],
        cls="drone" if ship.dummy else ship.sheet.cls,
        own=True,
        drone=ship.dummy,
        ends=DRONE_ENDS if ship.dummy else ENDS,
        status=str(end.get("status", "")),
        damage=str(end.get("damage", "")),
        boxes=ship.sheet.boxes,
        systems=()
        if ship.dummy
        else tuple(
            SystemRow(id_, LOST.name(ship.id, id_), system_words(id_), lost[id_], most)
            for id_, most in fits.items()
        ),
        lost="",
        stock=()
        if ship.dummy
        else tuple(
            (STOCK.name(ship.id, id_), stock_words(id_), str(left.get(id_, came[id_])), most)
            for id_, most in most_left(ship).items()
        ),
        captor=str(end.get("captor", "")),
        how=str(end.get("how", "")),
        faults=faults,
    )


@dataclass(frozen=True, slots=True)
class GroundRow:
    """A ground target in the form: its name on the sheet, whose it is, the boxes marked off and all
    of them.
    """

    key: str
    words: str
    damage: str
    boxes: int
    came: int

    @property
    def field(self) -> str:
        """The name of its field."""
        return GROUND.name(self.key)

    @property
    def track(self) -> tuple[tuple[int, bool, bool], ...]:
        """Its boxes to tap: number, marked off, marked off before the battle."""
        off = number(self.damage)
        return tuple(
            (n, isinstance(off, int) and n <= off, n <= self.came) for n in range(1, self.boxes + 1)
        )


def ground_rows(
    sites: Sequence[Mapping[str, Any]], shown: Mapping[str, Any], whose: Sequence[str]
) -> list[GroundRow]:
    """The ground targets of a sheet, as the form has them.

    `whose`: the sides in words, by their numbers.
    """
    said = _table(shown.get("ground"))
    return [
        GroundRow(
            str(site["id"]),
            phrase("{} of {}", system_words(str(site["id"])).capitalize(), whose[site["side"]]),
            str(said.get(site["id"], site["damage"])),
            int(site["boxes"]),
            int(site["damage"]),
        )
        for site in sites
    ]


def table_payload(
    own: Sequence[ShipState],
    contacts: Sequence[Mapping[str, Any]],
    posted: QueryDict,
    edition: str,
    sites: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """The result a form says.

    No rule is asked: what is not a number stays text. `edition`: whose systems it names.
    """
    ships: dict[str, Any] = {}
    for ship in own:
        fits = [fit.id for fit in ship.sheet.fits]
        lost = [name for name in posted.getlist(LOST.name(ship.id)) if name]
        for name in fits:
            lost += [name] * _times(LOST.text(posted, ship.id, name))
        end = _end(posted, ship.id, lost)
        came = stock_now(ship)
        stock = {
            name: number(STOCK.text(posted, ship.id, name) or str(came[name])) for name in came
        }
        stock = {
            name: left
            for name, left in stock.items()
            if left != came[name] and holder_of(name) not in lost
        }
        ships[ship.id] = end | ({"stock": stock} if stock and not ship.dummy else {})
    for contact in contacts:
        code = str(contact["id"])
        if STATUS.text(posted, code) != NOT_SAID:
            lost = [
                system_id(piece, edition)
                for piece in LOST.text(posted, code).split(",")
                if piece.strip()
            ]
            ships[code] = _end(posted, code, lost)
    result = {"schema": 1, "turns": number(text(posted, "turns") or "1"), "ships": ships}
    ground = {
        site["id"]: number(GROUND.text(posted, site["id"]) or str(site["damage"])) for site in sites
    }
    return result | ({"ground": ground} if ground else {})


def _end(posted: QueryDict, key: str, lost: list[str]) -> dict[str, Any]:
    status = STATUS.text(posted, key)
    end: dict[str, Any] = {
        "status": status,
        "damage": number(DAMAGE.text(posted, key) or "0"),
        "lost": lost,
    }
    if status in TAKEN:
        end["captor"] = CAPTOR.text(posted, key)
    if status == DESTROYED and HOW.text(posted, key):
        end["how"] = HOW.text(posted, key)
    return end


def _times(given: str) -> int:
    """How often a drive is lost: halved once, out twice."""
    return int(given) if given in ("1", "2") else 0


def unlike(
    check: Mapping[str, Any], names: Mapping[str, str], powers: Mapping[str, str]
) -> tuple[Unlike, ...]:
    """The differences that the last comparison found, in words."""
    return tuple(
        Unlike(
            names.get(
                one["ship"], phrase("The battle") if not one["ship"] else contact_name(one["ship"])
            ),
            PARTS[one["part"]],
            tuple(
                (powers.get(who, who), part_words(one["part"], value))
                for who, value in one["said"].items()
            ),
        )
        for one in check["differences"]
    )


def impossible(check: Mapping[str, Any], names: Mapping[str, str]) -> tuple[str, ...]:
    """The faults that the last comparison found, in words."""
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
        told = reason_words(phrase_of(fault["reason"]) if "reason" in fault else fault["message"])
        words.append(phrase("{}: {}", name, told) if name else told)
    return tuple(words)


def part_words(part: str, value: Any) -> str:
    """What is entered about a part of a ship's end, or of the battle, in words."""
    if part == "status":
        return ShipStatus.words(value)
    if part == "lost":
        return joined_phrases(", ", (system_words(system) for system in value)) or phrase("none")
    if part == "ground":
        return joined_phrases(
            ", ",
            (
                phrase("{}: {} marked off", system_words(name), damage)
                for name, damage in value.items()
            ),
        )
    if part == "stock":
        return joined_phrases(
            ", ", (phrase("{}: {}", system_words(system), left) for system, left in value.items())
        )
    return str(value)


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def stock_words(name: str) -> str:
    """What a stock is called: its system, and the load of a magazine."""
    holder, _, load = name.partition("/")
    return (
        phrase("{} ({})", system_words(holder), kind_words(load)) if load else system_words(holder)
    )
