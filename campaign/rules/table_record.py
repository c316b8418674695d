"""The record of a battle that is kept while it is fought at a table: what players enter, what comes
of it. Pure.

An entry is a mapping with a `kind` and the keys that `KEYS` lists for it. Who enters it writes of
his own ships alone:

    boxes     boxes `first` to `last` of the damage track of `ship` are crossed (`off`), or are not
    system    `system` of `ship` has taken so many `hits`
    stock     so much is `left` of the store `name` of `ship`, boxes of armour among them
    end       how `ship` left the battle: `status`, `captor`, `how`, as results say it
    shown     the other side has identified `ship`: from now on it is told what happens to it
    check     the threshold check of `ship` for the `row` that ends with this box: `rolls` in the order of its systems,
              or the site throws (`site`); it is kept as `dice`, pairs of
              system and die
    ground    so many boxes of the ground target `site` are marked off (`damage`), by whoever fights here
    dice      `rolls` that were thrown by hand, and what `about`
    throw     so many `dice` that the site throws, and what `about`; it is kept as `dice`
    plot      the `orders` of one's ships in a `turn`, by their ids: sealed with this, told when all have sealed
    phase     `phase` of `turn` begins

Boxes are named, so that a box that two telephones cross is crossed once; of contradicting entries
the later counts.

What others may know of an entry is a document of its own (`told`), empty where they may know
nothing; it names ships by their contact codes. Of a ship that is not identified they learn how it
left the battle and nothing else; of stores, never anything; where record sheets lie closed
(`advanced-sensors`), of an identified ship no more than its class. Allies were handed the same
sheet, and read each other's marks as they are.
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
REVEALED: Final = (
    "revealed"  # what the site adds to the record when all have sealed: a plot as others read it
)

Entry = Mapping[str, Any]


@dataclass(slots=True)
class Marks:
    """What is marked on one of a side's own sheets now.

    `crossed`: boxes of the damage track by their numbers; `checks`: what was thrown in threshold
    checks, by the last box of their rows; `before`: its fate before the last entry.
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
        """How it left the battle: `status`, `captor`, `how`.

        Without boxes it is destroyed, whatever was said.
        """
        if self.status != DESTROYED and len(self.crossed) >= self.ship.sheet.boxes:
            return (DESTROYED.value, "", "")
        return (self.status, self.captor, self.how)

    @property
    def damage(self) -> int:
        """The damage points that are marked: all, of a ship that was destroyed box by box."""
        is_destroyed = self.status == DESTROYED and not self.how
        return self.ship.sheet.boxes if is_destroyed else len(self.crossed)

    @property
    def lost(self) -> list[str]:
        """The systems that are lost, one that stands two hits once for each."""
        return [fit.id for fit in self.ship.sheet.fits for _ in range(self.hits[fit.id])]


@dataclass(slots=True)
class RecordState:
    """The record as a faction knows it.

    `marks`: of its own ships; `allied`: of its allies'; `others`: what was told of foreign ships,
    and what is marked on allies', by their codes; `sealed`: who has sealed a plot, by turn;
    `plots`: those that all may read, by turn and faction; `mine`: one's own, by turn; `ground`: the
    boxes marked off of ground targets, which lie open to everybody.
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
        """To a phase, never back."""
        self.turn, self.phase = max((self.turn, self.phase), (turn, phase))


def own_ids(sheet: Mapping[str, Any], faction: str) -> tuple[str, ...]:
    """The ships of a side's sheet that a faction writes of: its own, and not its allies'."""
    alone = "+" not in sheet["side"]
    return tuple(
        ship["id"] for ship in sheet["own"] if alone or ship["id"].startswith(f"{faction}/")
    )


def factions_of(sheet: Mapping[str, Any]) -> tuple[str, ...]:
    """Who fights in a battle."""
    return tuple(key for side in sheet["sides"] for key in side.split("+"))


def allies_of(sheet: Mapping[str, Any], faction: str) -> tuple[str, ...]:
    """The other factions of its side, which were handed the same sheet."""
    return tuple(key for key in sheet["side"].split("+") if key != faction)


def initial_marks(sheet: Mapping[str, Any], ships: Iterable[ShipState]) -> dict[str, Marks]:
    """The sheets of these ships as they came to the table."""
    return {
        ship.id: Marks(
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
        for ship in ships
    }


def build_record(
    sheet: Mapping[str, Any],
    faction: str,
    ships: Iterable[ShipState],
    entries: Iterable[tuple[str, Entry]],
) -> RecordState:
    """The record of a faction.

    `ships`: those of its sheet; `entries`: (whose, what he may read of it), the earliest first: his
    own entries and allies' marks as they are, of others what they tell.
    """
    all_marks, mine = initial_marks(sheet, ships), own_ids(sheet, faction)
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
    """What is told of a ship whose record sheet can be read."""
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
    """Take an entry into the record of a faction: its own, or what another's tells it."""
    if author == faction:
        apply_own_entry(record, faction, entry)
    else:
        _apply_foreign_entry(record, author, entry)


