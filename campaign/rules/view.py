"""What one faction may know: the sheet handed back to it.

Built by `perceive`, never filtered out of the truth.

The public scenario is not in it. Everything in a View is the faction's own assets, the reports
addressed to it and the memory of what it saw.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from campaign.events.event import Facts
from campaign.kinds import StageKind, StageText
from campaign.rules.scenario import Choice, ShipClass
from campaign.rules.world import Answer, Cargo, Doctrine, Fleet, GroundDamage, Mark, Ship, Work

# With the values of which a View is made, so that who reads Views has no need of the module of the
# truth.
__all__ = [
    "Answer",
    "Asked",
    "Cargo",
    "Doctrine",
    "Fleet",
    "GroundDamage",
    "KnownSystem",
    "LostShip",
    "Mark",
    "Marker",
    "Notice",
    "Ship",
    "ShipClass",
    "Sighting",
    "Touch",
    "View",
    "Work",
]


SightingSource = Literal["scan", "battle", "withdrawal"]
SCAN: Final = "scan"
BATTLE: Final = "battle"
WITHDRAWAL: Final = "withdrawal"


@dataclass(frozen=True, slots=True)
class KnownSystem:
    """A system as this faction last knew it in `week`; `present`: it has ships or its settlement
    there now.
    """

    system: str
    week: int
    holder: str | None
    state: str
    superior: str | None
    present: bool


@dataclass(frozen=True, slots=True)
class Sighting:
    """What this faction last knew in `week` of `faction` at a hex: its contacts by classification.

    `source`: a long range scan, a battle there after it, or the foe's withdrawal from there.
    """

    week: int
    hex: str
    faction: str
    counts: tuple[tuple[str, int], ...]
    source: SightingSource = SCAN


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision asked of this faction now, toward one hostile faction at a hex; `default` is taken
    if none is sealed.

    `fixed`: given already with the orders, so not asked again.
    """

    hex: str
    toward: str
    default: Choice
    fixed: Choice | None = None


@dataclass(frozen=True, slots=True)
class Touch:
    """A hostile faction in contact with this one since an earlier week: stand-off or contested."""

    hex: str
    toward: str
    state: str


@dataclass(frozen=True, slots=True)
class Notice:
    """One line of this faction's report of a week: `code` names the kind, `facts` fill the
    words.
    """

    week: int
    stage: str
    code: str
    hex: str
    facts: Facts


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker that lies open on the map: whose, its number there, where it is and where it was a
    week before.

    Whether ships are behind it, and which, it does not say.
    """

    faction: str
    code: int
    hex: str
    was: str


@dataclass(frozen=True, slots=True)
class LostShip:
    """A ship of one's own that is gone. `cargo`: what was aboard and went with it."""

    name: str
    cls: str
    week: int
    hex: str
    how: str
    cargo: Cargo | None = None


@dataclass(frozen=True, slots=True)
class View:
    """A faction's view of the war: all that it knows after a stage, and is judged by."""

    faction: str
    week: int
    stage: StageText
    fleets: tuple[Fleet, ...]
    ships: tuple[Ship, ...]
    systems: tuple[KnownSystem, ...]
    sightings: tuple[Sighting, ...]
    asked: tuple[Asked, ...]
    in_contact: tuple[Touch, ...]
    fighting: tuple[str, ...]  # hexes where this faction has a battle this week
    losses: tuple[LostShip, ...]
    notices: tuple[Notice, ...]  # this stage's report
    result: str | None = None
    winner: str | None = None
    markers: tuple[Marker, ...] = ()  # of everybody, where markers are open
    marks: tuple[Mark, ...] = ()  # what others call this faction's own
    dummies: tuple[Fleet, ...] = ()  # its own counters without ships
    reserve: int = 0  # dummy counters it may still put on the map
    classes: tuple[
        ShipClass, ...
    ] = ()  # beyond the catalogue: of its own design, and those of its prizes
    works: tuple[Work, ...] = ()  # what its yards have to do, in that order
    funds: int = 0  # points it has to build with
    ground: tuple[GroundDamage, ...] = ()  # of its own targets now, of others as it saw them last

    @property
    def fleets_have_moved(self) -> bool:
        """Whether the stage comes after this week's moves."""
        return self.stage in (StageKind.DECISIONS, StageKind.BATTLES)
