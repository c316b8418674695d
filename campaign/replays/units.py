"""The state of a replay's table: ships and groups by key, from views and as events change them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypedDict, TypeVar, cast

from engine.core.kinds import (
    CAPTURED,
    CLOAKED,
    DESTROYED,
    FIGHTING,
    HULK,
    LEFT_TABLE,
    SCANNED_AWAY,
    GateOutcome,
    JumpOutcome,
    ShipStatus,
)
from engine.core.phrase import phrase
from engine.events.battle import ShipPlaced, TableMoved
from engine.events.boarding import ShipCaptured, ShipSurrendered
from engine.events.damage import ArmourAbsorbed, ShipBecameDerelict, ShipDamaged, ShipDestroyed
from engine.events.detection import ContactIdentified, DummyIdentified, ShipDecloaked
from engine.events.entered import ResultEntered
from engine.events.event import Event
from engine.events.movement import (
    JUMPED,
    FtlArrival,
    FtlExit,
    LeftTable,
    ReturnGivenUp,
    ShipCarriedOff,
    ShipDetached,
    ShipEscaped,
    ShipMoved,
    ShipReturned,
    ShipTakenAboard,
)
from engine.pieces.craft_events import SecondaryMove
from engine.pieces.gate import GatePassed
from engine.pieces.group import CraftLost
from engine.pieces.group_events import CraftRecovered, GroupLaunched, GroupMoved
from engine.pieces.registry import kinds

Point = tuple[float, float]
NO_SIDE: Final = -1  # the index of no side
OUT_OF_SIGHT: Final = phrase("out of sight")
ABOARD: Final = phrase("aboard its ship")
SHOT_DOWN: Final = phrase("shot down")
ON_TABLE: Final = (FIGHTING, HULK, CLOAKED)
# The lists of a view for each kind of piece that flies by orders, as ships do: a side's own pieces
# first, then foreign ones.
FLYING: Final = tuple(kind.view_keys for kind in kinds() if kind.commanded)
OWN_GROUPS: Final = tuple(keys[0] for keys in FLYING)
GROUPS: Final = tuple(key for keys in FLYING for key in keys)


class UnitState(TypedDict, total=False):
    """A ship or group at a moment, with the short keys of the replay's document.

    Attributes:
        x: MU.
        y: MU.
        c: Course.
        v: Velocity; None if not seen.
        d: Damage points, or the number of craft in a group.
        a: Armour left.
        m: Whether the reader commands it.
        s: The index of its side in the replay.
        b: Whether it is a bogey.
        out: Why it is not on the table; empty while it is.
        note: A word beside its name.
    """

    x: float
    y: float
    c: int
    v: int | None
    d: int
    a: int
    m: bool
    s: int
    b: bool
    out: str
    note: str


SideLookup = Callable[[int], int]  # from a side's number in a view to its index in the replay


def _with_place(state: UnitState, x: float, y: float) -> UnitState:
    """Set the place of a state, in hundredths of an MU, and return the state."""
    state["x"], state["y"] = round(x, 2), round(y, 2)
    return state


def units_in_view(
    view: Mapping[str, Any], own_side: int, place_of_side: SideLookup
) -> dict[str, UnitState]:
    """Return all ships and groups of a view, by key.

    Args:
        own_side: The index of the reader's side in the replay.
        place_of_side: Converts a side's number in the view to its index in the replay.
    """
    states: dict[str, UnitState] = {}
    for key, ship in sorted(view["own"].items()):
        states[key] = _own_ship_state(ship, own_side)
    for contact in view["contacts"]:
        states[str(contact["id"])] = _contact_state(contact, place_of_side)
    for list_key in GROUPS:
        for group in view.get(list_key, ()):
            side = place_of_side(int(group["side"])) if "side" in group else own_side
            is_own = list_key in OWN_GROUPS
            states[str(group["id"])] = _group_state(group, side, is_own=is_own)
    return states


def _own_ship_state(ship: Mapping[str, Any], own_side: int) -> UnitState:
    """Return the state of a ship that the reader commands."""
    status = ship["status"]
    state: UnitState = {
        "c": int(ship["course"]),
        "v": int(ship["velocity"]),
        "d": int(ship["damage"]),
        "a": _armour_left(ship),
        "m": True,
        "s": int(ship.get("side", own_side)),
        "b": False,
        "out": "" if status in ON_TABLE else ShipStatus.label_of(status),
        "note": ShipStatus.label_of(status) if status in (HULK, CLOAKED) else "",
    }
    return _with_place(state, *ship["at"])


def _contact_state(contact: Mapping[str, Any], place_of_side: SideLookup) -> UnitState:
    """Return the state of another ship on the table."""
    velocity = contact["velocity"]
    state: UnitState = {
        "c": int(contact["course"]),
        "v": None if velocity is None else int(velocity),
        "d": int(contact.get("damage", 0)),
        "a": _armour_left(contact),
        "m": False,
        "b": "class" not in contact,
        "out": "",
        "note": ShipStatus.label_of(HULK) if contact["status"] == HULK else "",
    }
    side = place_of_side(int(contact["side"]))
    if side != NO_SIDE:  # a hulk stays in its side's list
        state["s"] = side
    return _with_place(state, *contact["at"])


def _group_state(group: Mapping[str, Any], side: int, *, is_own: bool) -> UnitState:
    """Return the state of a group of craft or of ordnance that flies by orders."""
    state: UnitState = {
        "c": int(group["course"]),
        "v": 0,
        "d": int(group["craft"]),
        "m": is_own,
        "s": side,
        "b": False,
        "out": "",
    }
    place = group["at"] if "at" in group else (group["x"], group["y"])
    return _with_place(state, *place)


def _armour_left(ship: Mapping[str, Any]) -> int:
    """Return the armour boxes left in all layers."""
    return sum(sum(layer) for layer in ship.get("armour", ()))


class Units:
    """The present state of all units, by key.

    Its methods return only what a change makes different, as moments store it.
    """

    def __init__(self) -> None:
        self.now: dict[str, UnitState] = {}

    def change(self, key: str, changes: UnitState) -> UnitState:
        """Change a unit, and return the values that differ from before."""
        before = self.now.get(key, {})
        differences = {}
        for name, value in changes.items():
            if before.get(name, _ABSENT) != value:
                differences[name] = value
        new = cast(UnitState, differences)
        self.now[key] = cast(UnitState, {**before, **new})
        return new

    def sync(self, states: Mapping[str, UnitState]) -> dict[str, UnitState]:
        """Set all units to the states of a view; a unit that it lacks is out of sight."""
        changes = {key: self.change(key, state) for key, state in states.items()}
        for key in sorted(self.now.keys() - states.keys()):
            if not self.now[key].get("out"):
                changes[key] = self.change(key, {"out": OUT_OF_SIGHT})
        return {key: new for key, new in changes.items() if new}

    def apply(self, event: Event) -> dict[str, UnitState]:
        """Apply an event, and return the changes that it states."""
        change = CHANGES.get(type(event))
        if change is None:
            return {}
        changes = {key: self.change(key, new) for key, new in change(self, event).items()}
        return {key: new for key, new in changes.items() if new}


_ABSENT = object()
E = TypeVar("E", bound=Event)
Change = Callable[[Units, E], dict[str, UnitState]]
# Functions that return an event's changes, by class.
CHANGES: Final[dict[type[Event], Change[Any]]] = {}


def _changed_by(*classes: type[E]) -> Callable[[Change[E]], Change[E]]:
    """Register the function that returns the changes by events of these classes."""

    def register(change: Change[E]) -> Change[E]:
        CHANGES.update(dict.fromkeys(classes, change))
        return change

    return register


@_changed_by(ShipMoved)
def _on_moved(_: Units, event: ShipMoved) -> dict[str, UnitState]:
    """Move a ship to the end of its path."""
    return {event.ship: _with_place({"c": event.course, "v": event.velocity}, *event.path[-1])}


@_changed_by(GroupMoved)
def _on_flown(_: Units, event: GroupMoved) -> dict[str, UnitState]:
    """Move a group to the end of its path."""
    return {event.group: _with_place({"c": event.course}, *event.path[-1])}


@_changed_by(SecondaryMove)
def _on_flown_on(_: Units, event: SecondaryMove) -> dict[str, UnitState]:
    """Move a group to the end of its second path."""
    return {event.group: _with_place({"c": event.course}, *event.path[-1])}


def _place_unit(units: Units, key: str, at: Point, course: int) -> dict[str, UnitState]:
    """Put a known unit on the table at the event's place."""
    if key not in units.now:
        return {}  # the next view shows what it is
    return {key: _with_place({"out": "", "c": course}, *at)}


