"""How the ships of a battle ended, one by one, as far as the viewer saw: from the reports of its
stops alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from campaign.drawings.strips import Strip
from campaign.words.battle.log import SideNames, stops_of
from engine.core.kinds import CAPTURED, FIGHTING, HULK, STRUCK, GateOutcome, JumpOutcome, ShipStatus
from engine.core.phrase import joined_phrases, phrase
from engine.english import system_words
from engine.events.boarding import Captured, ColoursStruck, WonBack
from engine.events.damage import (
    Adrift,
    Damaged,
    Destroyed,
    Repaired,
    SystemChecked,
    SystemLost,
    Threshold,
)
from engine.events.detection import DummyFound
from engine.events.entered import Entered
from engine.events.event import Event
from engine.events.movement import JUMPED, FtlExit, LeftTable, Returned
from engine.events.orbits import CAME_DOWN, EnteredAtmosphere
from engine.pieces.gate import GatePassed
from engine.view.told_events import told_of_kinds

# What some events make of the ship they are about.
TURNED_INTO: dict[type[Event], ShipStatus] = {
    Destroyed: ShipStatus.DESTROYED,
    LeftTable: ShipStatus.LEFT,
    DummyFound: ShipStatus.SCANNED_AWAY,
    Adrift: HULK,
    WonBack: HULK,
    Captured: CAPTURED,
    ColoursStruck: STRUCK,
}
# What becomes of a ship that a gate has not put down anywhere.
GATE_ENDS = {
    GateOutcome.THROUGH: ShipStatus.FTL.label,
    GateOutcome.LOST: ShipStatus.DESTROYED.label,
}
READ = (
    *TURNED_INTO,
    *(FtlExit, GatePassed, EnteredAtmosphere, Returned, Entered),
    *(Damaged, Threshold, SystemChecked, SystemLost, Repaired),
)


@dataclass(frozen=True, slots=True)
class Fate:
    """A ship at the end, as far as the viewer saw.

    `how` is empty where it still fights. `kind`: the classification seen of a foreign ship; of
    one's own `drawn.with_hulls` says it, and the hull's strip.
    """

    key: str
    name: str
    cls: str
    kind: str
    own: bool
    damage: int
    lost: str
    how: str
    hull: Strip | None = None


@dataclass(slots=True)
class _Course:
    """What befell each ship, event by event: its end, its damage points, its lost systems."""

    ends: dict[str, str] = field(default_factory=dict)
    damage: dict[str, int] = field(default_factory=dict)
    lost: dict[str, list[str]] = field(default_factory=dict)

    def happen(self, event: Event) -> None:
        ship = event.subject
        end = _end_of(event)
        if end is not None:
            self.ends[ship] = end
        lost = self.lost.setdefault(ship, [])
        if isinstance(event, Entered):
            self.damage[ship] = event.damage
            self.lost[ship] = list(event.lost)
        elif isinstance(event, Damaged):
            self.damage[ship] = event.total
        elif isinstance(event, (Threshold, SystemChecked)):
            lost.extend(event.lost)
        elif isinstance(event, SystemLost):
            lost.append(event.system)
        elif isinstance(event, Repaired) and event.done and event.system in lost:
            lost.remove(event.system)


def _end_of(event: Event) -> str | None:
    """The end that an event puts to a ship, "" where it fights on after all, None where it says
    nothing of that.
    """
    if type(event) in TURNED_INTO:
        return TURNED_INTO[type(event)].label
    if isinstance(event, FtlExit) and event.outcome in JUMPED:
        exploded = event.outcome == JumpOutcome.EXPLODED
        return (ShipStatus.DESTROYED if exploded else ShipStatus.FTL).label
    if isinstance(event, GatePassed) and event.at is None:
        return next((end for outcome, end in GATE_ENDS.items() if outcome == event.outcome), "")
    if isinstance(event, EnteredAtmosphere) and event.outcome in CAME_DOWN:
        return ShipStatus.LANDED.label
    if isinstance(event, Returned):
        return ""
    if isinstance(event, Entered):
        return "" if event.status == FIGHTING else ShipStatus.words(event.status)
    return None


def fates(
    body: Mapping[str, Any], names: SideNames, classes: Mapping[str, str]
) -> tuple[Fate, ...]:
    """Every ship the viewer saw, with its end. `classes`: of the viewer's own ships by key."""
    stops = stops_of(body)
    course = _Course()
    for stop in stops:
        for event in told_of_kinds(stop["log"], *READ):
            course.happen(event)
    own = sorted({key for stop in stops for key in stop["own"]}, key=names.of)
    others: dict[str, str] = {}
    kinds: dict[str, str] = {}
    for stop in stops:
        others |= {
            str(contact["id"]): str(contact.get("class", contact["classification"]))
            for contact in stop["contacts"]
        }
        kinds |= {
            str(contact["id"]): str(contact["classification"]) for contact in stop["contacts"]
        }

    def fate(key: str, cls: str, mine: bool) -> Fate:
        gone = joined_phrases(", ", (system_words(system) for system in course.lost.get(key, ())))
        damage = course.damage.get(key, 0)
        how = course.ends.get(key, "")
        return Fate(key, names.of(key), cls, kinds.get(key, ""), mine, damage, gone, how)

    found = [
        fate(
            key,
            classes.get(
                key, phrase("decoy drone") if key in names.drones else phrase("ally's ship")
            ),
            True,
        )
        for key in own
    ]
    return (*found, *(fate(key, others[key], False) for key in sorted(others, key=names.of)))
