"""The record of a battle while it is fought at a table: what players enter, and its effect.

An entry is a mapping with a `kind` and the keys that `KEYS` lists for it. A faction makes entries
for its own ships only:

  boxes     boxes `first` to `last` of the damage track of `ship` are crossed off (`off`) or not
  system    `system` of `ship` has taken `hits` hits
  stock     `left` is what is left of the store `name` of `ship`, boxes of armour among them
  end       how `ship` left the battle: `status`, `captor`, `how`, as in results
  shown     the other side has identified `ship`: from now on it sees what happens to it
  check     the threshold check of `ship` for the `row` that ends with this box: `rolls` in the
            order of its systems, or the site rolls (`site`); stored as `dice`, pairs of system
            and die
  ground    `damage` boxes of the ground target `site` are marked off; any faction may enter it
  dice      `rolls` that were rolled by hand, and what for (`about`)
  throw     `dice` dice that the site rolls, and what for (`about`); stored as `dice`
  plot      the `orders` of the faction's ships in a `turn`, by id: sealed now, shown when all
            have sealed
  phase     `phase` of `turn` begins

Boxes are numbered, so that a box crossed off on two devices counts once; of contradicting entries
the later counts.

What others may know of an entry is a separate document (`told`), empty if they may know nothing; it
names ships by their contact codes. Of a ship that is not identified they see how it left the battle
and nothing else; of stores, nothing ever; with closed record sheets (`advanced-sensors`), of an
identified ship no more than its class. Allies have the same sheet and see each other's entries in
full. All functions are pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from engine.core.kinds import DESTROYED, FIGHTING, SCANNED_AWAY
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.core.terms import ADVANCED_SENSORS, CORE_SYSTEMS
from engine.design.mass_pricing import CORE
from engine.ship_profiles import profile_of, stock_now
from engine.table_results.validation import is_lost_with_holder

SCHEMA: Final = 1
MOST_ENTRIES: Final = 4000  # of one faction in one battle
MOST_AT_ONCE: Final = 200
PHASES: Final = (
    *(phrase("plots"), phrase("movement"), phrase("craft and ordnance"), phrase("fire")),
    phrase("checks and repairs"),
)
KEYS: Final[Mapping[str, Mapping[str, type]]] = {
    "boxes": {"ship": str, "first": int, "last": int, "off": bool},
    "system": {"ship": str, "system": str, "hits": int},
    "stock": {"ship": str, "name": str, "left": int},
    "end": {"ship": str, "status": str, "captor": str, "how": str},
    "shown": {"ship": str},
    "check": {"ship": str, "row": int, "site": bool, "rolls": list},
    "ground": {"site": str, "damage": int},
    "dice": {"about": str, "rolls": list},
    "throw": {"about": str, "dice": int},
    "plot": {"turn": int, "orders": dict},
    "phase": {"turn": int, "phase": int},
}
FATE: Final = ("status", "captor", "how")
MARKS: Final = frozenset(kind for kind, keys in KEYS.items() if "ship" in keys)
# The kind of entry that the site adds when all have sealed: a plot as others read it.
REVEALED: Final = "revealed"

Entry = Mapping[str, Any]


@dataclass(slots=True)
class Marks:
    """What is marked on one of a side's own record sheets now.

    Attributes:
        crossed: Numbers of crossed-off boxes of the damage track.
        hits: Hits on each system.
        checks: Dice of threshold checks, by the last box of their rows.
        before: Its fate before the last entry.
    """

    ship: ShipState
    crossed: set[int]
    hits: Counter[str]
    stock: dict[str, int]
    status: str = FIGHTING.value
    captor: str = ""
    how: str = ""
    is_shown: bool = False
    checks: dict[int, dict[str, int]] = field(default_factory=dict)
    before: tuple[str, str, str] = (FIGHTING.value, "", "")

    @property
    def fate(self) -> tuple[str, str, str]:
        """Return how it left the battle: `status`, `captor`, `how`.

        A ship without boxes is destroyed, whatever was entered.
        """
        if self.status != DESTROYED and len(self.crossed) >= self.ship.sheet.boxes:
            return (DESTROYED.value, "", "")
        return (self.status, self.captor, self.how)

    @property
    def damage(self) -> int:
        """Return the damage points; all of them for a ship destroyed box by box."""
        is_destroyed = self.status == DESTROYED and not self.how
        if is_destroyed:
            return self.ship.sheet.boxes
        return len(self.crossed)

    @property
    def lost(self) -> list[str]:
        """Return the lost systems; one that takes two hits is listed once for each."""
        result: list[str] = []
        for fit in self.ship.sheet.fits:
            for _ in range(self.hits[fit.id]):
                result.append(fit.id)
        return result


@dataclass(slots=True)
class RecordState:
    """The record as a faction knows it.

    Attributes:
        marks: The faction's own ships.
        allied: The ships of its allies.
        contacts: What is known of foreign ships, and what is marked on allied ones, by contact
            code.
        sealed: The factions that have sealed a plot, by turn.
        plots: The public plots, by turn and faction.
        own_plots: The faction's own plots, by turn.
        ground: The boxes marked off of ground targets, which are public.
    """

    marks: dict[str, Marks]
    allied: dict[str, Marks] = field(default_factory=dict)
    contacts: dict[str, dict[str, Any]] = field(default_factory=dict)
    turn: int = 1
    phase: int = 0
    sealed: dict[int, set[str]] = field(default_factory=dict)
    plots: dict[int, dict[str, dict[str, str]]] = field(default_factory=dict)
    own_plots: dict[int, dict[str, str]] = field(default_factory=dict)
    ground: dict[str, int] = field(default_factory=dict)

    def advance_to(self, turn: int, phase: int) -> None:
        """Advance to a phase; never go back."""
        self.turn, self.phase = max((self.turn, self.phase), (turn, phase))


def own_ids(sheet: Mapping[str, Any], faction: str) -> tuple[str, ...]:
    """Return the ships of a side's sheet that belong to a faction and not to its allies."""
    alone = "+" not in sheet["side"]
    result: list[str] = []
    for ship in sheet["own"]:
        if alone or ship["id"].startswith(f"{faction}/"):
            result.append(ship["id"])
    return tuple(result)