@_changed_by(ShipPlaced)
def _on_placed(units: Units, event: ShipPlaced) -> dict[str, UnitState]:
    return _place_unit(units, event.ship, event.at, event.course)


@_changed_by(ShipReturned)
def _on_returned(units: Units, event: ShipReturned) -> dict[str, UnitState]:
    return _place_unit(units, event.ship, event.at, event.course)


@_changed_by(FtlArrival)
def _on_arrived(units: Units, event: FtlArrival) -> dict[str, UnitState]:
    return _place_unit(units, event.ship, event.at, event.course)


@_changed_by(ShipDecloaked)
def _on_decloaked(units: Units, event: ShipDecloaked) -> dict[str, UnitState]:
    return _place_unit(units, event.ship, event.at, event.course)


@_changed_by(ShipDetached)
def _on_detached(units: Units, event: ShipDetached) -> dict[str, UnitState]:
    return _place_unit(units, event.ship, event.at, event.course)


@_changed_by(GroupLaunched)
def _on_launched(units: Units, event: GroupLaunched) -> dict[str, UnitState]:
    """Put a new group at its place, on the side of its ship."""
    home = units.now.get(event.ship)
    if home is None:
        return {}
    new: UnitState = {
        "c": event.course,
        "v": 0,
        "d": event.craft,
        "m": home["m"],
        "s": home["s"],
        "b": False,
        "out": "",
    }
    return {event.group: _with_place(new, *event.at)}


