"""What happened in a battle, as frozen values. Every roll stands in the event it caused; the log replays the battle.

`turn` counts from 1. Ships are named by their ids here: this is the umpire's log; `engine.view` tells it to one side.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar

OPEN, OWN, HULL = "open", "own", "hull"


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened. `kind` names it in the log.

    `eyes`: who learns of it. OPEN: everybody at the table; OWN: its ship's (or group's) side alone; HULL: everybody,
    but of a ship that is not identified only its own side.
    """

    kind: ClassVar[str] = "event"
    eyes: ClassVar[str] = OPEN
    turn: int

    def to_json(self) -> dict[str, Any]:
        return {"event": self.kind} | {f.name: _plain(getattr(self, f.name)) for f in fields(self)}


@dataclass(frozen=True, slots=True)
class OrderRefused(Event):
    """A plot the ship could not carry out; it holds course and speed instead."""

    kind: ClassVar[str] = "order-refused"
    eyes: ClassVar[str] = OWN
    ship: str
    order: str
    why: str


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A ship's move: the points of its path, where it ended, its course and velocity then."""

    kind: ClassVar[str] = "moved"
    ship: str
    path: tuple[tuple[float, float], ...]
    course: int
    velocity: int


@dataclass(frozen=True, slots=True)
class LeftTable(Event):
    """A ship crossed an edge at a point; `die` decides its return (`due` is the turn, 0: never)."""

    kind: ClassVar[str] = "left-table"
    ship: str
    edge: str
    at: tuple[float, float]
    die: int
    due: int


@dataclass(frozen=True, slots=True)
class GaveUp(Event):
    """A ship off the table that could have returned stays away for good."""

    kind: ClassVar[str] = "gave-up"
    ship: str


@dataclass(frozen=True, slots=True)
class Returned(Event):
    """A ship came back over the edge it had left by; its move follows."""

    kind: ClassVar[str] = "returned"
    ship: str
    at: tuple[float, float]
    course: int


@dataclass(frozen=True, slots=True)
class FtlWarming(Event):
    """A ship is seen to warm up its FTL drive; it leaves in the middle of its next move."""

    kind: ClassVar[str] = "ftl-warming"
    ship: str


@dataclass(frozen=True, slots=True)
class FtlExit(Event):
    """The moment of FTL entry at `at`. `outcome`: safe, failed, no-drive, blast-others, strained, exploded.

    `die` is 0 where none was needed. `near`: the ships within 6 MU; the damage they take follows.
    """

    kind: ClassVar[str] = "ftl-exit"
    ship: str
    at: tuple[float, float]
    near: tuple[str, ...]
    die: int
    outcome: str


@dataclass(frozen=True, slots=True)
class Revealed(Event):
    """A bogey was identified: the contact is this ship, of this class. `by` names a ship that scanned it."""

    kind: ClassVar[str] = "revealed"
    ship: str
    contact: str
    cls: str
    by: str


@dataclass(frozen=True, slots=True)
class DummyFound(Event):
    """A contact was scanned and found to be a drone; it is taken off the table."""

    kind: ClassVar[str] = "dummy-found"
    ship: str
    contact: str
    by: str


@dataclass(frozen=True, slots=True)
class Initiative(Event):
    """The dice for who fires first among sides with equally many ships, and the order that follows."""

    kind: ClassVar[str] = "initiative"
    rolls: tuple[tuple[str, int], ...]
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ArcRolled(Event):
    """A target on the line between two arcs: the die and the arc it gave."""

    kind: ClassVar[str] = "arc"
    ship: str
    target: str
    die: int
    arc: str


@dataclass(frozen=True, slots=True)
class Shot(Event):
    """One battery's fire at one target: range in MU, the target's screens, the dice and the damage points they make."""

    kind: ClassVar[str] = "shot"
    ship: str
    weapon: str
    target: str
    range: float
    arc: str
    screens: int
    dice: tuple[int, ...]
    hits: int


@dataclass(frozen=True, slots=True)
class ShotRefused(Event):
    """A weapon that had orders and did not fire, and why."""

    kind: ClassVar[str] = "shot-refused"
    eyes: ClassVar[str] = OWN
    ship: str
    weapon: str
    targets: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Damaged(Event):
    """Damage points marked off: `points` of them, `total` marked now. `die` is the die that made them, 0 where none."""

    kind: ClassVar[str] = "damaged"
    eyes: ClassVar[str] = HULL
    ship: str
    cause: str
    points: int
    total: int
    die: int


@dataclass(frozen=True, slots=True)
class Threshold(Event):
    """A threshold check: the row that ended (from 1), the die that loses a system, each system's die, what was lost."""

    kind: ClassVar[str] = "threshold"
    eyes: ClassVar[str] = HULL
    ship: str
    row: int
    loses_on: int
    rolls: tuple[tuple[str, int], ...]
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Destroyed(Event):
    kind: ClassVar[str] = "destroyed"
    ship: str
    cause: str


@dataclass(frozen=True, slots=True)
class TurnEnded(Event):
    """The end of a turn's fire."""

    kind: ClassVar[str] = "turn-ended"


@dataclass(frozen=True, slots=True)
class BattleOver(Event):
    """No two hostile sides are left in play, or the last turn is over. `winner`: the side left alone, else None."""

    kind: ClassVar[str] = "battle-over"
    winner: str | None
    why: str


Sink = Callable[[Event], None]


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value
