"""Events of groups in both editions: launch, movement, fire and recovery.

Rules: 2E "Fighters" [2e.fighters]; Continuum "Flight operations" 8 [pc.fighter-move]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.core.state import BattleState
from engine.events.event import (
    Audience,
    Event,
    GroupRef,
    Listener,
    LogOrder,
    Open,
    OrderText,
    ReasonText,
    ShipRef,
    UnitRef,
)
from engine.pieces.group import STRIKE, Group


@dataclass(frozen=True, slots=True)
class GroupLaunched(Event):
    """A group left its bay at the mid-point of its ship's move; others know it as `contact`."""

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
        bay = self.group.rpartition("/")[2]
        Group.launch(
            state,
            ship=ship,
            bay=bay,
            contact=self.contact,
            at=self.at,
            course=self.course,
            turn=self.turn,
        )

    def notice(self, listener: Listener) -> None:
        if self.ship in listener.mine:
            listener.mine.add(self.group)
        else:
            listener.names[self.group] = self.contact


@dataclass(frozen=True, slots=True)
class FlightRefused(Event):
    """An order that a group could not carry out, and the reason; the group stays in place."""

    kind: ClassVar[str] = "flight-refused"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    group: GroupRef
    order: OrderText
    reason: ReasonText


@dataclass(frozen=True, slots=True)
class GroupMoved(Event):
    """A group's move: its path and its facing at the end."""

    kind: ClassVar[str] = "group-moved"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    path: Open[tuple[tuple[float, float], ...]]
    course: Open[int]

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).fly(self.path[-1], self.course)


@dataclass(frozen=True, slots=True)
class FightersFired(Event):
    """A group's fire at a ship or a group.

    Attributes:
        armament: `strike` (at a ship), `range` (at a group), `dogfight`, `parting` (at a group that
            breaks off), or the name of the load.
        range: In MU.
        screens: Levels of the target's screens.
        dice: A die for each craft.
        hits: Damage points at a ship, craft of a group; the events of the damage follow.
    """

    kind: ClassVar[str] = "fighters-fired"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    target: UnitRef
    armament: Open[str]
    range: Open[float]
    screens: Open[int]
    dice: Open[tuple[int, ...]]
    hits: Open[int]

    def apply(self, state: BattleState) -> None:
        group = state.piece(Group, self.group)
        group.fight(group.row.armament(self.armament), at_ship=self.armament == STRIKE)


@dataclass(frozen=True, slots=True)
class CraftRecovered(Event):
    """A ship recovered craft of a group."""

    kind: ClassVar[str] = "recovered"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    outward: ClassVar[bool] = True
    ship: ShipRef
    group: GroupRef
    craft: Open[int]

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).come_aboard(state, state.ship(self.ship), self.craft)
