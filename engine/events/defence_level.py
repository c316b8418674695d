"""Point defence by level: what the weapons that guard a ship throw, and the level that makes
against all attacks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.events.event import Audience, Event, GroupRef, Open, ShipRef, UnitRefs


@dataclass(frozen=True, slots=True)
class LevelThrown(Event):
    """A weapon's dice for the point defence level of a ship (`guarded`), its own or another: the
    hits they make.
    """

    kind: ClassVar[str] = "level-thrown"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    guarded: ShipRef
    dice: Open[tuple[int, ...]]
    hits: Open[int]


@dataclass(frozen=True, slots=True)
class DefenceLevel(Event):
    """The point defence level of a ship for this turn, and the lower one that its salvoes of
    missiles meet.
    """

    kind: ClassVar[str] = "defence-level"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    level: Open[int]
    at_salvoes: Open[int]


@dataclass(frozen=True, slots=True)
class ScreenThrown(Event):
    """The dice of craft for the level of the ship that they screen (`guarded`): the hits they
    make.
    """

    kind: ClassVar[str] = "screen-thrown"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    guarded: ShipRef
    dice: Open[tuple[int, ...]]
    hits: Open[int]


@dataclass(frozen=True, slots=True)
class CraftCaught(Event):
    """The dice of a ship's point defence for groups of one type that attacked it: the craft they
    lose together.
    """

    kind: ClassVar[str] = "craft-caught"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    groups: UnitRefs
    dice: Open[tuple[int, ...]]
    craft: Open[int]