def apply_own_entry(record: RecordState, faction: str, entry: Entry) -> None:
    """Take one of the faction's own entries, known to be without faults, into its record."""
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
    kind, marks.before = entry["kind"], marks.fate
    if kind == "boxes":
        boxes = range(entry["first"], entry["last"] + 1)
        marks.crossed = (
            marks.crossed.union(boxes) if entry["off"] else marks.crossed.difference(boxes)
        )
    elif kind == "system":
        marks.hits[entry["system"]] = entry["hits"]
    elif kind == "stock":
        marks.stock[entry["name"]] = entry["left"]
    elif kind == "end":
        marks.status, marks.captor, marks.how = entry["status"], entry["captor"], entry["how"]
    elif kind == "check":
        marks.checks[entry["row"]] = dict(entry["dice"])
    else:
        marks.is_shown = True


def _apply_foreign_entry(record: RecordState, author: str, entry: Entry) -> None:
    """Take what another faction's entry tells into the record."""
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
    """What others may know of an entry that was just written into its faction's record; empty:
    nothing.
    """
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
        return {**visible, **end} if turned else {}
    visible = {**visible, **end, "cls": marks.ship.sheet.cls}
    if ADVANCED_SENSORS in sheet["options"]:
        return visible if turned or kind == "shown" else {}
    if kind == "check":
        return {"kind": kind, "ship": visible["ship"], "dice": entry["dice"]} | _without_empty(
            by=entry.get("by")
        )
    if kind == "stock" and not _armour(marks, entry["name"]):
        return {}
    return visible | _visible_state(marks)


def systems_to_check(marks: Marks, *, core: bool) -> list[str]:
    """The systems for which a threshold check throws, in the order of the sheet: those that still
    work.

    Rules: 2E "Threshold points" [2e.thresholds]; Continuum "Core systems" 10.3 [pc.core-systems]
    """
    fits = zip(marks.ship.sheet.fits, marks.ship.profile.undamaged, strict=True)
    return [
        fit.id for fit, full in fits if marks.hits[fit.id] < full and (core or fit.type not in CORE)
    ]


def check_of(sheet: Mapping[str, Any], marks: Marks, row: int) -> list[str]:
    """The systems that the check of a row throws for; core systems where they are in force, from
    the second row on.
    """
    first = next((last for last, _ in profile_of(marks.ship.sheet).row_ends), 0)
    return systems_to_check(marks, core=CORE_SYSTEMS in sheet["options"] and row > first)


def _armour(marks: Marks, name: str) -> bool:
    """Whether a store is boxes of armour, which everybody sees who knows the ship."""
    return bool(marks.ship.sheet.armour) and name.partition("-")[0] in ("armour", "regenerative")


def reveal_plot(sheet: Mapping[str, Any], turn: int, orders: Mapping[str, str]) -> dict[str, Any]:
    """A plot as others read it: under contact codes."""
    codes = {ship["id"]: ship.get("contact", ship["id"]) for ship in sheet["own"]}
    return {
        "kind": REVEALED,
        "turn": turn,
        "orders": {codes[id_]: text for id_, text in orders.items()},
    }


def ground_targets(sheet: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """The ground targets of a battle as they came to the table; everybody's sheet has them all."""
    return tuple(sheet.get("seen", {}).get("sites", ()))


def all_sealed(sheet: Mapping[str, Any], record: RecordState, turn: int) -> bool:
    """Whether everybody who fights has sealed his plot of a turn."""
    return record.sealed.get(turn, set()) >= set(factions_of(sheet))


def propose_result(sheet: Mapping[str, Any], record: RecordState) -> dict[str, Any]:
    """The result of the battle as its record says it, for the form in which results are entered.

    Of a foreign ship that was never identified it says no more than that it is destroyed, or was a
    drone: else its own side's word stands.
    """
    ships: dict[str, Any] = {}
    for id_, marks in (record.marks | record.allied).items():
        status, captor, how = marks.fate
        end: dict[str, Any] = {"status": status, "damage": marks.damage, "lost": marks.lost}
        stock_before, lost = stock_now(marks.ship), marks.lost
        stock = {
            name: amount
            for name, amount in marks.stock.items()
            if amount != stock_before[name] and not is_lost_with_holder(marks.ship, name, lost)
        }
        ships[id_] = end | _without_empty(captor=captor, how=how, stock=stock)
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
            ships[code] = end | _without_empty(captor=now.get("captor"), how=now.get("how"))
    damage_before = {str(site["id"]): site["damage"] for site in ground_targets(sheet)}
    ground = {id_: damage for id_, damage in record.ground.items() if damage != damage_before[id_]}
    return {"schema": SCHEMA, "turns": record.turn, "ships": ships, **_without_empty(ground=ground)}


def _without_empty(**parts: Any) -> dict[str, Any]:
    return {name: value for name, value in parts.items() if value}
