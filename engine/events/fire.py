"""The fire of ships: initiative, arcs, every weapon's dice, what was refused, what sweeps across
the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.core.reason import reason
from engine.core.state import BattleState
from engine.events.event import (
    Audience,
    Event,
    LogOrder,
    Open,
    ReasonText,
    ShipRef,
    UnitRef,
    UnitRefs,
)

NO_TARGET = reason("no-target-range-arcs", "no target in range, in its arcs and in sight")
NO_SYSTEM = reason(
    "no-target-range-arc",
    "no target in range, in its arc and in sight has that system in working order",
)
OUT_OF_ACTION = reason("out-of-action", "it is out of action")
ALREADY_USED = reason("been-fired", "it has been fired")
SWEEPING = reason("ship-minesweepers-active", "its ship's minesweepers are active")
ALREADY_FIRED = reason("has-fired", "it has fired this turn")
NO_WEAPONS = reason("no-weapons", "a drone has no weapons")
MADE_FAST = reason("docked-cannot-fire", "a docked ship cannot fire")


@dataclass(frozen=True, slots=True)
class Initiative(Event):
    """The dice for who fires first among sides with equally many ships, and the order that
    follows.
    """

    kind: ClassVar[str] = "initiative"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    rolls: Open[tuple[tuple[str, int], ...]]
    order: Open[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class ArcRolled(Event):
    """A target on the line between two arcs: the die and the arc it gave."""

    kind: ClassVar[str] = "arc"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: UnitRef
    target: UnitRef
    die: Open[int]
    arc: Open[str]


@dataclass(frozen=True, slots=True)
class BeamsFired(Event):
    """One battery's fire at one target: range in MU, the target's screens, the dice and the damage
    points they make.
    """

    kind: ClassVar[str] = "shot"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    target: UnitRef
    range: Open[float]
    arc: Open[str]
    screens: Open[int]
    dice: Open[tuple[int, ...]]
    hits: Open[int]


@dataclass(frozen=True, slots=True)
class TorpedoFired(Event):
    """One torpedo at one target: range in MU, the die that hits, the die thrown, and the damage
    points (0: a miss).
    """

    kind: ClassVar[str] = "torpedo"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    target: UnitRef
    range: Open[float]
    needed: Open[int]
    die: Open[int]
    hits: Open[int]


@dataclass(frozen=True, slots=True)
class NeedleFired(Event):
    """One shot at one system of a target: range in MU and the die.

    Whether it hit shows when the damage is marked.
    """

    kind: ClassVar[str] = "needle"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    target: UnitRef
    system: Open[str]
    range: Open[float]
    die: Open[int]


@dataclass(frozen=True, slots=True)
class PackFired(Event):
    """A submunition pack at one target: range in MU, the dice and the damage points they make.

    The pack is gone.
    """

    kind: ClassVar[str] = "pack"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    target: UnitRef
    range: Open[float]
    arc: Open[str]
    dice: Open[tuple[int, ...]]
    hits: Open[int]

    def apply(self, state: BattleState) -> None:
        ship = state.ship(self.ship)
        ship.stock[ship.profile.index_of[self.weapon]] = 0


@dataclass(frozen=True, slots=True)
class GunFired(Event):
    """A weapon's fire at one target.

    `range` in MU; `screens`: levels its dice met; `mode`: how it fired; `needed`: the die it hit
    on, 0 where dice are read as a beam's; `dice`: those to hit, re-rolls in their place; `damage`:
    those for damage; `hits`: damage points, or hits that do no damage (EMP, transporters).
    """

    kind: ClassVar[str] = "fire"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    target: UnitRef
    range: Open[float]
    arc: Open[str]
    screens: Open[int]
    mode: Open[str]
    needed: Open[int]
    dice: Open[tuple[int, ...]]
    damage: Open[tuple[int, ...]]
    hits: Open[int]


@dataclass(frozen=True, slots=True)
class ShotRefused(Event):
    """A weapon that had orders and did not fire, and why."""

    kind: ClassVar[str] = "shot-refused"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    ship: UnitRef
    weapon: Open[str]
    targets: UnitRefs
    why: ReasonText


@dataclass(frozen=True, slots=True)
class AreaFireSwept(Event):
    """A beam or a wave runs across the table: the ends of its stages, the ship's place first, and
    the radius of each stage in MU. What it does to each ship it touches follows.
    """

    kind: ClassVar[str] = "swept"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    path: Open[tuple[tuple[float, float], ...]]
    radii: Open[tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class FlakBurst(Event):
    """A shell of flak goes off at a point; what it does to each ship within its radius (MU)
    follows.
    """

    kind: ClassVar[str] = "flak"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    at: Open[tuple[float, float]]
    radius: Open[float]


@dataclass(frozen=True, slots=True)
class AreaFireHit(Event):
    """A ship that is not identified is struck by what sweeps or bursts: as `GunFired` tells it of
    others. What the dice say of its screens and its mass its own side alone reads.
    """

    kind: ClassVar[str] = "struck"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    outward: ClassVar[bool] = True
    ship: ShipRef
    by: ShipRef
    weapon: Open[str]
    range: Open[float]
    screens: Open[int]
    dice: Open[tuple[int, ...]]
    damage: Open[tuple[int, ...]]
    hits: Open[int]


@dataclass(frozen=True, slots=True)
class WeaponUsed(Event):
    """A weapon that fires but once, or a load, is used: so much is left of it."""

    kind: ClassVar[str] = "spent"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    ship: ShipRef
    weapon: Open[str]
    left: Open[int]

    def apply(self, state: BattleState) -> None:
        ship = state.ship(self.ship)
        ship.stock[ship.profile.index_of[self.weapon]] = self.left


@dataclass(frozen=True, slots=True)
class RoundUsed(Event):
    """A weapon fires a load out of its ship's magazine: how many are left there its own side alone
    knows.
    """

    kind: ClassVar[str] = "round-drawn"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    ship: ShipRef
    weapon: Open[str]
    load: Open[str]
    left: Open[int]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).use_round(self.weapon, self.load)


@dataclass(frozen=True, slots=True)
class NovaArmed(Event):
    """A ship puts all its power into its nova cannon: no thrust, no screens, no other weapon this
    turn.
    """

    kind: ClassVar[str] = "nova-armed"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    outward: ClassVar[bool] = True
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).arm_nova_cannon()


@dataclass(frozen=True, slots=True)
class PointDefence(Event):
    """One anti-fighter weapon's fire at one group: range in MU, its die, and the craft it hits."""

    kind: ClassVar[str] = "point-defence"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    target: UnitRef
    range: Open[float]
    dice: Open[tuple[int, ...]]
    hits: Open[int]
