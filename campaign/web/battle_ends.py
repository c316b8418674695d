"""How each ship of a battle ended, as far as the viewer saw, from the reports of its phases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from campaign.drawings.strips import Strip
from campaign.words.battle.log import SideNames, phases_of
from campaign.words.battle.movement import end_reason
from engine.core.kinds import (
    CAPTURED,
    FIGHTING,
    HULK,
    SHIP_SURRENDERED,
    GateOutcome,
    JumpOutcome,
    ShipStatus,
)
from engine.core.phrase import capitalize_first, join_phrases, phrase
from engine.english import system_words
from engine.events.battle import BattleOver
from engine.events.boarding import ShipCaptured, ShipRecaptured, ShipSurrendered
from engine.events.damage import (
    RepairRolled,
    ShipBecameDerelict,
    ShipDamaged,
    ShipDestroyed,
    SystemChecked,
    SystemLost,
    ThresholdChecked,
)
from engine.events.detection import DummyIdentified
from engine.events.entered import ResultEntered
from engine.events.event import Event
from engine.events.movement import JUMPED, FtlExit, LeftTable, ShipReturned
from engine.events.orbits import CAME_DOWN, EnteredAtmosphere
from engine.pieces.gate import GatePassed
from engine.view.event_reader import read_events_of

# The status of a ship after an event.
STATUS_AFTER: dict[type[Event], ShipStatus] = {
    ShipDestroyed: ShipStatus.DESTROYED,
    LeftTable: ShipStatus.LEFT_TABLE,
    DummyIdentified: ShipStatus.SCANNED_AWAY,
    ShipBecameDerelict: HULK,
    ShipRecaptured: HULK,
    ShipCaptured: CAPTURED,
    ShipSurrendered: SHIP_SURRENDERED,
}
# What happens to a ship that leaves no gate.
GATE_ENDS: Mapping[str, ShipStatus] = {
    GateOutcome.THROUGH: ShipStatus.FTL,
    GateOutcome.LOST: ShipStatus.DESTROYED,
}
ENDINGS_READ = (
    *STATUS_AFTER,
    *(FtlExit, GatePassed, EnteredAtmosphere, ShipReturned, ResultEntered),
)
EVENTS_READ = (
    *ENDINGS_READ,
    *(ShipDamaged, ThresholdChecked, SystemChecked, SystemLost, RepairRolled),
)


@dataclass(frozen=True, slots=True)
class Fate:
    """A ship at the end of a battle, as far as the viewer saw."""

    key: str
    name: str
    cls: str
    kind: str  # classification seen of a foreign ship; `with_hulls` sets it for own ships
    is_own: bool
    damage: int
    lost_systems: str
    ending: str  # empty if it still fights
    side: int | None = None  # the number of its side, if the viewer knows it
    hull: Strip | None = None  # of own ships, set by `with_hulls`
    seat: int = 0  # the seat of its faction, which gives its colour; set by the page


@dataclass(slots=True)
class _ShipRecords:
    """What happened to each ship so far: its end, damage points and lost systems."""

    ends: dict[str, ShipStatus] = field(default_factory=dict)
    damage: dict[str, int] = field(default_factory=dict)
    lost_systems: dict[str, list[str]] = field(default_factory=dict)

    def note_earlier_damage(self, own_ships: Mapping[str, Any]) -> None:
        """Note the damage with which own ships came to the battle.

        Args:
            own_ships: The own ships of a view, as before its events.
        """
        for key, ship in own_ships.items():
            self.damage.setdefault(key, int(ship.get("damage", 0)))

    def apply(self, event: Event) -> None:
        """Note what an event did to its ship."""
        ship = event.subject
        end = _end_of(event)
        if end is not None:
            self.ends[ship] = end
        lost_systems = self.lost_systems.setdefault(ship, [])
        match event:
            case ResultEntered():
                self.damage[ship] = event.damage
                self.lost_systems[ship] = list(event.lost)
            case ShipDamaged():
                self.damage[ship] = event.total
            case ThresholdChecked() | SystemChecked():
                lost_systems.extend(event.lost)
            case SystemLost():
                lost_systems.append(event.system)
            case RepairRolled() if event.succeeded and event.system in lost_systems:
                lost_systems.remove(event.system)


def _end_of(event: Event) -> ShipStatus | None:
    """Return a ship's status after an event, None if the event does not say."""
    if type(event) in STATUS_AFTER:
        return STATUS_AFTER[type(event)]
    match event:
        case FtlExit() if event.outcome in JUMPED:
            is_destroyed = event.outcome == JumpOutcome.EXPLODED
            return ShipStatus.DESTROYED if is_destroyed else ShipStatus.FTL
        case GatePassed() if event.at is None:
            return GATE_ENDS.get(event.outcome, FIGHTING)
        case EnteredAtmosphere() if event.outcome in CAME_DOWN:
            return ShipStatus.LANDED
        case ShipReturned():
            return FIGHTING
        case ResultEntered():
            return ShipStatus(event.status)
    return None


