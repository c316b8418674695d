"""The table of a replay as it stands: ships and groups of craft by key, from views, and as events change them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypedDict, cast

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
from engine.events.movement import JUMPED
from engine.pieces.registry import kinds

Event = Mapping[str, Any]
Point = tuple[float, float]
NOBODYS: Final = -1  # the place of a side that is none
OUT_OF_SIGHT: Final = phrase("out of sight")
ABOARD: Final = phrase("aboard its ship")
SHOT_DOWN: Final = phrase("shot down")
ON_TABLE: Final = (FIGHTING, HULK, UNSEEN)
# Lists of a view whose pieces fly by orders, as ships do: for each kind a side's own, and those of others.
FLYING: Final = tuple(kind.view_keys for kind in kinds() if kind.commanded)
OWN_GROUPS: Final = tuple(keys[0] for keys in FLYING)
GROUPS: Final = tuple(key for keys in FLYING for key in keys)


class UnitState(TypedDict, total=False):
    """A ship or group at a moment: place in MU, `c`ourse, `v`elocity (None: not seen), `d`amage points, or craft that a
    group has; `a`rmour left; `m`: whether the reader commands it, `s`: its side, `b`: whether it is a bogey; `out`: why
    it is not on the table, "" while it is; `note`: a word beside its name.
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
    """The running state. `change` says what to tell of a unit; what is as it was is told to nobody."""

    def __init__(self) -> None:
        self.now: dict[str, UnitState] = {}

    def change(self, key: str, what: UnitState) -> UnitState:
        """Change a unit; what of it is new."""
        before = self.now.get(key, {})
        new = cast(UnitState, {name: value for name, value in what.items() if before.get(name, _NONE) != value})
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
        change = CHANGES.get(str(event["event"]))
        if change is None:
            return {}
        told = {key: self.change(key, new) for key, new in change(self, event).items()}
        return {key: new for key, new in told.items() if new}


_NONE = object()
Change = Callable[[Units, Event], dict[str, UnitState]]


def _moved(_: Units, event: Event) -> dict[str, UnitState]:
    key = str(event.get("ship") or event["group"])
    new: UnitState = {"c": int(event["course"])}
    if "velocity" in event:
        new["v"] = int(event["velocity"])
    return {key: _at(new, *event["path"][-1])}


def _placed(units: Units, event: Event) -> dict[str, UnitState]:
    """It is on the table from now on, where the event says."""
    key = str(event["ship"])
    if key not in units.now:
        return {}  # the next view says what it is
    new: UnitState = {"out": ""}
    if "course" in event:
        new["c"] = int(event["course"])
    return {key: _at(new, *event["at"])}


def _launched(units: Units, event: Event) -> dict[str, UnitState]:
    home = units.now.get(str(event["ship"]))
    if home is None:
        return {}
    new: UnitState = {
        "c": int(event["course"]),
        "v": 0,
        "d": int(event["craft"]),
        "m": home["m"],
        "s": home["s"],
        "b": False,
        "out": "",
    }
    return {str(event["group"]): _at(new, *event["at"])}


def _craft_lost(units: Units, event: Event) -> dict[str, UnitState]:
    key, left = str(event["group"]), int(event["left"])
    new: UnitState = {"d": left}
    if not left:
        new["out"] = SHOT_DOWN
    return {key: new} if key in units.now else {}


def _recovered(units: Units, event: Event) -> dict[str, UnitState]:
    key = str(event["group"])
    return {key: {"out": ABOARD}} if key in units.now else {}


def _jumped(units: Units, event: Event) -> dict[str, UnitState]:
    outcome = event["outcome"]
    if outcome not in JUMPED:
        return {}
    return _gone(DESTROYED if outcome == JumpOutcome.EXPLODED else ShipStatus.FTL)(units, event)


def _damaged(units: Units, event: Event) -> dict[str, UnitState]:
    key = str(event["ship"])
    return {key: {"d": int(event["total"])}} if key in units.now else {}


def _absorbed(units: Units, event: Event) -> dict[str, UnitState]:
    key = str(event["ship"])
    return {key: {"a": sum(sum(layer) for layer in event["armour"])}} if key in units.now else {}


def _gone(status: ShipStatus) -> Change:
    def gone(units: Units, event: Event) -> dict[str, UnitState]:
        key = str(event["ship"])
        return {key: {"out": ShipStatus.words(status)}} if key in units.now else {}

    return gone


def _through_gate(units: Units, event: Event) -> dict[str, UnitState]:
    """A ship in a gate is gone, lost, or at a place; one that backs out lies where it is."""
    if event["outcome"] == GateOutcome.LOST:
        return _gone(DESTROYED)(units, event)
    if event["at"] is not None:
        return _placed(units, event)
    return _gone(ShipStatus.FTL)(units, event) if event["outcome"] == GateOutcome.THROUGH else {}


def _noted(status: ShipStatus) -> Change:
    def noted(units: Units, event: Event) -> dict[str, UnitState]:
        key = str(event["ship"])
        return {key: {"note": ShipStatus.words(status)}} if key in units.now else {}

    return noted


def _revealed(units: Units, event: Event) -> dict[str, UnitState]:
    key = str(event["ship"])
    return {key: {"b": False}} if key in units.now else {}


def _entered(units: Units, event: Event) -> dict[str, UnitState]:
    """What people entered that a ship came to."""
    key, status = str(event["ship"]), event["status"]
    if key not in units.now:
        return {}
    return {key: {"d": int(event["damage"]), "out": "" if status == FIGHTING else ShipStatus.words(status)}}


def _shifted(units: Units, event: Event) -> dict[str, UnitState]:
    """The table moved along; everything on it lies elsewhere on it."""
    gone = set(map(str, event["gone"]))
    moved: dict[str, UnitState] = {}
    for key, state in units.now.items():
        if not state.get("out"):
            moved[key] = _at({}, state["x"] + event["by_x"], state["y"] + event["by_y"])
            if key in gone:
                moved[key]["out"] = ShipStatus.words(LEFT)
    return moved


CHANGES: Final[Mapping[str, Change]] = {
    **dict.fromkeys(("moved", "flown", "flown-on"), _moved),
    **dict.fromkeys(("placed", "returned", "arrived", "decloaked"), _placed),
    **dict.fromkeys(("left-table", "gave-up"), _gone(LEFT)),
    **dict.fromkeys(("escaped", "carried-off"), _gone(ShipStatus.FTL)),
    "detached": _placed,
    "taken-aboard": _gone(ShipStatus.CARRIED),
    "gate-passed": _through_gate,
    "launched": _launched,
    "craft-lost": _craft_lost,
    "recovered": _recovered,
    "ftl-exit": _jumped,
    "damaged": _damaged,
    "absorbed": _absorbed,
    "destroyed": _gone(DESTROYED),
    "dummy-found": _gone(SCANNED_AWAY),
    "adrift": _noted(HULK),
    "captured": _noted(CAPTURED),
    "colours-struck": _noted(ShipStatus.STRUCK),
    "revealed": _revealed,
    "entered": _entered,
    "table-moved": _shifted,
}
