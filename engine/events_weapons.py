"""What ordnance, needle beams and the nova cannon did, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.events import HULL, OWN, Event


@dataclass(frozen=True, slots=True)
class TorpedoFired(Event):
    """One torpedo at one target: range in MU, the die that hits, the die thrown, and the damage points (0: a miss)."""

    kind: ClassVar[str] = "torpedo"
    ship: str
    weapon: str
    target: str
    range: float
    needed: int
    die: int
    hits: int


@dataclass(frozen=True, slots=True)
class NeedleFired(Event):
    """One shot at one system of a target: range in MU and the die. Whether it hit shows when the damage is marked."""

    kind: ClassVar[str] = "needle"
    ship: str
    weapon: str
    target: str
    system: str
    range: float
    die: int


@dataclass(frozen=True, slots=True)
class SystemLost(Event):
    """A system knocked out by itself: no row of the damage track ended for it."""

    kind: ClassVar[str] = "system-lost"
    eyes: ClassVar[str] = HULL
    ship: str
    system: str
    cause: str


@dataclass(frozen=True, slots=True)
class PackFired(Event):
    """A submunition pack at one target: range in MU, the dice and the damage points they make. The pack is gone."""

    kind: ClassVar[str] = "pack"
    ship: str
    weapon: str
    target: str
    range: float
    arc: str
    dice: tuple[int, ...]
    hits: int


@dataclass(frozen=True, slots=True)
class NovaArmed(Event):
    """A ship puts all its power into its nova cannon: no thrust, no screens, no other weapon this turn."""

    kind: ClassVar[str] = "nova-armed"
    eyes: ClassVar[str] = HULL
    ship: str


@dataclass(frozen=True, slots=True)
class NovaFired(Event):
    """A nova cannon fires: `template` names what burns from now on, `path` and `radius` (MU) what it sweeps."""

    kind: ClassVar[str] = "nova-fired"
    ship: str
    weapon: str
    template: str
    path: tuple[tuple[float, float], ...]
    radius: float
    course: int


@dataclass(frozen=True, slots=True)
class NovaMoved(Event):
    """A template, larger now, moves on: what it sweeps, and in which of its turns (2, 3; after the third it is out)."""

    kind: ClassVar[str] = "nova-moved"
    template: str
    path: tuple[tuple[float, float], ...]
    radius: float
    age: int


@dataclass(frozen=True, slots=True)
class NovaStruck(Event):
    """A ship swept by a template that another fired: the dice, and so the damage points."""

    kind: ClassVar[str] = "nova-struck"
    eyes: ClassVar[str] = HULL
    ship: str
    by: str
    template: str
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NovaAtRock(Event):
    """An asteroid that can be broken, swept by a template: the dice, and so the damage points."""

    kind: ClassVar[str] = "nova-at-rock"
    rock: str
    by: str
    template: str
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MineBurnt(Event):
    """A mine that a template swept is gone without going off; the side of the ship that laid it alone hears of it."""

    kind: ClassVar[str] = "mine-burnt"
    eyes: ClassVar[str] = OWN
    ship: str
    mine: str
