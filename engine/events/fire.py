"""Ships' fire: initiative, arcs, every weapon's dice, refused shots, and area fire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from engine.core.firing import FiringStage
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.state import BattleState
from engine.events.event import (
    Audience,
    Event,
    Listener,
    LogOrder,
    Open,
    ReasonText,
    ShipRef,
    UnitRef,
    UnitRefs,
    require_value,
)

NO_TARGET = reason("no-target-range-arcs", "no target in range, in its arcs and in sight")
NO_SYSTEM = reason(
    "no-target-range-arc",
    "no target in range, in its arc and in sight has that system in working order",
)
OUT_OF_ACTION = reason("out-of-action", "it is out of action")
ALREADY_USED = reason("been-fired", "it has already been fired")
SWEEPING = reason("ship-minesweepers-active", "its ship's minesweepers are active")
ALREADY_FIRED = reason("has-fired", "it has already fired this turn")
NO_WEAPONS = reason("no-weapons", "a decoy has no weapons")
MADE_FAST = reason("docked-cannot-fire", "a docked ship cannot fire")


@dataclass(frozen=True, slots=True)
class Initiative(Event):
    """The dice for the order of fire between sides with equally many ships, and that order."""

    kind: ClassVar[str] = "initiative"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    rolls: Open[tuple[tuple[str, int], ...]]
    order: Open[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class FiringBegan(Event):
    """Sides begin to fire ship by ship, in this order.

    Rules: 2E "Sequence of play" [2e.fire-by-ship]
    """

    kind: ClassVar[str] = "firing-began"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    order: Open[tuple[str, ...]]

    def apply(self, state: BattleState) -> None:
        order = tuple(state.sides.index(side) for side in self.order)
        state.firing = FiringStage(order, side=None)


@dataclass(frozen=True, slots=True)
class FiringTurnBegan(Event):
    """It is the turn of a side to name a ship that fires."""

    kind: ClassVar[str] = "firing-turn"
    text: ClassVar[str] = phrase("{side} fires next")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    side: Open[str]

    def apply(self, state: BattleState) -> None:
        state.firing = require_value(state.firing).at_turn_of(state.sides.index(self.side))


@dataclass(frozen=True, slots=True)
class ShipChosen(Event):
    """A side chose a ship for its firing turn."""

    kind: ClassVar[str] = "ship-chosen"
    text: ClassVar[str] = phrase("{ship} takes its firing turn")
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    ship: ShipRef

    def apply(self, state: BattleState) -> None:
        state.firing = require_value(state.firing).with_fired(self.ship)


@dataclass(frozen=True, slots=True)
class FiringPassed(Event):
    """A side passed: it fires no more this turn."""

    kind: ClassVar[str] = "firing-passed"
    text: ClassVar[str] = phrase("{side} fires no more this turn")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    side: Open[str]

    def apply(self, state: BattleState) -> None:
        state.firing = require_value(state.firing).with_passed(state.sides.index(self.side))


@dataclass(frozen=True, slots=True)
class PursuitOrdered(Event):
    """A side said whether it pursues an enemy that disengages; no other side learns it."""

    kind: ClassVar[str] = "pursuit-ordered"
    text: ClassVar[str] = phrase("{side} decided about a pursuit")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    side: Open[str]
    pursues: Open[bool]

    def apply(self, state: BattleState) -> None:
        side = state.sides.index(self.side)
        state.firing = require_value(state.firing).with_pursuit(side, pursues=self.pursues)

    def line_for(self, listener: Listener) -> dict[str, Any] | None:
        """Return its line for the side itself; other sides are not told."""
        return self.to_json() if listener.side == self.side else None


@dataclass(frozen=True, slots=True)
class FiringEnded(Event):
    """All sides have passed or have no ship left that has not fired."""

    kind: ClassVar[str] = "firing-ended"
    text: ClassVar[str] = phrase("No more ships fire this turn")
    audience: ClassVar[Audience] = Audience.EVERYBODY

    def apply(self, state: BattleState) -> None:
        state.firing = None


@dataclass(frozen=True, slots=True)
class OrderOfOthersSet(Event):
    """A side chose in which order the others act when it wins; an empty order leaves it to dice.

    Only that side is told.
    """

    kind: ClassVar[str] = "order-of-others"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    side: Open[str]
    order: Open[tuple[str, ...]]

    def apply(self, state: BattleState) -> None:
        state.let_others_act(self.side, self.order)

    def line_for(self, listener: Listener) -> dict[str, Any] | None:
        """Return its line for the side itself; other sides are not told."""
        return self.to_json() if listener.side == self.side else None


@dataclass(frozen=True, slots=True)
class ArcRolled(Event):
    """A target on the line between two arcs: the die, and the arc that it selected."""

    kind: ClassVar[str] = "arc"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: UnitRef
    target: UnitRef
    die: Open[int]
    arc: Open[str]


@dataclass(frozen=True, slots=True)
class BeamsFired(Event):
    """One battery's fire at a target: range in MU, levels of screens, dice and damage points."""

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
    """A torpedo fired at a target: range in MU, die needed, die, and damage points (0: a miss)."""

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
    """A needle beam fired at one system: range in MU and the die.

    A hit is reported with its damage.
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
    """A submunition pack was used up at a target: range in MU, dice and damage points."""

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
    """A weapon's fire at a target.

    Attributes:
        range: In MU.
        screens: Levels of screens against its dice.
        mode: Its mode of fire.
        needed: The die that hits; 0 for beam dice.
        dice: Dice to hit, each followed by its re-rolls.
        damage: Dice of damage.
        hits: Damage points, or hits without damage (EMP, transporters).
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
    """A weapon with orders did not fire, for the reason `reason`."""

    kind: ClassVar[str] = "shot-refused"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    ship: UnitRef
    weapon: Open[str]
    targets: UnitRefs
    reason: ReasonText


