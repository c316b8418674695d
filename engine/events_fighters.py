"""What happened to fighters, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.events import OWN, Event


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
