"""The table of a replay as it stands: ships and groups of craft by key, from views, and as events
change them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypedDict, TypeVar, cast

from engine.core.kinds import (
    CAPTURED,
    DESTROYED,
    FIGHTING,
    HULK,
    LEFT,
    SCANNED_AWAY,
    UNSEEN,
    GateOutcome,
    JumpOutcome,
    ShipStatus,
)
from engine.core.phrase import phrase
from engine.events.battle import Placed, TableMoved
from engine.events.boarding import Captured, ColoursStruck
from engine.events.damage import Absorbed, Adrift, Damaged, Destroyed
from engine.events.detection import Decloaked, DummyFound, Revealed
from engine.events.entered import Entered
from engine.events.event import Event
from engine.events.movement import (
    JUMPED,
    Arrived,
    CarriedOff,
    Detached,
    Escaped,
    FtlExit,
    GaveUp,
    LeftTable,
    Moved,
    Returned,
    TakenAboard,
)
from engine.pieces.craft_events import FlownOn
from engine.pieces.gate import GatePassed
from engine.pieces.group import CraftLost
from engine.pieces.group_events import Flown, Launched, Recovered
from engine.pieces.registry import kinds

Point = tuple[float, float]
NOBODYS: Final = -1  # the place of a side that is none
OUT_OF_SIGHT: Final = phrase("out of sight")
ABOARD: Final = phrase("aboard its ship")
SHOT_DOWN: Final = phrase("shot down")
ON_TABLE: Final = (FIGHTING, HULK, UNSEEN)
# Lists of a view whose pieces fly by orders, as ships do: for each kind a side's own, and those of
# others.
FLYING: Final = tuple(kind.view_keys for kind in kinds() if kind.commanded)
OWN_GROUPS: Final = tuple(keys[0] for keys in FLYING)
GROUPS: Final = tuple(key for keys in FLYING for key in keys)


class UnitState(TypedDict, total=False):
    """A ship or group at a moment: place in MU, `c`ourse, `v`elocity (None: not seen), `d`amage
    points, or craft that a group has; `a`rmour left; `m`: whether the reader commands it, `s`: its
    side, `b`: whether it is a bogey; `out`: why it is not on the table, "" while it is; `note`: a
    word beside its name.
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


Sided = Callable[[int], int]  # the number of a side in a view -> its place in the replay


def _at(found: UnitState, x: float, y: float) -> UnitState:
    found["x"], found["y"] = round(x, 2), round(y, 2)
    return found


def units_seen(view: Mapping[str, Any], mine: int, sided: Sided) -> dict[str, UnitState]:
    """Every ship and group of a view."""
    found: dict[str, UnitState] = {}
    for key, ship in sorted(view["own"].items()):
        status = ship["status"]
        one: UnitState = {
            "c": int(ship["course"]),
            "v": int(ship["velocity"]),
            "d": int(ship["damage"]),
            "a": sum(sum(layer) for layer in ship.get("armour", ())),
            "m": True,
            "s": int(ship.get("side", mine)),
            "b": False,
            "out": "" if status in ON_TABLE else ShipStatus.words(status),
            "note": ShipStatus.words(status) if status in (HULK, UNSEEN) else "",
        }
        found[key] = _at(one, *ship["at"])
    for contact in view["contacts"]:
        velocity = contact["velocity"]
        one = {
            "c": int(contact["course"]),
            "v": None if velocity is None else int(velocity),
            "d": int(contact.get("damage", 0)),
            "a": sum(sum(layer) for layer in contact.get("armour", ())),
            "m": False,
            "b": "class" not in contact,
            "out": "",
            "note": ShipStatus.words(HULK) if contact["status"] == HULK else "",
        }
        side = sided(int(contact["side"]))
        if side != NOBODYS:  # a hulk stays in the list of its side
            one["s"] = side
        found[str(contact["id"])] = _at(one, *contact["at"])
    for key in GROUPS:
        for group in view.get(key, ()):
            x, y = group["at"] if "at" in group else (group["x"], group["y"])
            one = {
                "c": int(group["course"]),
                "v": 0,
                "d": int(group["craft"]),
                "m": key in OWN_GROUPS,
                "s": sided(int(group["side"])) if "side" in group else mine,
                "b": False,
                "out": "",
            }
            found[str(group["id"])] = _at(one, x, y)
    return found


