"""The View: all that one faction may know.

`campaign.rules.perception` builds it; it is never filtered out of the truth. It contains the
faction's own assets, the reports addressed to it, and the memory of what it saw, but not the public
scenario.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from campaign.events.event import Facts
from campaign.kinds import StageKind, StageText
from campaign.rules.scenario import Choice, ShipClass
from campaign.rules.world import (
    Answer,
    Cargo,
    Delivery,
    Doctrine,
    Fleet,
    GroundDamage,
    LateFleet,
    Mark,
    ObjectiveState,
    Ship,
    Work,
)

# Includes the values of which a View is made, so that readers of Views need not import the module
# of the truth.
__all__ = [
    "Answer",
    "Cargo",
    "Delivery",
    "Doctrine",
    "Fleet",
    "GroundDamage",
    "HostileContact",
    "KnownGoods",
    "KnownMine",
    "KnownStation",
    "KnownSystem",
    "LateFleet",
    "LostShip",
    "Mark",
    "Marker",
    "Notice",
    "ObjectiveState",
    "OpenDecision",
    "SetUpSheet",
    "Ship",
    "ShipClass",
    "Sighting",
    "View",
    "Work",
]


SightingSource = Literal["scan", "battle", "withdrawal", "report"]
SCAN: Final = "scan"
BATTLE: Final = "battle"
WITHDRAWAL: Final = "withdrawal"
REPORT: Final = "report"


@dataclass(frozen=True, slots=True)
class KnownSystem:
    """A system as the faction last knew it, in `week`.

    Attributes:
        present: Whether the faction has ships or a settlement there now.
    """

    system: str
    week: int
    holder: str | None
    state: str
    superior: str | None
    present: bool


@dataclass(frozen=True, slots=True)
class KnownGoods:
    """The goods of one kind in a system, as the faction last knew them in `week`."""

    system: str
    what: str
    amount: int
    week: int


@dataclass(frozen=True, slots=True)
class KnownStation:
    """A station as the faction last knew it, in `week`.

    Attributes:
        key: `Station.key`.
        faction: The faction that has it; "": it is destroyed.
        damage: Its lost damage points; None: not known.
        lost_gates: Its gate systems that do not work.
    """

    key: str
    system: str
    faction: str
    damage: int | None
    week: int
    lost_gates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KnownMine:
    """A mine as the faction last knew it in `week`, with its place as in `Mine`.

    Attributes:
        faction: The faction itself if the mine is its own; else "", because a marker on the table
            does not tell whose mine it is.
    """

    system: str
    faction: str
    x: int
    y: int
    week: int


@dataclass(frozen=True, slots=True)
class Sighting:
    """What the faction last knew, in `week`, of another faction at a hex.

    Attributes:
        counts: The contacts by classification.
        source: A long range scan, a later battle there, the foe's withdrawal from there, or the
            umpire's report.
    """

    week: int
    hex: str
    faction: str
    counts: tuple[tuple[str, int], ...]
    source: SightingSource = SCAN


@dataclass(frozen=True, slots=True)
class OpenDecision:
    """A decision that the faction has to make now toward one hostile faction at a hex.

    Attributes:
        default: The choice if none is sealed.
        fixed: The choice that was given with the orders already; None: it is open.
    """

    hex: str
    toward: str
    default: Choice
    fixed: Choice | None = None


@dataclass(frozen=True, slots=True)
class HostileContact:
    """A hostile faction in contact since an earlier week, in stand-off or contested."""

    hex: str
    toward: str
    state: str


@dataclass(frozen=True, slots=True)
class Notice:
    """A line of the faction's report of a week.

    Attributes:
        code: The kind of event.
        facts: The facts that fill its sentence.
    """

    week: int
    stage: str
    code: str
    hex: str
    facts: Facts


@dataclass(frozen=True, slots=True)
class Marker:
    """A public marker on the map: its faction, number, hex, and hex a week before.

    It does not reveal whether there are ships behind it, or which.
    """

    faction: str
    code: int
    hex: str
    previous_hex: str


@dataclass(frozen=True, slots=True)
class SetUpSheet:
    """What the faction knows of a battle before it sets up for it.

    Attributes:
        hex: Where the battle is fought.
        side: The name of the faction's side.
        file: The battle file with the zones of all sides and the faction's own ships, in the places
            of the captain's proposal, as JSON text. It has neither ships of others nor the designs
            of its own (`campaign.rules.set_up_sheets`).
    """

    hex: str
    side: str
    file: str


@dataclass(frozen=True, slots=True)
class LostShip:
    """A ship of the faction that is gone. `cargo` was lost with it."""

    name: str
    cls: str
    week: int
    hex: str
    cause: str
    cargo: Cargo | None = None


@dataclass(frozen=True, slots=True)
class View:
    """All that a faction knows of the war after a stage, and by which its orders are judged."""

    faction: str
    week: int
    stage: StageText
    fleets: tuple[Fleet, ...]
    ships: tuple[Ship, ...]
    systems: tuple[KnownSystem, ...]
    sightings: tuple[Sighting, ...]
    open_decisions: tuple[OpenDecision, ...]
    in_contact: tuple[HostileContact, ...]
    fighting: tuple[str, ...]  # hexes where the faction has a battle this week
    losses: tuple[LostShip, ...]
    notices: tuple[Notice, ...]  # the report of this stage
    result: str | None = None
    winner: str | None = None
    markers: tuple[Marker, ...] = ()  # of all factions, if markers are open
    marks: tuple[Mark, ...] = ()  # of its own fleets and dummies, as others know them
    dummies: tuple[Fleet, ...] = ()  # its own counters without ships
    reserve: int = 0  # dummy counters that it may still place on the map
    classes: tuple[ShipClass, ...] = ()  # beyond the catalogue: its own designs and its prizes
    works: tuple[Work, ...] = ()  # of its yards, in order
    funds: int = 0  # points for building ships
    ground: tuple[GroundDamage, ...] = ()  # of its own targets now, of others as last seen
    goods: tuple[KnownGoods, ...] = ()  # sorted by system and name
    deliveries: tuple[Delivery, ...] = ()  # its own, in their order
    late: tuple[LateFleet, ...] = ()  # its own fleets that arrive in a later week
    # Its own objectives, as far as it knows; after the war those of all factions.
    objectives: tuple[ObjectiveState, ...] = ()
    set_ups: tuple[SetUpSheet, ...] = ()  # of its battles this week, if sides set up for them
    stations: tuple[KnownStation, ...] = ()  # in the order of the scenario
    mines: tuple[KnownMine, ...] = ()  # its own now, those of others as last seen; sorted

    @property
    def fleets_have_moved(self) -> bool:
        """Return whether the stage comes after this week's moves."""
        return self.stage in (StageKind.DECISIONS, StageKind.BATTLES)
