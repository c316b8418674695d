"""Point defence by level: the dice of the weapons that guard a ship, and the resulting level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.events.event import Audience, Event, GroupRef, Open, ShipRef, UnitRefs


@dataclass(frozen=True, slots=True)
class DefenceLevelRolled(Event):
    """A weapon's dice and hits for the point defence level of a ship (`guarded`)."""

    kind: ClassVar[str] = "defence-level-rolled"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    guarded: ShipRef
    dice: Open[tuple[int, ...]]
    hits: Open[int]


@dataclass(frozen=True, slots=True)
class DefenceLevel(Event):
    """The point defence level of a ship for this turn, and the lower one against salvo missiles."""

    kind: ClassVar[str] = "defence-level"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    level: Open[int]
    at_salvoes: Open[int]


@dataclass(frozen=True, slots=True)
class ScreeningCraftFired(Event):
    """The dice and hits of craft for the point defence level of a ship that they screen."""

    kind: ClassVar[str] = "screening-craft-fired"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    guarded: ShipRef
    dice: Open[tuple[int, ...]]
    hits: Open[int]


@dataclass(frozen=True, slots=True)
class CraftCaught(Event):
    """A ship's point defence dice at groups of one type that attacked it, and all their losses."""

    kind: ClassVar[str] = "craft-caught"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    groups: UnitRefs
    dice: Open[tuple[int, ...]]
    craft: Open[int]
