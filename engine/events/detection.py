"""Sensors, decoys, Q ships and cloaks: what becomes known of a ship, and what no longer is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

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
)
from engine.systems.defences import FIELD


@dataclass(frozen=True, slots=True)
class ContactIdentified(Event):
    """A bogey was identified: the contact is this ship, of this class.

    `by` names a ship that scanned it.
    """

    kind: ClassVar[str] = "revealed"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.SCANS
    ship: ShipRef
    contact: Open[str]
    cls: Open[str]
    by: ShipRef

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).identify()

    def notice(self, listener: Listener) -> None:
        listener.hidden.discard(self.ship)

    def stays_with_move(self) -> bool:
        """A ship that gives itself away does so on its move."""
        return self.by == self.ship


@dataclass(frozen=True, slots=True)
class DummyIdentified(Event):
    """A contact was scanned and found to be a drone; it is taken off the table."""

    kind: ClassVar[str] = "dummy-found"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.SCANS
    ship: ShipRef
    contact: Open[str]
    by: ShipRef

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).identify()

    def notice(self, listener: Listener) -> None:
        listener.hidden.discard(self.ship)


@dataclass(frozen=True, slots=True)
class Scanning(Event):
    """A ship's active sensors are working: everybody notices."""

    kind: ClassVar[str] = "scanning"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.SCANS
    ship: ShipRef


@dataclass(frozen=True, slots=True)
class ScanFailed(Event):
    """A contact that an active scan was to identify and did not, and why."""

    kind: ClassVar[str] = "scan-failed"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    ship: ShipRef
    target: UnitRef
    why: ReasonText


@dataclass(frozen=True, slots=True)
class QShipUncovered(Event):
    """A Q ship has shown what it is: `cls` is its true class.

    `why`: fires, scans, sweeps, moves or jumps.

    Nobody can tell it of a contact that is not identified; what identifies it then names the true
    class.
    """

    kind: ClassVar[str] = "uncovered"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    outward: ClassVar[bool] = True
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    cls: Open[str]
    why: Open[str]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).uncover()

    def notice(self, listener: Listener) -> None:
        listener.covers.pop(self.ship, None)


@dataclass(frozen=True, slots=True)
class ShipCloaked(Event):
    """A ship hides: `how` device (its model stays, fire control hardly finds it) or field (it
    vanishes at `at`).
    """

    kind: ClassVar[str] = "cloaked"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    at: Open[tuple[float, float]]
    how: Open[str]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).cloak(self.how)

    def notice(self, listener: Listener) -> None:
        if self.how == FIELD:
            listener.unseen.add(self.ship)


@dataclass(frozen=True, slots=True)
class ShipDecloaked(Event):
    """A ship shows itself again, at `at` and on a course.

    `why`: time, speed, damaged, over (the battle).
    """

    kind: ClassVar[str] = "decloaked"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    heard_while_cloaked: ClassVar[bool] = True
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    at: Open[tuple[float, float]]
    course: Open[int]
    why: Open[str]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).decloak(self.why, self.turn)

    def notice(self, listener: Listener) -> None:
        listener.unseen.discard(self.ship)