class Units:
    """The running state.

    `change` says what to tell of a unit; what is as it was is told to nobody.
    """

    def __init__(self) -> None:
        self.now: dict[str, UnitState] = {}

    def change(self, key: str, what: UnitState) -> UnitState:
        """Change a unit; what of it is new."""
        before = self.now.get(key, {})
        new = cast(
            UnitState,
            {name: value for name, value in what.items() if before.get(name, _NONE) != value},
        )
        self.now[key] = cast(UnitState, {**before, **new})
        return new

    def sync(self, seen: Mapping[str, UnitState]) -> dict[str, UnitState]:
        """Bring it to a view: what is seen, and that the rest is not."""
        told = {key: self.change(key, state) for key, state in seen.items()}
        for key in sorted(self.now.keys() - seen.keys()):
            if not self.now[key].get("out"):
                told[key] = self.change(key, {"out": OUT_OF_SIGHT})
        return {key: new for key, new in told.items() if new}

    def happen(self, event: Event) -> dict[str, UnitState]:
        """What an event changes, as far as it says."""
        change = CHANGES.get(type(event))
        if change is None:
            return {}
        told = {key: self.change(key, new) for key, new in change(self, event).items()}
        return {key: new for key, new in told.items() if new}


_NONE = object()
E = TypeVar("E", bound=Event)
Change = Callable[[Units, E], dict[str, UnitState]]
# What an event of a class changes on the table.
CHANGES: Final[dict[type[Event], Change[Any]]] = {}


def _changed_by(*classes: type[E]) -> Callable[[Change[E]], Change[E]]:
    """Register the function that says what events of these classes change."""

    def register(change: Change[E]) -> Change[E]:
        CHANGES.update(dict.fromkeys(classes, change))
        return change

    return register


@_changed_by(Moved)
def _moved(_: Units, event: Moved) -> dict[str, UnitState]:
    return {event.ship: _at({"c": event.course, "v": event.velocity}, *event.path[-1])}


@_changed_by(Flown)
def _flown(_: Units, event: Flown) -> dict[str, UnitState]:
    return {event.group: _at({"c": event.course}, *event.path[-1])}


@_changed_by(FlownOn)
def _flown_on(_: Units, event: FlownOn) -> dict[str, UnitState]:
    return {event.group: _at({"c": event.course}, *event.path[-1])}


def _put(units: Units, key: str, at: Point, course: int) -> dict[str, UnitState]:
    """It is on the table from now on, where the event says."""
    if key not in units.now:
        return {}  # the next view says what it is
    return {key: _at({"out": "", "c": course}, *at)}


@_changed_by(Placed)
def _placed(units: Units, event: Placed) -> dict[str, UnitState]:
    return _put(units, event.ship, event.at, event.course)


@_changed_by(Returned)
def _returned(units: Units, event: Returned) -> dict[str, UnitState]:
    return _put(units, event.ship, event.at, event.course)


@_changed_by(Arrived)
def _arrived(units: Units, event: Arrived) -> dict[str, UnitState]:
    return _put(units, event.ship, event.at, event.course)


@_changed_by(Decloaked)
def _decloaked(units: Units, event: Decloaked) -> dict[str, UnitState]:
    return _put(units, event.ship, event.at, event.course)


@_changed_by(Detached)
def _detached(units: Units, event: Detached) -> dict[str, UnitState]:
    return _put(units, event.ship, event.at, event.course)


@_changed_by(Launched)
def _launched(units: Units, event: Launched) -> dict[str, UnitState]:
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
    return {event.group: _at(new, *event.at)}


