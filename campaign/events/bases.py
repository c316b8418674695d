"""Events of bases and yards: repairs, stores, loads, ships launched and rebuilt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from campaign.events.event import Open, WeekEvent

HULL = "hull"  # is repaired by as many points as the die shows


@dataclass(frozen=True, slots=True)
class RepairAttempt(WeekEvent):
    """A base worked on a ship's `system`, or on its hull, and rolled `die`."""

    ship: Open[str]
    system: Open[str]
    die: Open[int]


@dataclass(frozen=True, slots=True)
class RepairSucceeded(RepairAttempt):
    """A repair succeeded."""

    code: ClassVar[str] = "repaired"


@dataclass(frozen=True, slots=True)
class RepairFailed(RepairAttempt):
    """A repair failed."""

    code: ClassVar[str] = "not-repaired"


@dataclass(frozen=True, slots=True)
class ShipReplenished(WeekEvent):
    """A ship's stores were replenished."""

    code: ClassVar[str] = "replenished"
    ship: Open[str]


@dataclass(frozen=True, slots=True)
class SystemRearmed(WeekEvent):
    """A system was loaded. `load`: empty for the load of its design."""

    code: ClassVar[str] = "rearmed"
    ship: Open[str]
    system: Open[str]
    load: Open[str]


@dataclass(frozen=True, slots=True)
class ShipBackInService(WeekEvent):
    """A ship that was laid up is back in service."""

    code: ClassVar[str] = "in-service"
    ship: Open[str]


@dataclass(frozen=True, slots=True)
class YardWork(WeekEvent):
    """A yard delivered a ship for `points`."""

    stored_as: ClassVar = {"ship_class": "class"}
    ship: Open[str]
    ship_class: Open[str]
    points: Open[int]


@dataclass(frozen=True, slots=True)
class ShipLaunched(YardWork):
    """A new ship was launched."""

    code: ClassVar[str] = "launched"


@dataclass(frozen=True, slots=True)
class ShipModified(YardWork):
    """A ship was rebuilt as another class."""

    code: ClassVar[str] = "modified"


@dataclass(frozen=True, slots=True)
class WorkDropped(WeekEvent):
    """A yard dropped work because the ship is gone."""

    code: ClassVar[str] = "work-dropped"
    stored_as: ClassVar = {"ship_class": "class"}
    ship: Open[str]
    ship_class: Open[str]