def ship_ends(phases: Sequence[Mapping[str, Any]]) -> Mapping[str, ShipStatus]:
    """Return the status of each ship that left the battle, by key, as far as the viewer saw.

    Args:
        phases: The phases of a side's report.
    """
    ends: dict[str, ShipStatus] = {}
    for phase in phases:
        for event in read_events_of(phase["log"], *ENDINGS_READ):
            end = _end_of(event)
            if end is not None:
                ends[event.subject] = end
    return ends


def end_words(log: Sequence[Mapping[str, Any]], names: SideNames) -> str:
    """Return what decided a battle, from the log of its last phase; "" if that does not say."""
    for event in read_events_of(log, BattleOver):
        return capitalize_first(end_reason(event, names))
    return ""


def fates(
    body: Mapping[str, Any], names: SideNames, classes: Mapping[str, str]
) -> tuple[Fate, ...]:
    """Return each ship the viewer saw, with its end: own ships first, sorted by name.

    Args:
        body: The side's report of the battle.
        classes: Classes of the viewer's own ships, by key.
    """
    phases = phases_of(body)
    records = _ShipRecords()
    own_keys: set[str] = set()
    contact_classes: dict[str, str] = {}
    kinds: dict[str, str] = {}
    sides: dict[str, int | None] = {}
    for phase in phases:
        records.note_earlier_damage(phase["own"])
        for event in read_events_of(phase["log"], *EVENTS_READ):
            records.apply(event)
        own_keys.update(phase["own"])
        for contact in phase["contacts"]:
            key = str(contact["id"])
            sides[key] = contact.get("side")
            kinds[key] = str(contact["classification"])
            contact_classes[key] = str(contact.get("class", contact["classification"]))

    def fate(key: str, cls: str, *, is_own: bool) -> Fate:
        lost_systems = [system_words(system) for system in records.lost_systems.get(key, ())]
        return Fate(
            key=key,
            name=names.of(key),
            cls=cls,
            kind=kinds.get(key, ""),
            is_own=is_own,
            damage=records.damage.get(key, 0),
            lost_systems=join_phrases(", ", lost_systems),
            ending=_ending_words(records.ends.get(key, FIGHTING)),
            side=sides.get(key),
        )

    result = []
    for key in sorted(own_keys, key=names.of):
        default = phrase("decoy drone") if key in names.decoys else phrase("ally's ship")
        result.append(fate(key, classes.get(key, default), is_own=True))
    for key in sorted(contact_classes, key=names.of):
        result.append(fate(key, contact_classes[key], is_own=False))
    return tuple(result)


def _ending_words(status: ShipStatus) -> str:
    """Describe how a ship ended; "" if it still fights."""
    return "" if status == FIGHTING else status.label