@_changed_by(CraftLost)
def _craft_lost(units: Units, event: CraftLost) -> dict[str, UnitState]:
    new: UnitState = {"d": event.left}
    if not event.left:
        new["out"] = SHOT_DOWN
    return {event.group: new} if event.group in units.now else {}


@_changed_by(Recovered)
def _recovered(units: Units, event: Recovered) -> dict[str, UnitState]:
    return {event.group: {"out": ABOARD}} if event.group in units.now else {}


@_changed_by(FtlExit)
def _jumped(units: Units, event: FtlExit) -> dict[str, UnitState]:
    if event.outcome not in JUMPED:
        return {}
    exploded = event.outcome == JumpOutcome.EXPLODED
    return _gone(DESTROYED if exploded else ShipStatus.FTL)(units, event)


@_changed_by(Damaged)
def _damaged(units: Units, event: Damaged) -> dict[str, UnitState]:
    return {event.ship: {"d": event.total}} if event.ship in units.now else {}


@_changed_by(Absorbed)
def _absorbed(units: Units, event: Absorbed) -> dict[str, UnitState]:
    left = sum(sum(layer) for layer in event.armour)
    return {event.ship: {"a": left}} if event.ship in units.now else {}


def _gone(status: ShipStatus) -> Change[Event]:
    """The change of a ship that is off the table from now on."""

    def gone(units: Units, event: Event) -> dict[str, UnitState]:
        key = event.subject
        return {key: {"out": ShipStatus.words(status)}} if key in units.now else {}

    return gone


@_changed_by(GatePassed)
def _through_gate(units: Units, event: GatePassed) -> dict[str, UnitState]:
    """A ship in a gate is gone, lost, or at a place; one that backs out lies where it is."""
    if event.outcome == GateOutcome.LOST:
        return _gone(DESTROYED)(units, event)
    if event.at is not None:
        return _put(units, event.ship, event.at, event.course)
    return _gone(ShipStatus.FTL)(units, event) if event.outcome == GateOutcome.THROUGH else {}


def _noted(status: ShipStatus) -> Change[Event]:
    """The change of a ship that stays on the table, with a word beside its name."""

    def noted(units: Units, event: Event) -> dict[str, UnitState]:
        key = event.subject
        return {key: {"note": ShipStatus.words(status)}} if key in units.now else {}

    return noted


@_changed_by(Revealed)
def _revealed(units: Units, event: Revealed) -> dict[str, UnitState]:
    return {event.ship: {"b": False}} if event.ship in units.now else {}


@_changed_by(Entered)
def _entered(units: Units, event: Entered) -> dict[str, UnitState]:
    """What people entered that a ship came to."""
    if event.ship not in units.now:
        return {}
    out = "" if event.status == FIGHTING else ShipStatus.words(event.status)
    return {event.ship: {"d": event.damage, "out": out}}


@_changed_by(TableMoved)
def _shifted(units: Units, event: TableMoved) -> dict[str, UnitState]:
    """The table moved along; everything on it lies elsewhere on it."""
    moved: dict[str, UnitState] = {}
    for key, state in units.now.items():
        if not state.get("out"):
            moved[key] = _at({}, state["x"] + event.by_x, state["y"] + event.by_y)
            if key in event.gone:
                moved[key]["out"] = ShipStatus.words(LEFT)
    return moved


_changed_by(LeftTable, GaveUp)(_gone(LEFT))
_changed_by(Escaped, CarriedOff)(_gone(ShipStatus.FTL))
_changed_by(TakenAboard)(_gone(ShipStatus.CARRIED))
_changed_by(Destroyed)(_gone(DESTROYED))
_changed_by(DummyFound)(_gone(SCANNED_AWAY))
_changed_by(Adrift)(_noted(HULK))
_changed_by(Captured)(_noted(CAPTURED))
_changed_by(ColoursStruck)(_noted(ShipStatus.STRUCK))
