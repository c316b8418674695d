"""Fighter groups: launching, flight, dogfights, their fire and the fire at them, coming aboard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.core.state import BattleState
from engine.events.event import Audience, Cause, Event, GroupRef, Listener, LogOrder, Open, OrderText, ShipRef, UnitRef
from engine.pieces.group import Group


@dataclass(frozen=True, slots=True)
class Launched(Event):
    """A group left its bay at the mid-point of its ship's move; the others call it `contact`."""

    kind: ClassVar[str] = "launched"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    group: GroupRef
    contact: Open[str]
    at: Open[tuple[float, float]]
    course: Open[int]
    craft: Open[int]

    def apply(self, state: BattleState) -> None:
        ship = state.ship(self.ship)
        bay = self.group.removeprefix(f"{ship.id}/")
        Group.launch(state, ship, bay, self.contact, self.at, self.course, self.turn)

    def notice(self, listener: Listener) -> None:
        if self.ship in listener.mine:
            listener.mine.add(self.group)
        else:
            listener.called[self.group] = self.contact


@dataclass(frozen=True, slots=True)
class FlightRefused(Event):
    """Orders that a group could not carry out, and why; it stays where it is."""

    kind: ClassVar[str] = "flight-refused"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    group: GroupRef
    order: OrderText
    why: Open[str]


@dataclass(frozen=True, slots=True)
class Flown(Event):
    """A group's move: from where to where, and which way it faces then."""

    kind: ClassVar[str] = "flown"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    path: Open[tuple[tuple[float, float], ...]]
    course: Open[int]

    def apply(self, state: BattleState) -> None:
        group = state.piece(Group, self.group)
        group.x, group.y = self.path[-1]
        group.course, group.moved = self.course, True


@dataclass(frozen=True, slots=True)
class DogfightBegun(Event):
    """A group has come into base contact with a hostile one, and that one stays to fight."""

    kind: ClassVar[str] = "dogfight"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    target: UnitRef

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).dogfight = self.target
        state.piece(Group, self.target).moved = True


@dataclass(frozen=True, slots=True)
class BrokeOff(Event):
    """A group gets away from all it was in base contact with; what they shot at it stands before."""

    kind: ClassVar[str] = "broke-off"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).let_go(state)


@dataclass(frozen=True, slots=True)
class FightersFired(Event):
    """A group's fire for the turn at a ship or a group: range in MU, the target's screens, a die for each craft.

    `how`: strike (at a ship), range (at a group), dogfight, parting (at a group that gets away). `hits`: damage points
    for a ship, craft for a group; what they do follows.
    """

    kind: ClassVar[str] = "fighters-fired"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    target: UnitRef
    how: Open[str]
    range: Open[float]
    screens: Open[int]
    dice: Open[tuple[int, ...]]
    hits: Open[int]

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).fired = True


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


@dataclass(frozen=True, slots=True)
class CraftLost(Event):
    """A group lost craft: how many, and how many it has left. `die` is the die that took them, 0 where none."""

    kind: ClassVar[str] = "craft-lost"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    cause: Cause
    craft: Open[int]
    left: Open[int]
    die: Open[int]

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).lose(state, self.craft)


@dataclass(frozen=True, slots=True)
class Recovered(Event):
    """Craft of a group came aboard a ship."""

    kind: ClassVar[str] = "recovered"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    ship: ShipRef
    group: GroupRef
    craft: Open[int]

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).come_aboard(state, state.ship(self.ship), self.craft)