def factions_of(sheet: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the factions that fight in a battle."""
    result: list[str] = []
    for side in sheet["sides"]:
        for key in side.split("+"):
            result.append(key)
    return tuple(result)


def allies_of(sheet: Mapping[str, Any], faction: str) -> tuple[str, ...]:
    """Return the other factions of a faction's side, which have the same sheet."""
    return tuple(key for key in sheet["side"].split("+") if key != faction)


def initial_marks(sheet: Mapping[str, Any], ships: Iterable[ShipState]) -> dict[str, Marks]:
    """Return the marks of ships at the start of the battle."""
    result: dict[str, Marks] = {}
    for ship in ships:
        result[ship.id] = Marks(
            ship,
            set(range(1, ship.damage + 1)),
            Counter(
                {
                    fit.id: full - working
                    for fit, full, working in zip(
                        ship.sheet.fits, ship.profile.undamaged, ship.alive, strict=True
                    )
                }
            ),
            dict(stock_now(ship)),
            is_shown=not sheet["bogeys"],
        )
    return result


def build_record(
    sheet: Mapping[str, Any],
    faction: str,
    ships: Iterable[ShipState],
    entries: Iterable[tuple[str, Entry]],
) -> RecordState:
    """Build the record of a faction.

    Args:
        ships: The ships of its sheet.
        entries: (author, what the faction may read of the entry), earliest first: its own entries
            and its allies' marks in full, of others the visible part.
    """
    all_marks = initial_marks(sheet, ships)
    mine = own_ids(sheet, faction)
    allied = {id_: marks for id_, marks in all_marks.items() if id_ not in mine}
    ground = {str(site["id"]): int(site["damage"]) for site in ground_targets(sheet)}
    record = RecordState(
        {id_: marks for id_, marks in all_marks.items() if id_ in mine}, allied, ground=ground
    )
    for author, entry in entries:
        if entry["kind"] in MARKS and author != faction and entry["ship"] in record.allied:
            _mark(record.allied[entry["ship"]], entry)
        else:
            apply_entry(record, faction, author, entry)
    for marks in record.allied.values():
        record.contacts[str(marks.ship.contact)] = _visible_state(marks)
    return record


def _visible_state(marks: Marks) -> dict[str, Any]:
    """Return what others see of a ship with an open record sheet."""
    armour = sum(boxes for name, boxes in marks.stock.items() if _armour(marks, name))
    end = dict(zip(FATE, marks.fate, strict=True))
    return {
        **end,
        "cls": marks.ship.sheet.cls,
        "damage": marks.damage,
        "lost": marks.lost,
        "armour": armour,
    }


def apply_entry(record: RecordState, faction: str, author: str, entry: Entry) -> None:
    """Apply an entry to a faction's record: its own, or the visible part of another's."""
    if author == faction:
        apply_own_entry(record, faction, entry)
    else:
        _apply_foreign_entry(record, author, entry)


def apply_own_entry(record: RecordState, faction: str, entry: Entry) -> None:
    """Apply one of the faction's own entries, which has no faults, to its record."""
    kind = entry["kind"]
    if kind == "phase":
        record.advance_to(entry["turn"], entry["phase"])
    elif kind == "ground":
        record.ground[entry["site"]] = entry["damage"]
    elif kind == "plot":
        record.sealed.setdefault(entry["turn"], set()).add(faction)
        record.own_plots[entry["turn"]] = dict(entry["orders"])
    elif kind == REVEALED:
        record.plots.setdefault(entry["turn"], {})[faction] = record.own_plots[entry["turn"]]
    elif "ship" in entry:
        _mark(record.marks[entry["ship"]], entry)


def _mark(marks: Marks, entry: Entry) -> None:
    kind = entry["kind"]
    marks.before = marks.fate
    if kind == "boxes":
        boxes = range(entry["first"], entry["last"] + 1)
        if entry["off"]:
            marks.crossed = marks.crossed.union(boxes)
        else:
            marks.crossed = marks.crossed.difference(boxes)
    elif kind == "system":
        marks.hits[entry["system"]] = entry["hits"]
    elif kind == "stock":
        marks.stock[entry["name"]] = entry["left"]
    elif kind == "end":
        marks.status = entry["status"]
        marks.captor = entry["captor"]
        marks.how = entry["how"]
    elif kind == "check":
        marks.checks[entry["row"]] = dict(entry["dice"])
    else:
        marks.is_shown = True


def _apply_foreign_entry(record: RecordState, author: str, entry: Entry) -> None:
    """Apply the visible part of another faction's entry to the record."""
    kind = entry["kind"]
    if kind == "phase":
        record.advance_to(entry["turn"], entry["phase"])
    elif kind == "ground":
        record.ground[entry["site"]] = entry["damage"]
    elif kind == "plot":
        record.sealed.setdefault(entry["turn"], set()).add(author)
    elif kind == REVEALED:
        record.plots.setdefault(entry["turn"], {})[author] = dict(entry["orders"])
    elif kind == "ship":
        record.contacts.setdefault(entry["ship"], {}).update(
            {key: entry[key] for key in entry if key not in ("kind", "ship")}
        )


def visible_part(sheet: Mapping[str, Any], record: RecordState, entry: Entry) -> dict[str, Any]:
    """Return what others may know of an entry that was just applied; empty: nothing."""
    kind = entry["kind"]
    if kind in ("dice", "phase", "ground"):
        return dict(entry)
    if kind == "plot":
        return {"kind": kind, "turn": entry["turn"]}
    marks = record.marks[entry["ship"]]
    turned = kind == "end" or marks.fate != marks.before
    end = dict(zip(FATE, marks.fate, strict=True))
    visible: dict[str, Any] = {"kind": "ship", "ship": str(marks.ship.contact)}
    if not marks.is_shown or marks.ship.dummy:
        if turned:
            return {**visible, **end}
        return {}
    visible = {**visible, **end, "cls": marks.ship.sheet.cls}
    if ADVANCED_SENSORS in sheet["options"]:
        if turned or kind == "shown":
            return visible
        return {}
    if kind == "check":
        return {"kind": kind, "ship": visible["ship"], "dice": entry["dice"]} | _without_empty(
            by=entry.get("by")
        )
    if kind == "stock" and not _armour(marks, entry["name"]):
        return {}
    return visible | _visible_state(marks)


def systems_to_check(marks: Marks, *, core: bool) -> list[str]:
    """Return the working systems that a threshold check rolls for, in the order of the sheet.

    Rules: 2E "Threshold points" [2e.thresholds]; Continuum "Core systems" 10.3 [pc.core-systems]
    """
    fits = zip(marks.ship.sheet.fits, marks.ship.profile.undamaged, strict=True)
    result: list[str] = []
    for fit, full in fits:
        if marks.hits[fit.id] < full and (core or fit.type not in CORE):
            result.append(fit.id)
    return result


def check_of(sheet: Mapping[str, Any], marks: Marks, row: int) -> list[str]:
    """Return the systems that the check of a row rolls for.

    With the option for core systems, they are included from the second row on.
    """
    first = next((last for last, _ in profile_of(marks.ship.sheet).row_ends), 0)
    return systems_to_check(marks, core=CORE_SYSTEMS in sheet["options"] and row > first)


def _armour(marks: Marks, name: str) -> bool:
    """Return whether a store is armour, which is visible on an identified ship."""
    return bool(marks.ship.sheet.armour) and name.partition("-")[0] in ("armour", "regenerative")


def reveal_plot(sheet: Mapping[str, Any], turn: int, orders: Mapping[str, str]) -> dict[str, Any]:
    """Return a plot as others read it, with contact codes."""
    codes = {ship["id"]: ship.get("contact", ship["id"]) for ship in sheet["own"]}
    return {
        "kind": REVEALED,
        "turn": turn,
        "orders": {codes[id_]: text for id_, text in orders.items()},
    }


def ground_targets(sheet: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """Return the ground targets of a battle at its start; every side's sheet has all of them."""
    return tuple(sheet.get("seen", {}).get("sites", ()))


def all_sealed(sheet: Mapping[str, Any], record: RecordState, turn: int) -> bool:
    """Return whether all factions have sealed their plots of a turn."""
    return record.sealed.get(turn, set()) >= set(factions_of(sheet))


def propose_result(sheet: Mapping[str, Any], record: RecordState) -> dict[str, Any]:
    """Return the result of the battle by its record, for the form in which results are entered.

    For a foreign ship that was never identified it only says whether it is destroyed or was a
    drone; for all else, what its own side enters counts.
    """
    ships: dict[str, Any] = {}
    for id_, marks in (record.marks | record.allied).items():
        status, captor, how = marks.fate
        end: dict[str, Any] = {"status": status, "damage": marks.damage, "lost": marks.lost}
        stock_before = stock_now(marks.ship)
        lost = marks.lost
        stock = {}
        for name, amount in marks.stock.items():
            if amount != stock_before[name] and not is_lost_with_holder(marks.ship, name, lost):
                stock[name] = amount
        ships[id_] = end | _without_empty(captor=captor, cause=how, stock=stock)
    contacts_before = {str(contact["id"]): contact for contact in sheet["contacts"]}
    for code, contact in contacts_before.items():
        now = {**contact, **record.contacts.get(code, {})}
        is_known = "damage" in now or (
            not sheet["bogeys"] and ADVANCED_SENSORS not in sheet["options"]
        )
        if is_known or now.get("status") in (DESTROYED, SCANNED_AWAY):
            end = {
                "status": now.get("status", FIGHTING.value),
                "damage": now.get("damage", 0),
                "lost": list(now.get("lost", ())),
            }
            ships[code] = end | _without_empty(captor=now.get("captor"), cause=now.get("how"))
    damage_before = {str(site["id"]): site["damage"] for site in ground_targets(sheet)}
    ground = {}
    for id_, damage in record.ground.items():
        if damage != damage_before[id_]:
            ground[id_] = damage
    return {"schema": SCHEMA, "turns": record.turn, "ships": ships, **_without_empty(ground=ground)}


def _without_empty(**parts: Any) -> dict[str, Any]:
    return {name: value for name, value in parts.items() if value}
