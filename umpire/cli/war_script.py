"""The script of a war: what `python -m umpire war` reads.

Reading reports the faults of the script itself: its form, and ids that the scenario does not have.
Orders are judged when their stage is played (`umpire.cli.war`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from campaign.kinds import StageKind
from campaign.rules.codec import validation_faults
from campaign.rules.designs import barred_class_fault
from campaign.rules.files import fixture_scenario, scenario_from
from campaign.rules.hexes import on_map
from campaign.rules.queries import are_hostile, ship_classes, system_at
from campaign.rules.scenario import Choice, Scenario, ShipClass, StarSystem
from campaign.rules.skirmish import is_skirmish
from campaign.rules.system_mines import MAX_MINES
from campaign.rules.world import Doctrine
from engine.core.errors import RuleViolations, Violation, fault_path
from engine.notation.reading import join_place, prefix_places

STAGES = (StageKind.DEPLOY, StageKind.ORDERS, StageKind.DECISIONS, StageKind.BATTLES)
NOW = "now"
MAX_SHIPS = 2000  # ships of all fleets, so that a script cannot fill the memory
Count = Annotated[int, Field(ge=0, le=1_000_000)]
Length = Annotated[float, Field(ge=-1000, le=1000)]  # MU
Week = Annotated[int, Field(ge=0, le=1000)]


@dataclass(frozen=True, slots=True)
class ScriptCargo:
    """The cargo of a ship."""

    what: str
    amount: Count


@dataclass(frozen=True, slots=True)
class ScriptShip:
    """A ship at the beginning.

    Attributes:
        name: Its name; "": its id.
        tug: The id of the ship that has it in tow, or "".
    """

    cls: Annotated[str, Field(alias="class")]
    name: str = ""
    damage: Count = 0
    lost: tuple[str, ...] = ()
    stock: dict[str, Count] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    notes: dict[str, Count] = field(default_factory=dict)
    cargo: ScriptCargo | None = None
    docked: bool = False
    laid_up: bool = False
    tug: str = ""


@dataclass(frozen=True, slots=True)
class ScriptFleet:
    """A fleet at the beginning.

    Attributes:
        id: The faction, a slash and the rest of its key: `nac/f1`.
        at: A system or a hex.
        back: The hex from which it came, or "".
        name: Its name; "": its id.
    """

    id: str
    at: str
    ships: Annotated[dict[str, ScriptShip], Field(min_length=1)]
    decoys: Count = 0
    decoys_out: Count = 0
    back: str = ""
    name: str = ""
    budget: str = ""
    standing: Choice | None = None
    doctrine: Doctrine = field(default_factory=Doctrine)
    in_ftl: bool = False
    must_leave: bool = False

    @property
    def faction(self) -> str:
        """Return the faction that owns it."""
        return self.id.partition("/")[0]


@dataclass(frozen=True, slots=True)
class ScriptHolding:
    """Who holds a system at the beginning, and since which week."""

    holder: str | None
    since: Week = 0


@dataclass(frozen=True, slots=True)
class ScriptContact:
    """Two hostile factions in contact since an earlier week.

    Attributes:
        at: A system or a hex.
        inner: The faction in the inner system, or "".
    """

    at: str
    sides: tuple[str, str]
    state: Literal["stand-off", "contested"]
    inner: str = ""


@dataclass(frozen=True, slots=True)
class ScriptLoss:
    """A ship that was lost in an earlier week.

    Attributes:
        at: The system or hex where it was lost, or "".
    """

    ship: str
    faction: str
    cls: Annotated[str, Field(alias="class")]
    week: Week
    how: Literal["destroyed", "captured", "struck", "hulk", "scuttled", "landed"]
    at: str = ""


@dataclass(frozen=True, slots=True)
class ScriptDelivery:
    """Goods that a faction landed in a system in an earlier week."""

    faction: str
    what: str
    to: str
    amount: Count
    week: Week


@dataclass(frozen=True, slots=True)
class ScriptMine:
    """A mine in a system at the beginning, in MU from the middle of the table."""

    faction: str
    at: tuple[Length, Length]


@dataclass(frozen=True, slots=True)
class Moment:
    """A stage of a week."""

    week: Week
    stage: Literal["deploy", "orders", "decisions", "battles"]


@dataclass(frozen=True, slots=True)
class Script:
    """A script as it was written; only its form has been checked.

    Attributes:
        scenario: The slug of a bundled scenario, or a whole scenario file.
        seed: Decides all dice that `dice` does not give.
        dice: Dice by purpose, rolled before those of the seed, but not in battles.
        week: The week in which the war begins, with `fleets`.
        stage: The stage in which it begins, with `fleets`.
        fleets: All fleets at the beginning; None: the war begins at the deployment.
        holdings: Who holds a system, by system; the others follow from who is there.
        delivered: Goods that were landed in earlier weeks.
        mines: The mines in a system, by system; other systems have those of the scenario.
        orders: Documents of orders by week, stage and faction.
        admirals: The factions that computer admirals play.
        until: The stage before which the war stops; "now": at once; None: it goes on to its end.
    """

    scenario: Any
    seed: int = 1
    dice: dict[str, tuple[Annotated[int, Field(ge=1, le=1000)], ...]] = field(default_factory=dict)
    week: Annotated[int, Field(ge=1, le=1000)] = 1
    stage: Literal["orders", "decisions"] = "orders"
    fleets: tuple[ScriptFleet, ...] | None = None
    holdings: dict[str, ScriptHolding] = field(default_factory=dict)
    contacts: tuple[ScriptContact, ...] = ()
    losses: tuple[ScriptLoss, ...] = ()
    delivered: tuple[ScriptDelivery, ...] = ()
    mines: dict[str, tuple[ScriptMine, ...]] = field(default_factory=dict)
    orders: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    admirals: tuple[str, ...] = ()
    until: Moment | None = None


@dataclass(frozen=True, slots=True)
class WarScript:
    """A script without faults, and its scenario.

    Attributes:
        plays: Whether any stage is to be played; False for `until: now`.
    """

    scenario: Scenario
    script: Script
    plays: bool


# In a tuple, because a configuration reaches only the dataclasses inside another type.
_SCRIPTS = TypeAdapter(tuple[Script], config=ConfigDict(extra="forbid", strict=True))


def read_script(document: object) -> WarScript:
    """Return the script of a document.

    Raises:
        RuleViolations: With every fault of its form, or else of its scenario, or else of its
            contents.
    """
    if not isinstance(document, Mapping):
        words = "a script must be an object (keys and values)"
        raise RuleViolations([Violation("", "not-a-table", words)])
    try:
        (script,) = _SCRIPTS.validate_json(json.dumps([_without_short_forms(document)]))
    except ValidationError as error:
        raise RuleViolations(validation_faults(error, (), skip=1)) from error
    scenario = read_scenario(script.scenario, "scenario")
    faults = sorted(set(_faults(scenario, script)))
    if faults:
        raise RuleViolations(faults)
    return WarScript(scenario, script, document.get("until") != NOW)


def read_scenario(document: object, where: str) -> Scenario:
    """Return the scenario of a slug, or of a whole scenario file.

    Args:
        where: The place of the document in a larger one, a prefix of the place of each fault.

    Raises:
        RuleViolations: With every fault.
    """
    try:
        if isinstance(document, str):
            return fixture_scenario(document)
        return scenario_from(document)
    except RuleViolations as refused:
        raise RuleViolations(prefix_places(where, refused.violations)) from refused


def _without_short_forms(document: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a script with the long form of each entry.

    A ship may be only its class, a holding only its holder, and `until` the word `now`. Weeks may
    be numbers or text.
    """
    result = {str(key): value for key, value in document.items()}
    if isinstance(result.get("fleets"), list):
        result["fleets"] = [_with_long_ships(fleet) for fleet in result["fleets"]]
    if isinstance(result.get("holdings"), Mapping):
        holdings = {}
        for system, value in result["holdings"].items():
            holdings[str(system)] = value if isinstance(value, Mapping) else {"holder": value}
        result["holdings"] = holdings
    if isinstance(result.get("orders"), Mapping):
        result["orders"] = {str(week): stages for week, stages in result["orders"].items()}
    if result.get("until") == NOW:
        del result["until"]
    return result


