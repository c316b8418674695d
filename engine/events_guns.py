"""What weapons that fire at more than one ship did, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.events import Event


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
