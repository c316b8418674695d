"""Events of bases and yards: repairs, replenishment, loads, ships launched and modified."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from campaign.events.event import Audience, Open, WeekEvent

HULL = "hull"  # repaired by as many damage points as the die shows


@dataclass(frozen=True, slots=True)
class RepairAttempt(WeekEvent):
    """A base's attempt to repair a ship's `system` or its hull, with the `die` rolled."""

    ship: Open[str]
    system: Open[str]
    die: Open[int]


@dataclass(frozen=True, slots=True)
class RepairSucceeded(RepairAttempt):
    """A repair that succeeded."""

    code: ClassVar[str] = "repaired"


@dataclass(frozen=True, slots=True)
class RepairFailed(RepairAttempt):
    """A repair that failed."""

    code: ClassVar[str] = "not-repaired"


@dataclass(frozen=True, slots=True)
class ShipReplenished(WeekEvent):
    """A ship whose stores were replenished."""

    code: ClassVar[str] = "replenished"
    ship: Open[str]


@dataclass(frozen=True, slots=True)
class SystemRearmed(WeekEvent):
    """A system that was loaded. `load` is empty for the load of its design."""

    code: ClassVar[str] = "rearmed"
    ship: Open[str]
    system: Open[str]
    load: Open[str]


@dataclass(frozen=True, slots=True)
class ShipBackInService(WeekEvent):
    """A ship that is no longer laid up."""

    code: ClassVar[str] = "in-service"
    ship: Open[str]


@dataclass(frozen=True, slots=True)
class YardWork(WeekEvent):
    """A ship that a yard delivered for `points`."""

    stored_as: ClassVar = {"ship_class": "class"}
    ship: Open[str]
    ship_class: Open[str]
    points: Open[int]


@dataclass(frozen=True, slots=True)
class ShipLaunched(YardWork):
    """A new ship that was launched."""

    code: ClassVar[str] = "launched"


@dataclass(frozen=True, slots=True)
class ShipModified(YardWork):
    """A ship that was rebuilt as another class."""

    code: ClassVar[str] = "modified"


@dataclass(frozen=True, slots=True)
class WorkDropped(WeekEvent):
    """Work that a yard dropped because the ship is gone."""

    code: ClassVar[str] = "work-dropped"
    stored_as: ClassVar = {"ship_class": "class"}
    ship: Open[str]
    ship_class: Open[str]


@dataclass(frozen=True, slots=True)
class StationSeen(WeekEvent):
    """The state of a station after a battle in which it was hit, as all who fought there saw it.

    Attributes:
        station: `Station.key`.
        name: Its name at the start of the war.
        faction: The faction that has it after the battle; "": it is destroyed.
        damage: Its lost damage points.
        points: Its damage points when it is whole.
        lost_gates: Its gate systems that do not work, separated by spaces.
    """

    code: ClassVar[str] = "station-seen"
    heard_by: ClassVar[Audience] = Audience.OTHERS
    station: Open[str]
    system: Open[str]
    name: Open[str]
    faction: Open[str]
    damage: Open[int]
    points: Open[int]
    lost_gates: Open[str]
