"""The form of a ruling: the kinds of corrections, and the fields of each with present values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict

from campaign.forms.field import NumberField
from campaign.rules.queries import short_class_name
from campaign.rules.rearming import full_stock_of
from campaign.rules.starmap import named_hexes
from campaign.rules.world import Fleet, Ship, World
from campaign.web.seat_marks import power_names
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from engine.english import system_words
from umpire.adjudication.indexes import ScenarioIndex

MAX_DIGITS = 6
STORE = NumberField("store")  # by name of the store
DRIVE = "drive"
ALTOGETHER = "+"  # a drive that is lost twice does not work at all
SHIP, FLEET, SYSTEM, WAR = "ship", "fleet", "system", "war"

# Of what a kind of correction is one; its label.
KINDS: Mapping[str, tuple[str, str]] = {
    "ship-damage": (SHIP, phrase("Damage")),
    "ship-systems": (SHIP, phrase("Lost systems")),
    "ship-stock": (SHIP, phrase("Stores")),
    "ship-status": (SHIP, phrase("Docked, laid up, in tow")),
    "ship-to-fleet": (SHIP, phrase("Fleet")),
    "ship-remove": (SHIP, phrase("Remove ship")),
    "move-fleet": (FLEET, phrase("Hex")),
    "ship-add": (FLEET, phrase("Add ship")),
    "decoys": (FLEET, phrase("Decoys")),
    "rename": ("", phrase("Name")),  # of a ship or a fleet
    "holder": (SYSTEM, phrase("Holder")),
    "contact": (SYSTEM, phrase("Contact")),
    "fleet-add": (WAR, phrase("Add fleet")),
    "funds": (WAR, phrase("Points for building")),
    "work": (WAR, phrase("Cancel a yard's work")),
    "objective-note": (WAR, phrase("Objective")),
}
CAUSES = (
    ("destroyed", phrase("destroyed")),
    ("struck", phrase("struck its colours")),
    ("hulk", phrase("left as a hulk")),
    ("scuttled", phrase("scuttled")),
)
STATES = (
    ("none", phrase("no contact")),
    ("stand-off", phrase("stand-off")),
    ("contested", phrase("contested")),
)


@dataclass(frozen=True, slots=True)
class FormField:
    """A field of a correction.

    Attributes:
        kind: number, text, hex, select, tick or many (boxes to tick).
        value: As text; of `many`: the ticked values.
        options: Of `select` and `many`: value and label.
        most: Of `number`.
    """

    name: str
    label: str
    kind: str
    value: Any = ""
    options: Sequence[tuple[str, str]] = ()
    most: int = 0


@dataclass(frozen=True, slots=True)
class Subject:
    """What a correction is about, in the world of now.

    Attributes:
        key: Of the ship, fleet or system; empty for what concerns the war.
    """

    key: str
    index: ScenarioIndex
    world: World

    @property
    def ship(self) -> Ship:
        """Return the ship. Raises RuleViolations."""
        for ship in self.world.ships:
            if ship.key == self.key:
                return ship
        raise RuleViolations([Violation("subject", "unknown", phrase("choose a ship"))])

    @property
    def fleet(self) -> Fleet:
        """Return the fleet. Raises RuleViolations."""
        for fleet in self.world.fleets:
            if fleet.key == self.key:
                return fleet
        raise RuleViolations([Violation("subject", "unknown", phrase("choose a fleet"))])

    def faction_field(self, name: str, label: str, value: str = "") -> FormField:
        """Return a field to choose a faction."""
        options = tuple(power_names(self.index.scenario).items())
        return FormField(name, label, "select", value, options)

    def hex_field(self, value: str = "") -> FormField:
        """Return a field to choose a hex."""
        options = sorted(named_hexes(self.index.scenario).items(), key=lambda item: item[1])
        return FormField("hex", phrase("Hex"), "hex", value, tuple(options))


def fields_of(kind: str, subject: Subject) -> list[FormField]:
    """Return the fields of a kind of correction with present values. Raises RuleViolations."""
    return FIELDS[kind](subject)


def _damage(subject: Subject) -> list[FormField]:
    most = subject.index.classes[subject.ship.cls].damage_points - 1
    value = str(subject.ship.damage)
    return [FormField("damage", phrase("Damage points"), "number", value, most=most)]


def _systems(subject: Subject) -> list[FormField]:
    ship = subject.ship
    options = []
    ticked = []
    lost = Counter(ship.lost)
    for system in subject.index.classes[ship.cls].systems:
        options.append((system, system_words(system)))
        ticked += [system] if lost[system] else []
        if system == DRIVE:
            options.append((DRIVE + ALTOGETHER, phrase("the drive altogether")))
            ticked += [DRIVE + ALTOGETHER] if lost[system] > 1 else []
    return [FormField("lost", phrase("Lost systems"), "many", ticked, tuple(options))]


def _stock(subject: Subject) -> list[FormField]:
    ship = subject.ship
    left = dict(ship.stock)
    fields = []
    for store, full in full_stock_of(subject.index.classes[ship.cls], ship):
        label = phrase("{}, up to {}", system_words(store.partition("/")[0]), full)
        value = str(left.get(store, full))
        fields.append(FormField(STORE.name(store), label, "number", value, most=full))
    return fields


def _status(subject: Subject) -> list[FormField]:
    ship = subject.ship
    others = [("", phrase("no ship"))]
    for other in subject.world.ships:
        if other.fleet == ship.fleet and other.key != ship.key:
            others.append((other.key, other.name))
    return [
        FormField("docked", phrase("Docked at the base in its hex"), "tick", ship.docked),
        FormField("laid_up", phrase("Laid up with a skeleton crew"), "tick", ship.laid_up),
        FormField("tug", phrase("In tow of"), "select", ship.tug, tuple(others)),
    ]


def _to_fleet(subject: Subject) -> list[FormField]:
    ship = subject.ship
    hexes = {fleet.key: fleet.hex for fleet in subject.world.fleets}
    options = []
    for fleet in subject.world.fleets:
        if fleet.faction == ship.faction and fleet.hex == hexes[ship.fleet]:
            options.append((fleet.key, fleet.name))
    return [FormField("fleet", phrase("Fleet"), "select", ship.fleet, tuple(options))]


def _remove(_: Subject) -> list[FormField]:
    return [FormField("cause", phrase("How it was lost"), "select", "destroyed", CAUSES)]


def _move(subject: Subject) -> list[FormField]:
    return [subject.hex_field(subject.fleet.hex)]


def _add_ship(subject: Subject) -> list[FormField]:
    classes = [(name, short_class_name(name)) for name in sorted(subject.index.classes)]
    return [
        FormField("cls", phrase("Class"), "select", "", tuple(classes)),
        FormField("name", phrase("Name"), "text"),
    ]


def _decoys(subject: Subject) -> list[FormField]:
    value = str(subject.fleet.decoys)
    return [FormField("decoys", phrase("Decoys aboard"), "number", value, most=99)]


def _name(subject: Subject) -> list[FormField]:
    is_fleet = any(fleet.key == subject.key for fleet in subject.world.fleets)
    name = subject.fleet.name if is_fleet else subject.ship.name
    return [FormField("name", phrase("Name"), "text", name)]


def _holder(subject: Subject) -> list[FormField]:
    holder = subject.faction_field("holder", phrase("Held by"))
    options = (("", phrase("nobody")), *holder.options)
    now = ""
    for holding in subject.world.holdings:
        if holding.system == subject.key:
            now = holding.holder or ""
    return [FormField("holder", holder.label, "select", now, options)]


def _contact(subject: Subject) -> list[FormField]:
    return [
        subject.faction_field("a", phrase("Faction")),
        subject.faction_field("b", phrase("Hostile faction")),
        FormField("state", phrase("State"), "select", "none", STATES),
    ]


def _add_fleet(subject: Subject) -> list[FormField]:
    return [
        subject.faction_field("faction", phrase("Faction")),
        FormField("name", phrase("Name"), "text"),
        subject.hex_field(),
    ]


def _funds(subject: Subject) -> list[FormField]:
    return [
        subject.faction_field("faction", phrase("Faction")),
        FormField("points", phrase("Points afterwards"), "number", "", most=100_000),
    ]


def _work(subject: Subject) -> list[FormField]:
    works = [(work.key, work.name or work.cls) for work in subject.world.works]
    return [FormField("work", phrase("Work"), "select", "", tuple(works))]


def _objective(subject: Subject) -> list[FormField]:
    keys = [(state.key, state.key) for state in subject.world.objectives]
    return [
        FormField("objective", phrase("Objective"), "select", "", tuple(keys)),
        FormField("reached", phrase("Number reached"), "number", "", most=100_000),
    ]


FIELDS: Mapping[str, Callable[[Subject], list[FormField]]] = {
    "ship-damage": _damage,
    "ship-systems": _systems,
    "ship-stock": _stock,
    "ship-status": _status,
    "ship-to-fleet": _to_fleet,
    "ship-remove": _remove,
    "move-fleet": _move,
    "ship-add": _add_ship,
    "decoys": _decoys,
    "rename": _name,
    "holder": _holder,
    "contact": _contact,
    "fleet-add": _add_fleet,
    "funds": _funds,
    "work": _work,
    "objective-note": _objective,
}
# The field of a patch that has the key of what it is about.
SUBJECTS = {SHIP: "ship", FLEET: "fleet", SYSTEM: "system", "": "subject"}


def with_values(fields: Iterable[FormField], posted: QueryDict) -> list[FormField]:
    """Return fields with the values of a form that was refused."""
    result = []
    for item in fields:
        value: Any = posted.get(item.name, "")
        if item.kind == "many":
            value = posted.getlist(item.name)
        result.append(replace(item, value=value))
    return result


def patch_in(kind: str, subject: Subject, posted: QueryDict) -> dict[str, Any]:
    """Return the document of the correction in a form. Raises RuleViolations."""
    about, _ = KINDS[kind]
    document: dict[str, Any] = {"kind": kind}
    if about in SUBJECTS:
        document[SUBJECTS[about]] = subject.key
    faults: list[Violation] = []
    stock = []
    for item in fields_of(kind, subject):
        text = posted.get(item.name, "").strip()
        if item.kind == "number":
            number = _number(item, text, faults)
            if kind == "ship-stock":
                stock.append([item.name.partition("-")[2], number])
            else:
                document[item.name] = number
        elif item.kind == "tick":
            document[item.name] = text == "yes"
        elif item.kind == "many":
            ticked = posted.getlist(item.name)
            document[item.name] = [key.removesuffix(ALTOGETHER) for key in ticked]
        else:
            document[item.name] = text
    if kind == "ship-stock":
        document["stock"] = stock
    if faults:
        raise RuleViolations(faults)
    return document


def _number(item: FormField, text: str, faults: list[Violation]) -> int:
    """Return the number in a field; a fault is added if it is none."""
    if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS:
        return int(text)
    words = phrase("{}: enter a number", item.label)
    faults.append(Violation(item.name, "not-a-number", words))
    return 0
