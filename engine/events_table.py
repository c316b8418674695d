"""What happens on the table itself, as frozen values: asteroids, rams, arrivals from FTL space, docking, the chase."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.events import OWN, Event


@dataclass(frozen=True, slots=True)
class Drifted(Event):
    """The asteroids drifted: where each is now (name, x, y), and the names of those that left the table."""

    kind: ClassVar[str] = "drifted"
    rocks: tuple[tuple[str, float, float], ...]
    gone: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Avoided(Event):
    """A ship met an asteroid and got by: the die (0: none was needed) and what it had to reach."""

    kind: ClassVar[str] = "avoided"
    ship: str
    rock: str
    die: int
    needs: int


@dataclass(frozen=True, slots=True)
class Crashed(Event):
    """A ship met an asteroid and did not get by; its end follows. `die` is 0 where none could have saved it."""

    kind: ClassVar[str] = "crashed"
    ship: str
    rock: str
    die: int
    needs: int


@dataclass(frozen=True, slots=True)
class RockShot(Event):
    """A weapon's fire at an asteroid: the range in MU, its dice and the damage points they made."""

    kind: ClassVar[str] = "rock-shot"
    ship: str
    weapon: str
    rock: str
    range: float
    dice: tuple[int, ...]
    hits: int


@dataclass(frozen=True, slots=True)
class RockDamaged(Event):
    """Damage points marked off an asteroid: `points` of them, `total` marked now."""

    kind: ClassVar[str] = "rock-damaged"
    rock: str
    cause: str
    points: int
    total: int


@dataclass(frozen=True, slots=True)
class RockBroken(Event):
    """An asteroid fell to pieces: each chunk's name, radius in MU, course and speed."""

    kind: ClassVar[str] = "rock-broken"
    rock: str
    chunks: tuple[tuple[str, float, int, int], ...]


@dataclass(frozen=True, slots=True)
class RamTried(Event):
    """A ram that was ordered, and how far it came.

    `outcome`: far (not within 2 MU), refused (`will` below `needs`: its crew would not), evaded, rammed. `dice`: the
    attacker's and the target's; the sums with the thrust ratings decide. `blows`: the dice of what they did to each
    other.
    """

    kind: ClassVar[str] = "ram"
    ship: str
    target: str
    outcome: str
    will: int
    needs: int
    dice: tuple[int, ...]
    sums: tuple[int, ...]
    blows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Arrived(Event):
    """A ship dropped out of FTL: where it meant to, which way and how far it strayed, where it is.

    `dice`: of the distance. `on_table` False: it came out beyond the edge and takes no part.
    """

    kind: ClassVar[str] = "arrived"
    ship: str
    meant: tuple[float, float]
    direction: int
    dice: tuple[int, ...]
    at: tuple[float, float]
    course: int
    velocity: int
    on_table: bool


@dataclass(frozen=True, slots=True)
class Escaped(Event):
    """A ship crossed its jump edge and is away under FTL."""

    kind: ClassVar[str] = "escaped"
    ship: str
    edge: str
    at: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Docking(Event):
    """How far a ship is with an installation: alongside, docked, berthed (in an internal bay), casting-off or free."""

    kind: ClassVar[str] = "docking"
    ship: str
    near: str
    step: str


@dataclass(frozen=True, slots=True)
class DockingMissed(Event):
    """A ship that was to come alongside did not, and why."""

    kind: ClassVar[str] = "docking-missed"
    eyes: ClassVar[str] = OWN
    ship: str
    near: str
    why: str


@dataclass(frozen=True, slots=True)
class TableMoved(Event):
    """Everything on the table was moved by so many MU, so that the battle goes on. `gone`: pieces left behind."""

    kind: ClassVar[str] = "table-moved"
    by_x: float
    by_y: float
    gone: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Disengaged(Event):
    """A side that left over one edge tries to get away: each side's die and sum, and what came of it.

    `outcome`: away, let-go (it could have been pursued) or pursued.
    """

    kind: ClassVar[str] = "disengaged"
    side: str
    edge: str
    rolls: tuple[tuple[str, int, int], ...]
    outcome: str


@dataclass(frozen=True, slots=True)
class LeftBehind(Event):
    """A ship, or a drone, that is no part of the pursuit."""

    kind: ClassVar[str] = "left-behind"
    ship: str


@dataclass(frozen=True, slots=True)
class Placed(Event):
    """Where a ship stands as the pursuit begins."""

    kind: ClassVar[str] = "placed"
    ship: str
    at: tuple[float, float]
    course: int
    velocity: int


@dataclass(frozen=True, slots=True)
class GroupPlaced(Event):
    """Where a fighter group is as the pursuit begins."""

    kind: ClassVar[str] = "group-placed"
    group: str
    at: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Cleared(Event):
    """Mines, asteroids and templates are out of sight as the pursuit begins."""

    kind: ClassVar[str] = "cleared"
