"""Battles as JSON and back: the complete state at any stop, and the events that replay it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any, NotRequired, TypedDict

from engine.continuum.damage import cargo_share_left
from engine.core.deployment import set_up_stage_from
from engine.core.errors import RuleViolations, Violation
from engine.core.firing import firing_stage_from
from engine.core.ids import ShipId
from engine.core.kinds import HullKind, ShipStatus
from engine.core.reason import reason
from engine.core.sheet import Sheet, ShipProfile
from engine.core.ship import ShipState
from engine.core.ship_facts import parse_facts
from engine.core.state import BattleState
from engine.core.terms import Terms
from engine.core.victory import OutcomeDocument
from engine.events import (
    battle,
    boarding,
    damage,
    defence_level,
    detection,
    entered,
    fire,
    movement,
    orbits,
    sheet_scans,
)
from engine.events.event import Event, field_marks_of, read_field
from engine.notation.designs import stored_sheet
from engine.pieces import (
    craft_events,
    dogfight_events,
    group_events,
    guard_events,
    hangar_events,
    pilot_events,
    registry,
    squadron_events,
)
from engine.pieces.registry import piece_from, piece_json
from engine.second_edition.damage import boxes_left, cargo_left
from engine.ship_profiles import full_contents, full_stock, profile_of, stock_below_full

# The modules that define events; a kind of piece has its events in its own module.
SUBJECTS = (
    movement,
    fire,
    damage,
    detection,
    battle,
    boarding,
    defence_level,
    orbits,
    sheet_scans,
    entered,
    group_events,
    craft_events,
    hangar_events,
    pilot_events,
    dogfight_events,
    squadron_events,
    guard_events,
    registry,
)


class ShipDocument(TypedDict):
    """A ship in the output of the command line.

    Attributes:
        armour: (standard, regenerative) boxes left in each layer.
        cargo_left: The share of the cargo, `3/4`.
        stock: Systems that are not full, with what is left.
        captor: The side that took it, for battles whose results players entered.
    """

    at: list[float]
    course: int
    velocity: int
    damage: int
    boxes_left: list[int]
    armour: list[list[int]]
    thrust: int
    lost: list[str]
    status: str
    cargo_left: NotRequired[str]
    stock: NotRequired[dict[str, int]]
    captor: NotRequired[str]


# What is stored of a ship beside `ShipDocument`. `side` is its owner; `commander` is set if another
# side commands it. `class` and `cover` name designs of the document.
_Hidden = TypedDict(
    "_Hidden",
    {
        "side": int,
        "commander": NotRequired[int],
        "class": str,
        "bogey": bool,
        "dummy": bool,
        "label": str,
        "contact": str,
        "warm": bool,
        "holds_fire": bool,
        "edge": str,
        "due": int,
        "cover": str,
        "sweeping": bool,
        "armed": bool,
        "dock": str,
        "docking": int,
        "swerved": bool,
        "notes": dict[str, int],
        "drift": tuple[float, float] | None,
    },
)


class StoredShip(ShipDocument, _Hidden):
    """A complete ship in a stored battle."""


class StateDocument(TypedDict):
    """The complete state of a battle.

    Attributes:
        designs: Designs by the class names of ships.
        order: The ids of the ships in order, because PostgreSQL does not keep the order of keys.
        pieces: Each piece as its kind writes it.
        flight_count: The count of launches of craft.
        mine_count: The count of mines laid.
        launch_count: The count of launches of ordnance.
        set_up: What is still to be set up (`engine.core.deployment`); only during the set-up.
        firing: Who fires and has fired (`engine.core.firing`); only while sides fire ship by ship.
        lets: The order in which a side lets the others act if it wins the initiative, by its name.
    """

    sides: list[str]
    hostile: list[int]
    table: list[float]
    bogeys: bool
    turn: int
    stop: str
    terms: dict[str, Any]
    designs: dict[str, Mapping[str, Any]]
    ships: dict[str, StoredShip]
    order: list[str]
    pieces: list[dict[str, Any]]
    flight_count: int
    mine_count: int
    launch_count: NotRequired[int]
    set_up: NotRequired[dict[str, Any]]
    firing: NotRequired[dict[str, Any]]
    lets: NotRequired[dict[str, list[str]]]


class BattleDocument(StateDocument):
    """A complete battle at any stop, as `engine.battle.Battle.to_json` writes it.

    The battle as one side knows it (`engine.known_battle`) has the same form.
    """

    schema: int
    edition: str
    options: list[str]
    winner: str | None
    outcome: OutcomeDocument | None


def state_document(state: BattleState) -> StateDocument:
    """Return the complete document of a state; `state_from` restores it."""
    names = _design_names(state.ships)
    document: StateDocument = {
        "sides": list(state.sides),
        "hostile": list(state.hostile),
        "table": list(state.table),
        "bogeys": state.bogeys,
        "turn": state.turn,
        "stop": state.stop,
        "terms": state.terms.to_json(),
        "designs": {name: sheet.design for sheet, name in names.items()},
        "ships": {
            ship.id: {**ship_json(ship), **_hidden_json(ship, names)} for ship in state.ships
        },
        "order": [ship.id for ship in state.ships],
        "pieces": [piece_json(piece) for piece in state.pieces],
        "flight_count": state.flight_count,
        "mine_count": state.mine_count,
    }
    if state.launch_count:
        document["launch_count"] = state.launch_count
    if state.set_up is not None:
        document["set_up"] = state.set_up.to_json()
    if state.firing is not None:
        document["firing"] = state.firing.to_json()
    if state.lets:
        document["lets"] = {state.sides[side]: list(state.lets[side]) for side in state.lets}
    return document


def ship_json(ship: ShipState) -> ShipDocument:
    """Return a ship as the command line shows it, with `stock` only if something is not full."""
    sheet = ship.sheet
    document: ShipDocument = {
        "at": [ship.x, ship.y],
        "course": ship.course,
        "velocity": ship.velocity,
        "damage": ship.damage,
        "boxes_left": boxes_left(sheet, ship.damage),
        "armour": [list(layer) for layer in ship.armour],
        "thrust": ship.thrust,
        "lost": list(ship.lost_systems()),
        "status": ship.status,
    }
    cargo = _cargo_share(ship)
    if cargo is not None:
        document["cargo_left"] = f"{cargo.numerator}/{cargo.denominator}"
    stock = stock_below_full(ship)
    if stock:
        document["stock"] = stock
    return document


def _cargo_share(ship: ShipState) -> Fraction | None:
    """Return the share of cargo left: by holds if the sheet has any, else by a merchant's hull.

    Rules: 2E "Merchant ships: damage to cargo and holds" [2e.cargo]; Continuum "Cargo and passenger
    space" 10.6 [pc.cargo]
    """
    share = cargo_share_left(ship.sheet.fits, ship.lost_systems())
    if share is None and ship.sheet.kind == HullKind.MERCHANT and not ship.sheet.crew:
        return cargo_left(ship.sheet, ship.damage)
    return share


def _design_names(ships: list[ShipState]) -> dict[Sheet, str]:
    """Return a name for every design in a battle, also those that disguised ships pretend to be.

    It is the class name, numbered if several designs share it.
    """
    names: dict[Sheet, str] = {}
    counts: dict[str, int] = {}
    for ship in ships:
        for sheet in (ship.sheet, ship.cover):
            if sheet is not None and sheet not in names:
                counts[sheet.cls] = counts.get(sheet.cls, 0) + 1
                if counts[sheet.cls] == 1:
                    names[sheet] = sheet.cls
                else:
                    names[sheet] = f"{sheet.cls} ({counts[sheet.cls]})"
    return names


def _hidden_json(ship: ShipState, names: Mapping[Sheet, str]) -> _Hidden:
    """Return the rest of a ship's state.

    Args:
        names: The names of designs in the document.
    """
    document: _Hidden = {
        "side": ship.owner,
        "class": names[ship.sheet],
        "bogey": ship.bogey,
        "dummy": ship.dummy,
        "label": ship.label,
        "contact": ship.contact,
        "warm": ship.warm,
        "holds_fire": ship.holds_fire,
        "edge": ship.edge,
        "due": ship.due,
        "cover": names[ship.cover] if ship.cover is not None else "",
        "sweeping": ship.sweeping,
        "armed": ship.armed,
        "dock": ship.dock,
        "docking": ship.docking,
        "swerved": ship.swerved,
        "notes": ship.facts(),
        "drift": ship.drift,
    }
    if ship.is_taken_over:
        document["commander"] = ship.commander
    return document


def state_from(document: StateDocument) -> BattleState:
    """Restore a state that `state_document` wrote.

    Raises:
        KeyError: The document lacks an entry.
        RuleViolations: The document has faults.
    """
    terms = Terms.from_json(document["terms"])
    sheets: dict[str, Sheet] = {}
    for name, design in document["designs"].items():
        sheets[name] = stored_sheet(design, terms.design_options)
    profiles = {name: profile_of(sheet) for name, sheet in sheets.items()}
    width, height = document["table"]
    _check_commanders(document)
    state = BattleState(
        sides=tuple(document["sides"]),
        hostile=tuple(document["hostile"]),
        table=(width, height),
        bogeys=document["bogeys"],
        turn=document["turn"],
        stop=document["stop"],
        ships=[
            _ship_from(id_, document["ships"][id_], sheets, profiles) for id_ in document["order"]
        ],
        terms=terms,
    )
    state.pieces = [piece_from(item) for item in document["pieces"]]
    state.share_screens()
    state.flight_count = document["flight_count"]
    state.mine_count = document["mine_count"]
    state.launch_count = document.get("launch_count", 0)
    if "set_up" in document:
        state.set_up = set_up_stage_from(document["set_up"])
    if "firing" in document:
        state.firing = firing_stage_from(document["firing"])
    for name, others in document.get("lets", {}).items():
        state.lets[state.sides.index(name)] = tuple(others)
    return state


def _check_commanders(document: Mapping[str, Any]) -> None:
    """Check that owners and commanders of all ships are sides of the battle.

    Raises:
        RuleViolations: Some are not; all of them are listed.
    """
    sides = range(len(document["sides"]))
    faults = []
    for id_, item in document["ships"].items():
        for key in ("side", "commander"):
            if key in item and (type(item[key]) is not int or item[key] not in sides):
                words = reason(
                    "no-side-battle-number",
                    "there is no side {!r} in the battle; it has {} sides, numbered from 0",
                    item[key],
                    len(sides),
                )
                faults.append(Violation(f"ships.{id_}.{key}", "unknown-side", words))
    if faults:
        raise RuleViolations(faults)


def _pair(value: object) -> tuple[float, float] | None:
    """Return the two numbers of a list, None if there is no list."""
    if isinstance(value, (list, tuple)):
        return (value[0], value[1])
    return None


def _ship_from(
    id_: str, item: StoredShip, sheets: Mapping[str, Sheet], profiles: Mapping[str, ShipProfile]
) -> ShipState:
    """Return a ship that `ship_json` and `_hidden_json` wrote."""
    sheet, profile = sheets[item["class"]], profiles[item["class"]]
    alive = list(profile.undamaged)
    for name in item["lost"]:
        alive[profile.index_of[name]] -= 1
    x, y = item["at"]
    stock_by_name = full_stock(sheet) | item.get("stock", {})
    stock = []
    for fit in sheet.fits:
        stock.append(sum(stock_by_name[name] for name in full_contents(fit, sheet.edition)))
    record, this_turn = parse_facts(item["notes"])
    ship = ShipState(
        id=ShipId(id_),
        owner=item["side"],
        commander=item.get("commander", item["side"]),
        sheet=sheet,
        profile=profile,
        x=x,
        y=y,
        course=item["course"],
        velocity=item["velocity"],
        damage=item["damage"],
        alive=alive,
        stock=stock,
        status=ShipStatus(item["status"]),
        label=item["label"],
        contact=item["contact"],
        bogey=item["bogey"],
        dummy=item["dummy"],
        warm=item["warm"],
        holds_fire=item["holds_fire"],
        edge=item["edge"],
        due=item["due"],
        cover=sheets[item["cover"]] if item["cover"] else None,
        sweeping=item["sweeping"],
        armed=item["armed"],
        dock=ShipId(item["dock"]),
        docking=item["docking"],
        swerved=item["swerved"],
        armour=tuple((standard, regenerative) for standard, regenerative in item["armour"]),
        record=record,
        this_turn=this_turn,
        drift=_pair(item["drift"]),
    )
    ship.recompute()
    return ship


def event_kinds() -> dict[str, type[Event]]:
    """Return every kind of event by name, including those defined outside the engine."""
    # Shared base classes have no kind of their own.
    return {cls.kind: cls for cls in _subclasses(Event) if cls.kind != Event.kind}


def _subclasses(cls: type[Event]) -> Iterator[type[Event]]:
    """Yield every class derived from a class, at any depth."""
    for derived in cls.__subclasses__():
        yield derived
        yield from _subclasses(derived)


# The kinds defined in the engine.
KINDS = {kind: cls for kind, cls in event_kinds().items() if cls.__module__.startswith("engine.")}


def event_from_json(document: dict[str, Any]) -> Event:
    """Return the event of a line of the umpire's log.

    Raises:
        KeyError: There is no such kind, or a field is missing.
    """
    kind = document["event"]
    cls = KINDS.get(kind) or event_kinds()[kind]
    marks = field_marks_of(cls)
    return cls(**{f.name: read_field(document[f.name], marks.get(f.name)) for f in fields(cls)})


def replay(start: BattleState, events: Iterable[Event]) -> BattleState:
    """Return the state after the events; `start` is not changed.

    Raises:
        KeyError: An event names an unknown ship.
    """
    state = start.copy()
    for event in events:
        event.apply(state)
    return state
