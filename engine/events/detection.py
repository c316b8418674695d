"""Sensors, decoys, Q ships and cloaks: what sides learn about ships and what they lose sight of."""

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
    """A bogey was identified as this ship, of this class; `by` is a ship that scanned it."""

    kind: ClassVar[str] = "contact-identified"
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
        """Return whether the ship revealed itself, which belongs to its move."""
        return self.by == self.ship


@dataclass(frozen=True, slots=True)
class DummyIdentified(Event):
    """A scan identified a contact as a decoy; it is removed from the table."""

    kind: ClassVar[str] = "dummy-identified"
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
    """A ship uses its active sensors, which every side notices."""

    kind: ClassVar[str] = "scanning"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.SCANS
    ship: ShipRef


@dataclass(frozen=True, slots=True)
class ScanFailed(Event):
    """An active scan failed to identify a contact, for the reason `reason`."""

    kind: ClassVar[str] = "scan-failed"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    ship: ShipRef
    target: UnitRef
    reason: ReasonText


@dataclass(frozen=True, slots=True)
class QShipUncovered(Event):
    """A Q ship revealed itself; `cls` is its true class.

    `cause` is fires, scans, sweeps, moves or jumps. Sides that have not identified the contact do
    not hear of it; its later identification names the true class.
    """

    kind: ClassVar[str] = "uncovered"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    outward: ClassVar[bool] = True
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    cls: Open[str]
    cause: Open[str]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).uncover()

    def notice(self, listener: Listener) -> None:
        listener.covers.pop(self.ship, None)


@dataclass(frozen=True, slots=True)
class ShipCloaked(Event):
    """A ship cloaked.

    `cloak` is `device` (its model stays, but fire control hardly finds it) or `field` (it vanished
    at `at`).
    """

    kind: ClassVar[str] = "cloaked"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    at: Open[tuple[float, float]]
    cloak: Open[str]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).cloak(self.cloak)

    def notice(self, listener: Listener) -> None:
        if self.cloak == FIELD:
            listener.unseen.add(self.ship)


@dataclass(frozen=True, slots=True)
class ShipDecloaked(Event):
    """A ship decloaked at `at` on a course.

    `cause` is time, speed, damaged or over (the battle ended).
    """

    kind: ClassVar[str] = "decloaked"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    heard_while_cloaked: ClassVar[bool] = True
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    at: Open[tuple[float, float]]
    course: Open[int]
    cause: Open[str]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).decloak(self.cause, self.turn)

    def notice(self, listener: Listener) -> None:
        listener.unseen.discard(self.ship)