@dataclass(frozen=True, slots=True)
class AreaFireSwept(Event):
    """A beam or wave crossed the table; its effect on each ship follows.

    `path` starts with the ship's place and has the end of each stage; `radii` are in MU.
    """

    kind: ClassVar[str] = "swept"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    path: Open[tuple[tuple[float, float], ...]]
    radii: Open[tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class FlakBurst(Event):
    """Flak exploded at a point; its effect on each ship within its radius (MU) follows."""

    kind: ClassVar[str] = "flak"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    at: Open[tuple[float, float]]
    radius: Open[float]


@dataclass(frozen=True, slots=True)
class AreaFireHit(Event):
    """Area fire hit an unidentified ship; fields as in `GunFired`.

    Only its own side sees it, because the dice reveal its screens and mass.
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
    """A single-use weapon or a load was used; `remaining` is what remains."""

    kind: ClassVar[str] = "weapon-used"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    ship: ShipRef
    weapon: Open[str]
    remaining: Open[int]

    def apply(self, state: BattleState) -> None:
        ship = state.ship(self.ship)
        ship.stock[ship.profile.index_of[self.weapon]] = self.remaining


@dataclass(frozen=True, slots=True)
class RoundUsed(Event):
    """A weapon fired a load from its magazine; only its own side knows how many are left."""

    kind: ClassVar[str] = "round-used"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    ship: ShipRef
    weapon: Open[str]
    load: Open[str]
    remaining: Open[int]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).use_round(self.weapon, self.load)


@dataclass(frozen=True, slots=True)
class NovaArmed(Event):
    """A ship put all power into its nova cannon: no thrust, screens or other weapons this turn."""

    kind: ClassVar[str] = "nova-armed"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    outward: ClassVar[bool] = True
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).arm_nova_cannon()


@dataclass(frozen=True, slots=True)
class PointDefence(Event):
    """An anti-fighter weapon fired at a group: range in MU, its die, and the craft it hit."""

    kind: ClassVar[str] = "point-defence"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    target: UnitRef
    range: Open[float]
    dice: Open[tuple[int, ...]]
    hits: Open[int]
