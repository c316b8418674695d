"""What happened on the field between the ships: mines, active sensors, and what passed for something else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.events import HULL, OWN, Event


@dataclass(frozen=True, slots=True)
class MineLaid(Event):
    """A ship laid a mine at a point of its path, from the minelayer `fit`; its own side alone knows."""

    kind: ClassVar[str] = "mine-laid"
    eyes: ClassVar[str] = OWN
    ship: str
    fit: str
    mine: str
    at: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Sweeping(Event):
    """A ship's minesweepers are active this turn; its offensive weapons are not."""

    kind: ClassVar[str] = "sweeping"
    eyes: ClassVar[str] = OWN
    ship: str


@dataclass(frozen=True, slots=True)
class MineSwept(Event):
    """A minesweeper's die for a mine at `at`. `outcome`: detonates, missed (it lies there still, known to all), swept.

    The detonation, where there is one, follows. Only its layer's side knows which `mine` it was.
    """

    kind: ClassVar[str] = "mine-swept"
    ship: str
    mine: str
    at: tuple[float, float]
    die: int
    outcome: str


@dataclass(frozen=True, slots=True)
class MineDetonated(Event):
    """The mine at `at` went off at a ship (`near`) and is gone. Only its layer's side knows which `mine` it was."""

    kind: ClassVar[str] = "mine-detonated"
    mine: str
    at: tuple[float, float]
    near: str


@dataclass(frozen=True, slots=True)
class MineFired(Event):
    """The dice of a mine at a ship, the screens they met and the damage points they make."""

    kind: ClassVar[str] = "mine-fired"
    eyes: ClassVar[str] = HULL
    ship: str
    screens: int
    dice: tuple[int, ...]
    hits: int


@dataclass(frozen=True, slots=True)
class Scanning(Event):
    """A ship's active sensors are working: everybody notices."""

    kind: ClassVar[str] = "scanning"
    ship: str


@dataclass(frozen=True, slots=True)
class ScanFailed(Event):
    """A contact that an active scan was to identify and did not, and why."""

    kind: ClassVar[str] = "scan-failed"
    eyes: ClassVar[str] = OWN
    ship: str
    target: str
    why: str


@dataclass(frozen=True, slots=True)
class Uncovered(Event):
    """A Q ship has shown what it is: `cls` is its true class. `why`: fires, scans, sweeps, moves or jumps.

    Nobody can tell it of a contact that is not identified; what identifies it then names the true class.
    """

    kind: ClassVar[str] = "uncovered"
    eyes: ClassVar[str] = HULL
    ship: str
    cls: str
    why: str