def _with_long_ships(fleet: object) -> object:
    """Return the entry of a fleet with a table for each ship; other entries are faults."""
    if not isinstance(fleet, Mapping) or not isinstance(fleet.get("ships"), Mapping):
        return fleet
    ships = {}
    for key, value in fleet["ships"].items():
        ships[str(key)] = {"class": value} if isinstance(value, str) else value
    return {**fleet, "ships": ships}


def _faults(scenario: Scenario, script: Script) -> Iterator[Violation]:
    """Yield the faults of a script that follow from its scenario."""
    if script.fleets is None:
        yield from _faults_without_fleets(script)
    elif is_skirmish(scenario):
        words = "a single battle has its fleets already"
        yield Violation("fleets", "single-battle", words)
        return
    if not 1 <= script.week <= scenario.weeks:
        words = f"the war has weeks 1 to {scenario.weeks}"
        yield Violation("week", "week", words)
    yield from _fleet_faults(scenario, script.fleets or ())
    yield from _holding_faults(scenario, script)
    yield from _contact_faults(scenario, script)
    yield from _loss_faults(scenario, script)
    yield from _delivery_faults(scenario, script)
    yield from _mine_faults(scenario, script)
    yield from _order_places(scenario, script)
    for number, faction in enumerate(script.admirals):
        yield from _faction_fault(scenario, faction, fault_path("admirals", number))
    if script.until is not None:
        yield from _until_faults(scenario, script, script.until)