@_changed_by(CraftLost)
def _on_craft_lost(units: Units, event: CraftLost) -> dict[str, UnitState]:
    """Set the craft that are left, or note that the group is shot down."""
    new: UnitState = {"d": event.remaining}
    if not event.remaining:
        new["out"] = SHOT_DOWN
    if event.group in units.now:
        return {event.group: new}
    return {}


@_changed_by(CraftRecovered)
def _on_recovered(units: Units, event: CraftRecovered) -> dict[str, UnitState]:
    """Take a group that landed off the table."""
    if event.group in units.now:
        return {event.group: {"out": ABOARD}}
    return {}


@_changed_by(FtlExit)
def _on_ftl_exit(units: Units, event: FtlExit) -> dict[str, UnitState]:
    """Take a ship that jumped or exploded off the table."""
    if event.outcome not in JUMPED:
        return {}
    exploded = event.outcome == JumpOutcome.EXPLODED
    return _off_table_change(DESTROYED if exploded else ShipStatus.FTL)(units, event)


@_changed_by(ShipDamaged)
def _on_damaged(units: Units, event: ShipDamaged) -> dict[str, UnitState]:
    """Set the damage of a ship."""
    if event.ship in units.now:
        return {event.ship: {"d": event.total}}
    return {}


@_changed_by(ArmourAbsorbed)
def _on_absorbed(units: Units, event: ArmourAbsorbed) -> dict[str, UnitState]:
    """Set the armour that a ship has left."""
    armour_left = sum(sum(layer) for layer in event.armour)
    if event.ship in units.now:
        return {event.ship: {"a": armour_left}}
    return {}


def _off_table_change(status: ShipStatus) -> Change[Event]:
    """Return the change of a ship that leaves the table."""

    def change(units: Units, event: Event) -> dict[str, UnitState]:
        key = event.subject
        if key in units.now:
            return {key: {"out": ShipStatus.label_of(status)}}
        return {}

    return change


@_changed_by(GatePassed)
def _on_gate_passed(units: Units, event: GatePassed) -> dict[str, UnitState]:
    """Return the changes of a ship in a gate: gone, lost, or at a place; none if it backs out."""
    if event.outcome == GateOutcome.LOST:
        return _off_table_change(DESTROYED)(units, event)
    if event.at is not None:
        return _place_unit(units, event.ship, event.at, event.course)
    if event.outcome == GateOutcome.THROUGH:
        return _off_table_change(ShipStatus.FTL)(units, event)
    return {}


def _note_change(status: ShipStatus) -> Change[Event]:
    """Return the change of a ship that stays on the table with a word beside its name."""

    def noted(units: Units, event: Event) -> dict[str, UnitState]:
        key = event.subject
        if key in units.now:
            return {key: {"note": ShipStatus.label_of(status)}}
        return {}

    return noted


@_changed_by(ContactIdentified)
def _on_revealed(units: Units, event: ContactIdentified) -> dict[str, UnitState]:
    """Note that a contact is identified."""
    if event.ship in units.now:
        return {event.ship: {"b": False}}
    return {}


@_changed_by(ResultEntered)
def _on_entered(units: Units, event: ResultEntered) -> dict[str, UnitState]:
    """Return the changes by a ship's result that players entered."""
    if event.ship not in units.now:
        return {}
    if event.status == FIGHTING:
        out = ""
    else:
        out = ShipStatus.label_of(event.status)
    return {event.ship: {"d": event.damage, "out": out}}


@_changed_by(TableMoved)
def _on_table_moved(units: Units, event: TableMoved) -> dict[str, UnitState]:
    """Return the changes of all units when the table moves."""
    changes: dict[str, UnitState] = {}
    for key, state in units.now.items():
        if not state.get("out"):
            changes[key] = _with_place({}, state["x"] + event.by_x, state["y"] + event.by_y)
            if key in event.removed:
                changes[key]["out"] = ShipStatus.label_of(LEFT_TABLE)
    return changes


_changed_by(LeftTable, ReturnGivenUp)(_off_table_change(LEFT_TABLE))
_changed_by(ShipEscaped, ShipCarriedOff)(_off_table_change(ShipStatus.FTL))
_changed_by(ShipTakenAboard)(_off_table_change(ShipStatus.CARRIED))
_changed_by(ShipDestroyed)(_off_table_change(DESTROYED))
_changed_by(DummyIdentified)(_off_table_change(SCANNED_AWAY))
_changed_by(ShipBecameDerelict)(_note_change(HULK))
_changed_by(ShipCaptured)(_note_change(CAPTURED))
_changed_by(ShipSurrendered)(_note_change(ShipStatus.SURRENDERED))
