"""What defences did, as frozen values: cloaks, fields that give fire back, armour that mends, charges that go off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.events import HULL, Event


@dataclass(frozen=True, slots=True)
class Cloaked(Event):
    """A ship hides: `how` device (its model stays, fire control hardly finds it) or field (it vanishes at `at`)."""

    kind: ClassVar[str] = "cloaked"
    ship: str
    at: tuple[float, float]
    how: str


@dataclass(frozen=True, slots=True)
class Decloaked(Event):
    """A ship shows itself again, at `at` and on a course. `why`: time, speed, damaged, over (the battle)."""

    kind: ClassVar[str] = "decloaked"
    ship: str
    at: tuple[float, float]
    course: int
    why: str


@dataclass(frozen=True, slots=True)
class Regenerated(Event):
    """Regenerative armour at a turn's end: the dice of its damaged boxes, what is left of each layer (standard,
    regenerative) now, and the boxes of each layer beyond repair; layers innermost first.
    """

    kind: ClassVar[str] = "regenerated"
    eyes: ClassVar[str] = HULL
    ship: str
    dice: tuple[int, ...]
    armour: tuple[tuple[int, int], ...]
    scarred: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ChargeRolled(Event):
    """Damaged suicide charges at a turn's end: the die of each, and which go off."""

    kind: ClassVar[str] = "charge"
    eyes: ClassVar[str] = HULL
    ship: str
    rolls: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Detonated(Event):
    """Suicide charges go off: these systems of a ship are gone for good; the damage they do follows."""

    kind: ClassVar[str] = "detonated"
    ship: str
    at: tuple[float, float]
    charges: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Burned(Event):
    """The dice of an explosion to one ship, the levels of screens that weakened them, and the points they make."""

    kind: ClassVar[str] = "burned"
    eyes: ClassVar[str] = HULL
    ship: str
    cause: str
    dice: tuple[int, ...]
    screens: int
    points: int


@dataclass(frozen=True, slots=True)
class Reflected(Event):
    """A reflex field under fire of energy weapons: its die, the points they made, those taken and those returned."""

    kind: ClassVar[str] = "reflected"
    ship: str
    by: str
    die: int
    points: int
    taken: int
    returned: int
