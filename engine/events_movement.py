"""What Continuum adds to the log of movement, as frozen values: emergency thrust, squadrons, arrivals announced."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.events import HULL, Event


@dataclass(frozen=True, slots=True)
class EmergencyThrust(Event):
    """A ship tries more thrust than its drive is made for: the dice, what they score, what came of it.

    `outcome`: held, strained (it flies so, and the drive is hit), failed (it does not, and the drive is hit) or
    burnt-out (likewise, twice). `hits`: how many of these its drive had left to take.
    """

    kind: ClassVar[str] = "emergency-thrust"
    eyes: ClassVar[str] = HULL
    ship: str
    dice: tuple[int, ...]
    score: int
    outcome: str
    hits: int


@dataclass(frozen=True, slots=True)
class InSquadron(Event):
    """A ship falls in with the one that leads its squadron (`by`), or leaves it (""): everybody is told."""

    kind: ClassVar[str] = "squadron"
    ship: str
    by: str


@dataclass(frozen=True, slots=True)
class EntryAnnounced(Event):
    """A ship will drop out of FTL this turn: where it means to."""

    kind: ClassVar[str] = "ftl-entry"
    ship: str
    at: tuple[float, float]