def _faults_without_fleets(script: Script) -> Iterator[Violation]:
    """Yield a fault for each key that counts only for a war that begins with given fleets."""
    untouched = Script(script.scenario)
    for key in ("week", "stage", "holdings", "contacts", "losses", "delivered", "mines"):
        if getattr(script, key) != getattr(untouched, key):
            yield Violation(key, "needs-fleets", "this can be given only together with 'fleets'")


def _fleet_faults(scenario: Scenario, fleets: tuple[ScriptFleet, ...]) -> Iterator[Violation]:
    classes = ship_classes(scenario)
    fleet_ids: set[str] = set()
    ship_ids: set[str] = set()
    if sum(len(fleet.ships) for fleet in fleets) > MAX_SHIPS:
        yield Violation("fleets", "too-many", f"a script can have at most {MAX_SHIPS} ships")
        return
    for number, fleet in enumerate(fleets):
        where = fault_path("fleets", number)
        spot = join_place(where, "id")
        if fleet.id in fleet_ids:
            yield Violation(spot, "twice", f"the id '{fleet.id}' is given twice")
        fleet_ids.add(fleet.id)
        yield from _faction_fault(scenario, fleet.faction, spot)
        if "/" not in fleet.id:
            words = "write the faction, a slash and a key, such as nac/f1"
            yield Violation(spot, "fleet-id", words)
        yield from _hex_fault(scenario, fleet.at, join_place(where, "at"))
        if fleet.back:
            yield from _hex_fault(scenario, fleet.back, join_place(where, "back"))
        for key, ship in fleet.ships.items():
            ship_spot = f"{where}.ships.{key}"
            if key in ship_ids:
                yield Violation(ship_spot, "twice", f"the id '{key}' is given twice")
            ship_ids.add(key)
            cls = classes.get(ship.cls)
            if cls is None:
                words = f"no class '{ship.cls}' in this scenario"
                yield Violation(f"{ship_spot}.class", "unknown-class", words)
            else:
                if barred := barred_class_fault(scenario, cls):
                    yield Violation(f"{ship_spot}.class", barred.code, barred.message)
                yield from _ship_faults(fleet, cls, ship, ship_spot)


