"""Battle files: sides, ships, orders turn by turn and dice, read with every fault and its place.

The shape is the contract of the command line (`python -m engine battle`). What a ship may carry here besides: `label`
(the classification its drive shows as a bogey), `contact` (what others call it while it is one) and `dummy` (a drone).
`hostile` names the pairs of sides that fight; without it all do. A side may carry its captain's `doctrine`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.captains.doctrine import Doctrine, doctrine_from
from engine.design.value import Design
from engine.dice import Dice, ScriptedDice
from engine.editions import ruleset
from engine.errors import RuleViolations, Violation, place
from engine.notation.designs import load_sheet, sheet_of
from engine.notation.reading import Reader, below
from engine.notation.turns import TurnOrders, read_turns
from engine.rigging import new_ship
from engine.state import PLOT, BattleState, Sheet, ShipState

FILE_KEYS = (
    *("edition", "options", "table", "sides", "hostile", "bogeys", "turns", "dice", "seed"),
    *("captains", "max_turns"),
)
SIDE_KEYS = ("name", "ships", "doctrine")
SHIP_KEYS = ("id", "class", "design", "at", "course", "velocity", "damage", "lost", "label", "contact", "dummy")
LABELS = ("escort", "cruiser", "capital", "merchant", "installation")
PURPOSES = (
    "initiative",
    "beam",
    "re-roll",
    "to-hit",
    "damage",
    "double",
    "threshold",
    "point-defence",
    "fighter",
    "dogfight",
    "missiles",
    "repair",
    "sensor",
    "ecm",
    "ftl",
    "direction",
    "distance",
    "ram",
    "boarding",
    "mine",
    "sweep",
    "re-entry",
    "disengage",
    "core",
    "reactor",
    "morale",
    "collision",
    "flare",
    "dust",
    "emergency-thrust",
    "arc",
)
TABLE = (72.0, 48.0)
MAX_TURNS = 30
MOST_SHIPS = 2000


@dataclass(frozen=True, slots=True)
class BattleFile:
    """A battle file, read: the state before the first turn, the orders given, the dice, and what captains are to do."""

    edition: str
    options: tuple[str, ...]
    state: BattleState
    turns: tuple[TurnOrders, ...]
    scripted: dict[str, list[int]] | None
    seed: int
    captains: bool
    max_turns: int
    doctrines: dict[str, Doctrine]

    def dice(self) -> Dice:
        """The dice the file asks for: its script, else dice from its seed."""
        return Dice(self.seed) if self.scripted is None else ScriptedDice(self.scripted)


def read_battle(document: Any, classes: Mapping[str, Design]) -> BattleFile:
    """A battle from its file. `classes`: the ship classes that may be named. Raises RuleViolations with all faults."""
    if not isinstance(document, Mapping):
        raise RuleViolations([Violation("", "not-a-mapping", "a battle is a mapping of keys to values")])
    reader = Reader()
    reader.keys(document, FILE_KEYS, "")
    edition = reader.text(document, "edition")
    options = tuple(str(option) for option in reader.items(document, "options", default=()))
    if edition:
        try:
            ruleset(edition, options)
        except RuleViolations as unknown:
            reader.faults.extend(unknown.violations)
    table = _pair(reader, document, "table", "", TABLE)
    if min(table) <= 0:
        reader.fault("table", "table-size", "a table has a width and a height above 0 MU")
    bogeys = reader.flag(document, "bogeys")
    names, ships, doctrines = _sides(reader, document, edition, table, bogeys, classes)
    hostile = _hostile(reader, document, names)
    turns = read_turns(reader, document, names, ships)
    scripted = _script(reader, document)
    seed = reader.number(document, "seed", default=0)
    if scripted is not None and "seed" in document:
        reader.fault("seed", "dice-and-seed", "a battle has either dice or a seed")
    max_turns = reader.number(document, "max_turns", default=MAX_TURNS)
    if not 1 <= max_turns <= 1000:
        reader.fault("max_turns", "max-turns", "max_turns is from 1 to 1000")
    captains = reader.flag(document, "captains")
    if reader.faults:
        raise RuleViolations(reader.faults)
    state = BattleState(tuple(names), hostile, table, bogeys, 1, PLOT, ships)
    return BattleFile(edition, options, state, turns, scripted, seed, captains, max_turns, doctrines)


def _pair(
    reader: Reader, data: Mapping[object, object], key: str, where: str, default: tuple[float, float] | None
) -> tuple[float, float]:
    """Two finite numbers."""
    spot = f"{where}.{key}" if where else key
    if key not in data and default is not None:
        return default
    value = data.get(key)
    if (
        isinstance(value, (list, tuple))
        and len(value) == 2
        and all(isinstance(n, (int, float)) and not isinstance(n, bool) and abs(n) < 1e6 for n in value)
    ):
        return float(value[0]), float(value[1])
    reader.fault(spot, "not-a-pair", "two numbers belong here, such as [10, 24]")
    return (1.0, 1.0)


def _sides(
    reader: Reader,
    document: Mapping[object, object],
    edition: str,
    table: tuple[float, float],
    bogeys: bool,
    classes: Mapping[str, Design],
) -> tuple[list[str], list[ShipState], dict[str, Doctrine]]:
    names: list[str] = []
    ships: list[ShipState] = []
    doctrines: dict[str, Doctrine] = {}
    sheets: dict[str, Sheet] = {}
    sides = reader.items(document, "sides")
    if len(sides) < 2 and "sides" in document:
        reader.fault("sides", "too-few-sides", "a battle has at least two sides")
    for number, side in enumerate(sides):
        where = place("sides", number)
        if not isinstance(side, Mapping):
            reader.fault(where, "not-a-mapping", "a side has a name and ships")
            continue
        reader.keys(side, SIDE_KEYS, where)
        name = reader.text(side, "name", where)
        if name in names:
            reader.fault(f"{where}.name", "side-twice", f"two sides are called '{name}'")
        names.append(name)
        doctrine = side.get("doctrine", {})
        if not isinstance(doctrine, Mapping):
            reader.fault(f"{where}.doctrine", "not-a-mapping", "a doctrine is a mapping")
        else:
            try:
                doctrines[name] = doctrine_from(doctrine, f"{where}.doctrine")
            except RuleViolations as bad:
                reader.faults.extend(bad.violations)
        for row, item in enumerate(reader.items(side, "ships", where)):
            spot = f"{where}.{place('ships', row)}"
            ship = _ship(reader, item, spot, number, edition, table, bogeys, classes, sheets)
            if ship is not None:
                if any(other.id == ship.id for other in ships):
                    reader.fault(f"{spot}.id", "id-twice", f"two ships have the id '{ship.id}'")
                ships.append(ship)
    if len(ships) > MOST_SHIPS:
        reader.fault("sides", "too-many-ships", f"a battle has at most {MOST_SHIPS} ships")
    return names, ships, doctrines


def _ship(
    reader: Reader,
    item: object,
    where: str,
    side: int,
    edition: str,
    table: tuple[float, float],
    bogeys: bool,
    classes: Mapping[str, Design],
    sheets: dict[str, Sheet],
) -> ShipState | None:
    if not isinstance(item, Mapping):
        reader.fault(where, "not-a-mapping", "a ship is a mapping of keys to values")
        return None
    before = len(reader.faults)
    reader.keys(item, SHIP_KEYS, where)
    id_ = reader.text(item, "id", where)
    sheet = _sheet(reader, item, where, edition, classes, sheets)
    at = _pair(reader, item, "at", where, None)
    if not (0 <= at[0] <= table[0] and 0 <= at[1] <= table[1]):
        reader.fault(f"{where}.at", "off-table", f"({at[0]:g}, {at[1]:g}) is not on the table")
    course = reader.number(item, "course", where)
    if "course" in item and not 1 <= course <= 12:
        reader.fault(f"{where}.course", "course", "courses are 1 to 12")
    velocity = reader.number(item, "velocity", where)
    if velocity < 0:
        reader.fault(f"{where}.velocity", "velocity", "a velocity is 0 or more")
    damage = reader.number(item, "damage", where, default=0)
    lost = [str(name) for name in reader.items(item, "lost", where, default=())]
    label = reader.text(item, "label", where, default="")
    if label and label not in LABELS:
        reader.fault(f"{where}.label", "unknown-label", f"no classification '{label}'; known: {', '.join(LABELS)}")
    contact = reader.text(item, "contact", where, default="")
    dummy = reader.flag(item, "dummy", where)
    if dummy and not bogeys:
        reader.fault(f"{where}.dummy", "dummy-without-bogeys", 'drones are for battles with "bogeys": true')
    if sheet is not None:
        if not 0 <= damage < sheet.boxes:
            reader.fault(f"{where}.damage", "damage", f"{sheet.cls} fights with 0 to {sheet.boxes - 1} damage points")
        fitted = {fit.id: 2 if fit.type == "drive" else 1 for fit in sheet.fits}
        for name in dict.fromkeys(lost):
            if lost.count(name) > fitted.get(name, 0):
                words = "has lost it too often" if name in fitted else f"has no '{name}'; it has {', '.join(fitted)}"
                reader.fault(f"{where}.lost", "lost-system", f"{sheet.cls} {words}")
    if sheet is None or len(reader.faults) > before:
        return None
    return new_ship(
        id_, side, sheet, at, course, velocity,
        damage=damage, lost=tuple(lost), bogey=bogeys, dummy=dummy, label=label, contact=contact,
    )  # fmt: skip


def _sheet(
    reader: Reader,
    item: Mapping[object, object],
    where: str,
    edition: str,
    classes: Mapping[str, Design],
    sheets: dict[str, Sheet],
) -> Sheet | None:
    """A ship's sheet from its class or its whole design; the same design is read once."""
    if ("class" in item) == ("design" in item):
        reader.fault(where, "class-or-design", "a ship has either a class or a design")
        return None
    key = repr(item.get("class", item.get("design")))
    if key in sheets:
        return sheets[key]
    try:
        if "design" in item:
            sheet = load_sheet(item["design"])
            if edition and sheet.edition != edition:
                reader.fault(f"{where}.design.edition", "other-edition", f"this battle is of {edition}")
                return None
        else:
            name = item["class"]
            if name not in classes:
                reader.fault(f"{where}.class", "unknown-class", f"no class {name!r}; known: {', '.join(classes)}")
                return None
            sheet = sheet_of(classes[str(name)])
    except RuleViolations as bad:
        reader.faults.extend(below(f"{where}.design", bad.violations))
        return None
    sheets[key] = sheet
    return sheet


