"""What weapons that fire at more than one ship did, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.events import HULL, Event


@dataclass(frozen=True, slots=True)
class Swept(Event):
    """A beam or a wave runs across the table: the ends of its stages, the ship's place first, and the radius of each
    stage in MU. What it does to each ship it touches follows.
    """

    kind: ClassVar[str] = "swept"
    ship: str
    weapon: str
    path: tuple[tuple[float, float], ...]
    radii: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class FlakBurst(Event):
    """A shell of flak goes off at a point; what it does to each ship within its radius (MU) follows."""

    kind: ClassVar[str] = "flak"
    ship: str
    weapon: str
    at: tuple[float, float]
    radius: float


@dataclass(frozen=True, slots=True)
class Struck(Event):
    """What sweeps or bursts strikes a ship that is not identified: as `GunFired` tells it of others. What the dice say
    of its screens and its mass its own side alone reads.
    """

    kind: ClassVar[str] = "struck"
    eyes: ClassVar[str] = HULL
    ship: str
    by: str
    weapon: str
    range: float
    screens: int
    dice: tuple[int, ...]
    damage: tuple[int, ...]
    hits: int