def _ship_faults(
    fleet: ScriptFleet, cls: ShipClass, ship: ScriptShip, where: str
) -> Iterator[Violation]:
    """Yield the faults of a ship of a known class."""
    if ship.damage >= cls.damage_points:
        words = f"it is lost with {cls.damage_points} points of damage"
        yield Violation(f"{where}.damage", "damage", words)
    if ship.tug and (ship.tug not in fleet.ships or fleet.ships[ship.tug] is ship):
        yield Violation(f"{where}.tug", "unknown-ship", f"no other ship '{ship.tug}' in this fleet")
    yield from _system_faults(cls, ship, where)


def _system_faults(cls: ShipClass, ship: ScriptShip, where: str) -> Iterator[Violation]:
    """Yield the faults of what is lost, left or set on a ship of a class."""
    for number, system in enumerate(ship.lost):
        if system not in cls.systems:
            words = f"no system '{system}'; choose from {', '.join(cls.systems)}"
            yield Violation(f"{where}.{fault_path('lost', number)}", "unknown-system", words)
    for key, count in ship.stock.items():
        full = dict(cls.stock).get(key)
        if full is None:
            words = f"no store '{key}' in this class"
            yield Violation(f"{where}.stock.{key}", "unknown-system", words)
        elif count > full:
            yield Violation(f"{where}.stock.{key}", "stock", f"the store holds at most {full}")
    for key in ship.settings:
        if key not in cls.systems:
            words = f"no system '{key}' in this class"
            yield Violation(f"{where}.settings.{key}", "unknown-system", words)


def _holding_faults(scenario: Scenario, script: Script) -> Iterator[Violation]:
    systems = {system.id for system in scenario.systems}
    for system, holding in script.holdings.items():
        where = f"holdings.{system}"
        if system not in systems:
            words = f"no system '{system}'; choose from {', '.join(sorted(systems))}"
            yield Violation(where, "unknown-system", words)
        if holding.holder is not None:
            yield from _faction_fault(scenario, holding.holder, where)
        if holding.since > script.week:
            yield Violation(f"{where}.since", "week", "it cannot be later than the week")


def _contact_faults(scenario: Scenario, script: Script) -> Iterator[Violation]:
    ids = {faction.id for faction in scenario.factions}
    for number, contact in enumerate(script.contacts):
        where = fault_path("contacts", number)
        yield from _hex_fault(scenario, contact.at, f"{where}.at")
        if _system_of(scenario, contact.at) is None:
            yield Violation(f"{where}.at", "no-system", "there is no system in this hex")
        for row, faction in enumerate(contact.sides):
            yield from _faction_fault(scenario, faction, f"{where}.{fault_path('sides', row)}")
        if ids.issuperset(contact.sides) and not are_hostile(scenario, *contact.sides):
            yield Violation(f"{where}.sides", "not-hostile", "these factions are not hostile")
        if contact.inner and contact.inner not in contact.sides:
            yield Violation(f"{where}.inner", "unknown-faction", "it is none of the two sides")


def _loss_faults(scenario: Scenario, script: Script) -> Iterator[Violation]:
    classes = ship_classes(scenario)
    ids = {key for fleet in script.fleets or () for key in fleet.ships}
    for number, loss in enumerate(script.losses):
        where = fault_path("losses", number)
        if loss.ship in ids:
            yield Violation(f"{where}.ship", "twice", f"the id '{loss.ship}' is given twice")
        ids.add(loss.ship)
        yield from _faction_fault(scenario, loss.faction, f"{where}.faction")
        if loss.cls not in classes:
            words = f"no class '{loss.cls}' in this scenario"
            yield Violation(f"{where}.class", "unknown-class", words)
        if loss.week > script.week:
            yield Violation(f"{where}.week", "week", "it cannot be later than the week")
        if loss.at:
            yield from _hex_fault(scenario, loss.at, f"{where}.at")