def _hostile(reader: Reader, document: Mapping[object, object], names: list[str]) -> tuple[int, ...]:
    """Who fights whom, as bits by side; all against all where the file does not say."""
    everyone = (1 << len(names)) - 1
    if "hostile" not in document:
        return tuple(everyone & ~(1 << side) for side in range(len(names)))
    bits = [0] * len(names)
    for number, pair in enumerate(reader.items(document, "hostile")):
        if not isinstance(pair, (list, tuple)) or len(pair) != 2 or any(name not in names for name in pair):
            words = f"a pair of two sides belongs here; known: {', '.join(names)}"
            reader.fault(place("hostile", number), "hostile-pair", words)
            continue
        a, b = names.index(pair[0]), names.index(pair[1])
        if a == b:
            reader.fault(place("hostile", number), "hostile-pair", "a side does not fight itself")
        bits[a] |= 1 << b
        bits[b] |= 1 << a
    return tuple(bits)


def _script(reader: Reader, document: Mapping[object, object]) -> dict[str, list[int]] | None:
    """The queues of scripted dice, or None."""
    if "dice" not in document:
        return None
    data = document["dice"]
    if not isinstance(data, Mapping):
        reader.fault("dice", "not-a-mapping", "dice are lists of numbers by purpose")
        return {}
    queues: dict[str, list[int]] = {}
    for purpose, values in data.items():
        if purpose not in PURPOSES:
            words = f"no die is rolled for '{purpose}'; known: {', '.join(PURPOSES)}"
            reader.fault(f"dice.{purpose}", "unknown-purpose", words)
        elif not isinstance(values, list) or not all(
            isinstance(die, int) and not isinstance(die, bool) and 1 <= die <= 12 for die in values
        ):
            reader.fault(f"dice.{purpose}", "not-dice", "a list of whole numbers from 1 (to 6, or 12) belongs here")
        else:
            queues[purpose] = values
    return queues
