"""The record of a battle while it is fought at a table: what players enter, and its effect.

An entry is a mapping with a `kind` and the keys that `KEYS` lists for it. A faction makes entries
for its own ships only:

  boxes     boxes `first` to `last` of the damage track of `ship` are crossed off (`off`) or not
  system    `system` of `ship` has taken `hits` hits
  stock     `left` is what is left of the store `name` of `ship`, boxes of armour among them
  end       how `ship` left the battle: `status`, `captor`, `how`, as in results
  shown     the other side has identified `ship`: from now on it sees what happens to it
  check     the threshold check of `ship` for the `row` that ends with this box: `rolls` in the
            order of its systems, stored as `dice`, pairs of system and die; or the site rolls
            (`site`), see `throw`
  ground    `damage` boxes of the ground target `site` are marked off; any faction may enter it
  dice      `rolls` that were rolled by hand, and what for (`about`)
  throw     `dice` dice that the site is to roll, and what for (`about`); stored as `reserved`
            with a `number`, which counts the faction's throws and decides the dice
  reveal    show the dice that were reserved with a `number`; stored as `dice` or `check` with
            this `number`, once
  plot      the `orders` of the faction's ships in a `turn`, by id: sealed now, shown when all
            have sealed
  phase     `phase` of `turn` begins
  body      where the `body` is that the faction places before all ships, such as `rock-1`; public
  set_up    the `places` of the faction's ships by id, as in a battle file's `set_up`: where each
            begins, its course and velocity, and when it drops out of FTL. It is sealed before
            turn 1, as turn 0. Where one side sets up after the other, others read where its ships
            are on the table; else only the faction ever reads it

Boxes are numbered, so that a box crossed off on two devices counts once; of contradicting entries
the later counts.

What others may know of an entry is a separate document (`visible_part`), empty if they may know
nothing; it names ships by their contact codes. Others see how an unidentified ship left the battle
and nothing else. They never see what is left in stores, except armour. With closed record sheets
(`advanced-sensors`), they see only the class and the fate of an identified ship. Allies have the
same sheet and see each other's entries in full. All functions are pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from engine.core.deployment import BY_SIDE, SEALED
from engine.core.kinds import DESTROYED, FIGHTING, SCANNED_AWAY
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.core.terms import ADVANCED_SENSORS, CORE_SYSTEMS
from engine.design.mass_pricing import CORE
from engine.notation.deployments import KINDS_IN_TURN
from engine.ship_profiles import profile_of, stock_now
from engine.table_results.validation import is_lost_with_holder

SCHEMA: Final = 1
MAX_ENTRIES: Final = 4000  # of one faction in one battle
MAX_AT_ONCE: Final = 200  # entries in one request
PHASES: Final = (
    *(phrase("plots"), phrase("movement"), phrase("craft and ordnance"), phrase("fire")),
    phrase("checks and repairs"),
)
# The keys of each kind of entry, besides `kind`, with the types of their values.
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
    "reveal": {"number": int},
    "plot": {"turn": int, "orders": dict},
    "phase": {"turn": int, "phase": int},
    "body": {"body": str, "at": list},
    "set_up": {"places": dict},
}
SETTING_UP: Final = 0  # the turn in which the sides set up, if they do so in zones
OPEN_KEYS: Final = ("at", "course", "velocity")  # of a place, those that others see on the table
FATE: Final = ("status", "captor", "how")
# The kinds of entries that mark a record sheet.
MARKS: Final = frozenset(kind for kind, keys in KEYS.items() if "ship" in keys)
# The kind of entry that the site adds when all have sealed: a plot as others read it.
REVEALED: Final = "revealed"
# The kind in which dice of the site are stored before they are rolled.
RESERVED: Final = "reserved"

Entry = Mapping[str, Any]


@dataclass(slots=True)
class Marks:
    """What is marked on one of a side's own record sheets now.

    Attributes:
        crossed: Numbers of crossed-off boxes of the damage track.
        hits: Hits on each system.
        stock: What is left in each store.
        status: How the ship left the battle, as entered.
        captor: The side that captured it; "": none.
        how: What destroyed it, if not damage.
        is_shown: Whether the other side has identified it.
        checks: Dice of threshold checks, by the last box of their rows.
        fate_before: Its fate before the last entry.
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
    fate_before: tuple[str, str, str] = (FIGHTING.value, "", "")

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
        places: Where the faction's own ships begin, once it has sealed its set-up.
        bodies: Where the bodies are that the sides have placed, by id; it is public.
        opened: Where foreign ships begin that were set up in the open, by contact code.
        ground: The boxes marked off of ground targets, which are public.
        reserved: The faction's dice of the site that were not shown yet, by number.
        shown: The numbers of those that were.
    """

    marks: dict[str, Marks]
    allied: dict[str, Marks] = field(default_factory=dict)
    contacts: dict[str, dict[str, Any]] = field(default_factory=dict)
    turn: int = 1
    phase: int = 0
    sealed: dict[int, set[str]] = field(default_factory=dict)
    plots: dict[int, dict[str, dict[str, str]]] = field(default_factory=dict)
    own_plots: dict[int, dict[str, str]] = field(default_factory=dict)
    places: dict[str, dict[str, Any]] = field(default_factory=dict)
    bodies: dict[str, list[float]] = field(default_factory=dict)
    opened: dict[str, dict[str, Any]] = field(default_factory=dict)
    ground: dict[str, int] = field(default_factory=dict)
    reserved: dict[int, Entry] = field(default_factory=dict)
    shown: set[int] = field(default_factory=set)

    def advance_to(self, turn: int, phase: int) -> None:
        """Advance to a phase; never go back."""
        self.turn, self.phase = max((self.turn, self.phase), (turn, phase))


def own_ids(sheet: Mapping[str, Any], faction: str) -> tuple[str, ...]:
    """Return the ships of a side's sheet that belong to a faction and not to its allies."""
    has_allies = "+" in sheet["side"]
    result: list[str] = []
    for ship in sheet["own"]:
        if not has_allies or ship["id"].startswith(f"{faction}/"):
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
        hits: Counter[str] = Counter()
        systems = zip(ship.sheet.fits, ship.profile.undamaged, ship.alive, strict=True)
        for fit, undamaged, working in systems:
            hits[fit.id] = undamaged - working
        result[ship.id] = Marks(
            ship=ship,
            crossed=set(range(1, ship.damage + 1)),
            hits=hits,
            stock=dict(stock_now(ship)),
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
    faction_ships = own_ids(sheet, faction)
    record = RecordState(marks={}, turn=SETTING_UP if has_set_up(sheet) else 1)
    for id_, marks in initial_marks(sheet, ships).items():
        if id_ in faction_ships:
            record.marks[id_] = marks
        else:
            record.allied[id_] = marks
    for site in ground_targets(sheet):
        record.ground[str(site["id"])] = int(site["damage"])
    for author, entry in entries:
        if entry["kind"] in MARKS and author != faction and entry["ship"] in record.allied:
            _apply_mark(record.allied[entry["ship"]], entry)
        else:
            apply_entry(record, faction, author, entry)
    for marks in record.allied.values():
        record.contacts[str(marks.ship.contact)] = _visible_state(marks)
    return record


def has_set_up(sheet: Mapping[str, Any]) -> bool:
    """Return whether the sides set up their ships in zones before turn 1."""
    return "set_up" in sheet


def bodies_to_place(sheet: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the bodies that the sides place before their ships, with their limits.

    `by` is the side that places one, or `both`; `at` is where captains would.
    """
    return list(sheet["set_up"].get("bodies", ())) if has_set_up(sheet) else []


def is_open_set_up(sheet: Mapping[str, Any]) -> bool:
    """Return whether one side sets up after the other, which then sees its ships."""
    if not has_set_up(sheet):
        return False
    deployment = sheet["set_up"]["deployment"]
    by_default = BY_SIDE if deployment.get("kind") in KINDS_IN_TURN else SEALED
    return bool(deployment.get("manner", by_default) == BY_SIDE)


def first_to_set_up(sheet: Mapping[str, Any]) -> str:
    """Return the side that sets up first in the open; "": the dice of the table decide."""
    if not is_open_set_up(sheet):
        return ""
    deployment = sheet["set_up"]["deployment"]
    by_default = sheet["sides"][0] if deployment.get("kind") in KINDS_IN_TURN else ""
    return str(deployment.get("first", by_default))


def _opened_ships(sheet: Mapping[str, Any], record: RecordState) -> dict[str, dict[str, Any]]:
    """Return where a faction's ships begin on the table, by contact code.

    Ships in FTL and aboard others are not on the table.
    """
    result = {}
    for ship in sheet["own"]:
        if ship["id"] not in record.marks or "contact" not in ship:
            continue
        place = {**ship, **record.places.get(ship["id"], {})}
        if not any(key in place for key in ("ftl_entry", "carried")):
            result[str(ship["contact"])] = {key: place[key] for key in OPEN_KEYS if key in place}
    return result


def _visible_state(marks: Marks) -> dict[str, Any]:
    """Return what others see of a ship with an open record sheet."""
    armour = sum(boxes for name, boxes in marks.stock.items() if _is_armour(marks, name))
    end = dict(zip(FATE, marks.fate, strict=True))
    return end | {
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
    if "number" in entry:
        _apply_number(record, entry)
    if kind == "phase":
        record.advance_to(entry["turn"], entry["phase"])
    elif kind == "body":
        record.bodies[entry["body"]] = list(entry["at"])
    elif kind == "ground":
        record.ground[entry["site"]] = entry["damage"]
    elif kind == "plot":
        record.sealed.setdefault(entry["turn"], set()).add(faction)
        record.own_plots[entry["turn"]] = dict(entry["orders"])
    elif kind == "set_up":
        record.sealed.setdefault(SETTING_UP, set()).add(faction)
        record.places = dict(entry["places"])
    elif kind == REVEALED:
        record.plots.setdefault(entry["turn"], {})[faction] = record.own_plots[entry["turn"]]
    elif kind in MARKS:
        _apply_mark(record.marks[entry["ship"]], entry)


def _apply_number(record: RecordState, entry: Entry) -> None:
    """Apply that dice of the site were reserved or shown."""
    number = entry["number"]
    if entry["kind"] == RESERVED:
        record.reserved[number] = entry
    else:
        record.reserved.pop(number, None)
        record.shown.add(number)


def _apply_mark(marks: Marks, entry: Entry) -> None:
    """Apply an entry to the marks of the ship that it names."""
    kind = entry["kind"]
    marks.fate_before = marks.fate
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
    elif kind == "shown":
        marks.is_shown = True


def _apply_foreign_entry(record: RecordState, author: str, entry: Entry) -> None:
    """Apply the visible part of another faction's entry to the record."""
    kind = entry["kind"]
    if kind == "phase":
        record.advance_to(entry["turn"], entry["phase"])
    elif kind == "body":
        record.bodies[entry["body"]] = list(entry["at"])
    elif kind == "ground":
        record.ground[entry["site"]] = entry["damage"]
    elif kind == "plot":
        record.sealed.setdefault(entry["turn"], set()).add(author)
    elif kind == "set_up":
        record.sealed.setdefault(SETTING_UP, set()).add(author)
        record.opened.update(entry.get("ships", {}))
    elif kind == REVEALED:
        record.plots.setdefault(entry["turn"], {})[author] = dict(entry["orders"])
    elif kind == "ship":
        record.contacts.setdefault(entry["ship"], {}).update(
            {key: entry[key] for key in entry if key not in ("kind", "ship")}
        )


def visible_part(sheet: Mapping[str, Any], record: RecordState, entry: Entry) -> dict[str, Any]:
    """Return what others may know of an entry that was just applied; empty: nothing."""
    kind = entry["kind"]
    if kind in ("phase", "ground", "body") or "about" in entry:
        # A gap between the numbers would tell of a check that others do not see.
        return {key: part for key, part in entry.items() if key != "number"}
    if kind == "plot":
        return {"kind": kind, "turn": entry["turn"]}
    if kind == "set_up":
        opened = _opened_ships(sheet, record) if is_open_set_up(sheet) else {}
        return {"kind": kind} | _without_empty(ships=opened)
    if kind == RESERVED:
        return _visible_reservation(sheet, record.marks[entry["ship"]], entry)
    return _visible_marks(sheet, record.marks[entry["ship"]], entry)


def _visible_reservation(sheet: Mapping[str, Any], marks: Marks, entry: Entry) -> dict[str, Any]:
    """Return what others see of the dice reserved for a threshold check: as of the check."""
    if not marks.is_shown or marks.ship.dummy or ADVANCED_SENSORS in sheet["options"]:
        return {}
    return {"kind": RESERVED, "ship": str(marks.ship.contact), "systems": entry["systems"]}


def _visible_marks(sheet: Mapping[str, Any], marks: Marks, entry: Entry) -> dict[str, Any]:
    """Return what others see of a ship of which this entry was just marked; empty: nothing.

    Of a ship that is not identified, or whose record sheet is closed, they see only its fate.
    """
    kind = entry["kind"]
    has_new_fate = kind == "end" or marks.fate != marks.fate_before
    end = dict(zip(FATE, marks.fate, strict=True))
    contact = str(marks.ship.contact)
    visible: dict[str, Any] = {"kind": "ship", "ship": contact, **end}
    if not marks.is_shown or marks.ship.dummy:
        return visible if has_new_fate else {}
    visible["cls"] = marks.ship.sheet.cls
    if ADVANCED_SENSORS in sheet["options"]:
        return visible if has_new_fate or kind == "shown" else {}
    if kind == "check":
        check = {"kind": kind, "ship": contact, "dice": entry["dice"]}
        return check | _without_empty(by=entry.get("by"))
    if kind == "stock" and not _is_armour(marks, entry["name"]):
        return {}
    return visible | _visible_state(marks)


def systems_to_check(marks: Marks, *, core: bool) -> list[str]:
    """Return the working systems that a threshold check rolls for, in the order of the sheet.

    Args:
        core: Whether it also rolls for the core systems: bridge, life support, power core.

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
    row_ends = profile_of(marks.ship.sheet).row_ends
    end_of_first_row = row_ends[0][0] if row_ends else 0
    core = CORE_SYSTEMS in sheet["options"] and row > end_of_first_row
    return systems_to_check(marks, core=core)


def _is_armour(marks: Marks, name: str) -> bool:
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
    decoy; for all else, what its own side enters counts.
    """
    ships: dict[str, Any] = {}
    for id_, marks in (record.marks | record.allied).items():
        ships[id_] = _own_end(marks)
    # Without bogeys and with open sheets every ship is identified from the start.
    are_identified = not sheet["bogeys"] and ADVANCED_SENSORS not in sheet["options"]
    for contact in sheet["contacts"]:
        code = str(contact["id"])
        state = {**contact, **record.contacts.get(code, {})}
        is_known = are_identified or "damage" in state
        if is_known or state.get("status") in (DESTROYED, SCANNED_AWAY):
            ships[code] = _contact_end(state)
    damage_before = {str(site["id"]): site["damage"] for site in ground_targets(sheet)}
    ground = {}
    for id_, damage in record.ground.items():
        if damage != damage_before[id_]:
            ground[id_] = damage
    turns = max(1, record.turn)
    return {"schema": SCHEMA, "turns": turns, "ships": ships, **_without_empty(ground=ground)}


def _own_end(marks: Marks) -> dict[str, Any]:
    """Return the proposed result of a ship whose record sheet the faction has."""
    status, captor, how = marks.fate
    lost_systems = marks.lost
    stock_before = stock_now(marks.ship)
    stock = {}
    for name, amount in marks.stock.items():
        is_changed = amount != stock_before[name]
        if is_changed and not is_lost_with_holder(marks.ship, name, lost_systems):
            stock[name] = amount
    end: dict[str, Any] = {"status": status, "damage": marks.damage, "lost": lost_systems}
    return end | _without_empty(captor=captor, cause=how, stock=stock)


def _contact_end(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the proposed result of a foreign ship, from what is known of it."""
    end = {
        "status": state.get("status", FIGHTING.value),
        "damage": state.get("damage", 0),
        "lost": list(state.get("lost", ())),
    }
    return end | _without_empty(captor=state.get("captor"), cause=state.get("how"))


def _without_empty(**parts: Any) -> dict[str, Any]:
    """Return the parts that are not empty."""
    return {name: value for name, value in parts.items() if value}