def _delivery_faults(scenario: Scenario, script: Script) -> Iterator[Violation]:
    goods = {item.name for item in scenario.goods}
    systems = {system.id for system in scenario.systems}
    for number, delivery in enumerate(script.delivered):
        where = fault_path("delivered", number)
        yield from _faction_fault(scenario, delivery.faction, f"{where}.faction")
        if delivery.what not in goods:
            words = f"no goods '{delivery.what}' in this scenario"
            yield Violation(f"{where}.what", "unknown-goods", words)
        if delivery.to not in systems:
            words = f"no system '{delivery.to}'; choose from {', '.join(sorted(systems))}"
            yield Violation(f"{where}.to", "unknown-system", words)
        if delivery.week > script.week:
            yield Violation(f"{where}.week", "week", "it cannot be later than the week")


def _mine_faults(scenario: Scenario, script: Script) -> Iterator[Violation]:
    systems = {system.id for system in scenario.systems}
    for system, mines in script.mines.items():
        where = f"mines.{system}"
        if system not in systems:
            words = f"no system '{system}'; choose from {', '.join(sorted(systems))}"
            yield Violation(where, "unknown-system", words)
        if len(mines) > MAX_MINES:
            yield Violation(where, "too-many", f"a system can have at most {MAX_MINES} mines")
        for number, mine in enumerate(mines):
            yield from _faction_fault(scenario, mine.faction, f"{where}[{number}].faction")


def _order_places(scenario: Scenario, script: Script) -> Iterator[Violation]:
    """Yield the faults of the weeks, stages and factions for which a script has orders."""
    for week, stages in script.orders.items():
        where = f"orders.{week}"
        if not week.isdecimal() or int(week) > scenario.weeks:
            words = f"write a week, from 0 (the deployment) to {scenario.weeks}"
            yield Violation(where, "week", words)
        for stage, by_faction in stages.items():
            if stage not in STAGES:
                words = f"no stage '{stage}'; choose from {', '.join(STAGES)}"
                yield Violation(f"{where}.{stage}", "unknown-stage", words)
            for faction in by_faction:
                yield from _faction_fault(scenario, faction, f"{where}.{stage}.{faction}")


def _until_faults(scenario: Scenario, script: Script, until: Moment) -> Iterator[Violation]:
    if is_skirmish(scenario):
        begins = (1, StageKind.BATTLES)
    elif script.fleets is None:
        begins = (0, StageKind.DEPLOY)
    else:
        begins = (script.week, StageKind(script.stage))
    if moment_number(until.week, until.stage) < moment_number(*begins):
        words = f"the war begins later, in week {begins[0]} with stage '{begins[1]}'"
        yield Violation("until", "past", words)
    if until.week > scenario.weeks:
        yield Violation("until.week", "week", f"the war has weeks 1 to {scenario.weeks}")
    if (StageKind(until.stage) == StageKind.DEPLOY) != (until.week == 0):
        words = "the deployment is the only stage of week 0"
        yield Violation("until.stage", "unknown-stage", words)


def moment_number(week: int, stage: str) -> int:
    """Return a number by which the stages of a war are in order."""
    return week * len(STAGES) + STAGES.index(StageKind(stage))


def _faction_fault(scenario: Scenario, faction: str, where: str) -> Iterator[Violation]:
    ids = [item.id for item in scenario.factions]
    if faction not in ids:
        words = f"no faction '{faction}'; choose from {', '.join(ids)}"
        yield Violation(where, "unknown-faction", words)


def hex_of(scenario: Scenario, text: str) -> str:
    """Return the hex of a system's id; other texts are returned as they are."""
    for system in scenario.systems:
        if system.id == text:
            return system.hex
    return text


def _system_of(scenario: Scenario, text: str) -> StarSystem | None:
    return system_at(scenario, hex_of(scenario, text))


def _hex_fault(scenario: Scenario, text: str, where: str) -> Iterator[Violation]:
    """Yield a fault unless a text is a system's id or a hex on the map."""
    if not on_map(hex_of(scenario, text), scenario.columns, scenario.rows):
        words = f"'{text}' is neither a system nor a hex of this map"
        yield Violation(where, "unknown-place", words)
