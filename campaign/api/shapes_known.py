"""What the API tells a faction of what it knows, as types: the map, views, reports and battles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from campaign.rules.scenario import Link, StarSystem
from campaign.rules.view import Asked, Fleet, Marker, Ship, Sighting, StageKind, Touch, View


@dataclass(frozen=True, slots=True)
class MapSheet:
    """The public map: hexes CCRR, flat top, odd columns up."""

    columns: int
    rows: int
    hexes_per_week: int
    systems: list[StarSystem]
    links: list[Link]
    closed: list[str]


@dataclass(frozen=True, slots=True)
class Step:
    hex: str
    steps: int


@dataclass(frozen=True, slots=True)
class ReachSheet:
    fleet: str
    hexes: list[Step]


@dataclass(frozen=True, slots=True)
class ViewSheet:
    """All a faction knew when the stage of `view` stood open."""

    seq: int
    view: View


@dataclass(frozen=True, slots=True)
class FleetList:
    """`dummies`: the caller's dummy counters, where markers are open."""

    week: int
    stage: StageKind
    fleets: tuple[Fleet, ...]
    dummies: tuple[Fleet, ...]


@dataclass(frozen=True, slots=True)
class ShipList:
    week: int
    stage: StageKind
    ships: tuple[Ship, ...]


@dataclass(frozen=True, slots=True)
class ContactSheet:
    """What was scanned, who is in contact, what is asked, and where a battle is to be fought.

    `markers`: everybody's, where they are open.
    """

    week: int
    stage: StageKind
    sightings: tuple[Sighting, ...]
    in_contact: tuple[Touch, ...]
    asked: tuple[Asked, ...]
    fighting: tuple[str, ...]
    markers: tuple[Marker, ...]


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A report addressed to the caller's faction. `stage`: the stage it tells of."""

    id: str
    seq: int
    week: int
    stage: str
    kind: Literal["stage", "battle"]


@dataclass(frozen=True, slots=True)
class ReportList:
    reports: list[ReportLine]


@dataclass(frozen=True, slots=True)
class ReportSheet:
    """A report. A stage's body has `notices`, a battle's what the battle resource tells."""

    id: str
    seq: int
    week: int
    stage: str
    kind: Literal["stage", "battle"]
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class BattleLine:
    """A battle the caller's faction was in. `side`: its side's name; `winner`: a side's name or null."""

    id: str
    seq: int
    week: int
    hex: str
    side: str
    turns: int
    winner: str | None


@dataclass(frozen=True, slots=True)
class BattleList:
    battles: list[BattleLine]


@dataclass(frozen=True, slots=True)
class BattleSheet:
    """A battle as the caller's side saw it: `stops` one by one, `chain` their hashes."""

    id: str
    seq: int
    week: int
    hex: str
    side: str
    turns: int
    winner: str | None
    chain: list[str]
    stops: list[dict[str, Any] | None]
