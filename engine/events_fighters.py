"""What happened to fighters, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.events import HULL, OWN, Event


@dataclass(frozen=True, slots=True)
class Launched(Event):
    """A group left its bay at the mid-point of its ship's move; the others call it `contact`."""

    kind: ClassVar[str] = "launched"
    ship: str
    group: str
    contact: str
    at: tuple[float, float]
    course: int
    craft: int


@dataclass(frozen=True, slots=True)
class FlightRefused(Event):
    """Orders that a group could not carry out, and why; it stays where it is."""

    kind: ClassVar[str] = "flight-refused"
    eyes: ClassVar[str] = OWN
    group: str
    order: str
    why: str


@dataclass(frozen=True, slots=True)
class Flown(Event):
    """A group's move: from where to where, and which way it faces then."""

    kind: ClassVar[str] = "flown"
    group: str
    path: tuple[tuple[float, float], ...]
    course: int


@dataclass(frozen=True, slots=True)
class DogfightBegun(Event):
    """A group has come into base contact with a hostile one, and that one stays to fight."""

    kind: ClassVar[str] = "dogfight"
    group: str
    target: str


@dataclass(frozen=True, slots=True)
class BrokeOff(Event):
    """A group gets away from all it was in base contact with; what they shot at it stands before."""

    kind: ClassVar[str] = "broke-off"
    group: str


@dataclass(frozen=True, slots=True)
class FightersFired(Event):
    """A group's fire for the turn at a ship or a group: range in MU, the target's screens, a die for each craft.

    `how`: strike (at a ship), range (at a group), dogfight, parting (at a group that gets away). `hits`: damage points
    for a ship, craft for a group; what they do follows.
    """

    kind: ClassVar[str] = "fighters-fired"
    group: str
    target: str
    how: str
    range: float
    screens: int
    dice: tuple[int, ...]
    hits: int


@dataclass(frozen=True, slots=True)
class PointDefence(Event):
    """One anti-fighter weapon's fire at one group: range in MU, its die, and the craft it hits."""

    kind: ClassVar[str] = "point-defence"
    ship: str
    weapon: str
    target: str
    range: float
    dice: tuple[int, ...]
    hits: int


@dataclass(frozen=True, slots=True)
class CraftLost(Event):
    """A group lost craft: how many, and how many it has left. `die` is the die that took them, 0 where none."""

    kind: ClassVar[str] = "craft-lost"
    group: str
    cause: str
    craft: int
    left: int
    die: int


@dataclass(frozen=True, slots=True)
class Recovered(Event):
    """Craft of a group came aboard a ship."""

    kind: ClassVar[str] = "recovered"
    eyes: ClassVar[str] = HULL
    ship: str
    group: str
    craft: int
