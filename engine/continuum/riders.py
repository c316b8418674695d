"""Ships aboard others, in tender bays or in a tug's field: mainly battleriders.

They detach, come aboard, bear damage for their mothership, and share its fate. Ships aboard another
cannot be attacked or seen by other sides, and have their carrier's position.

Rules: Continuum "FTL tugs and tenders", "Battleriders and motherships" 11.6, 11.7 [pc.tugs]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.continuum.drives import move_fault
from engine.continuum.legs import motion
from engine.core.ids import NO_SHIP, ShipId
from engine.core.kinds import (
    CARRIED,
    DESTROYED,
    FIGHTING,
    FTL,
    LANDED,
    LEFT_TABLE,
    ON_TABLE,
    ShipStatus,
)
from engine.core.orders import HOLD, FurtherOrder, Plot
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.slots import OneOf, Slot, WordDescription
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.movement import BearerChosen, RiderWentAlong, ShipDetached
from engine.notation.orders import read_names, read_nothing
from engine.systems.carried_ships import carrier_of, ships_aboard

# Fates that ships aboard share.
CARRIER_FATES = (
    FTL,
    LEFT_TABLE,
    DESTROYED,
    LANDED,
)


def as_detached(state: BattleState, ship: ShipState) -> ShipState:
    """Return a carried ship as it would be if it detached now; any other ship unchanged."""
    if ship.status != CARRIED:
        return ship
    carrier = carrier_of(state, ship)
    result = ship.copy()
    result.status, result.dock = FIGHTING, NO_SHIP
    if carrier is not None:
        result.x, result.y, result.course, result.velocity = (
            carrier.x,
            carrier.y,
            carrier.course,
            carrier.velocity,
        )
        if result.drift is not None:
            result.drift = motion(carrier)
    return result


@dataclass(frozen=True, slots=True)
class Detach(FurtherOrder):
    """An order to detach from a carrier and fly by the ship's own plot from there.

    Rules: Continuum "Battleriders and motherships" 11.7 [pc.tugs]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(
            "Detach",
            phrase("leaves the ship that carries it and flies on with its own plot"),
            usual=True,
        )

    @staticmethod
    def word() -> str:
        return "detach"

    @staticmethod
    def parse(words: list[str]) -> Detach:
        read_nothing(words)
        return Detach()

    def fault(self, state: BattleState, ship: ShipState, plot: Plot) -> str:
        """Return the reason why the ship cannot detach and fly its plot, or ""."""
        carrier = carrier_of(state, ship)
        if carrier is None:
            return reason("not-aboard-another-ship", "it is not aboard another ship")
        if carrier.status not in ON_TABLE:
            return reason(
                "what-carries-not-table", "the ship that carries it is not on the table yet"
            )
        if carrier.warm:
            return reason("what-carries-about-jump", "the ship that carries it is about to jump")
        return move_fault(state, as_detached(state, ship), plot)

    def before_moves(self, table: Table, ship: ShipState) -> None:
        """Place the ship on the table with its carrier's course and velocity."""
        after = as_detached(table.state, ship)
        carrier = ship.dock
        if ship.status != CARRIED:
            return
        table.state.detach(
            ship,
            at=(after.x, after.y),
            course=after.course,
            velocity=after.velocity,
            drift=after.drift,
        )
        table.tell(
            ShipDetached,
            ship=ship.id,
            near=carrier,
            at=(after.x, after.y),
            course=after.course,
            velocity=after.velocity,
            drift=after.drift,
        )
        mother = table.state.ship(carrier)
        if mother.record.bearer == ship.id:
            _set_bearer(table, mother, NO_SHIP)


@dataclass(frozen=True, slots=True)
class BearDamage(FurtherOrder):
    """An order that a ship aboard bears this ship's damage until another is named, maybe itself.

    Rules: Continuum "Battleriders and motherships" 11.7 [pc.tugs]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(
            phrase("Assign its damage"),
            phrase("a ship aboard takes all hits on this ship until you order otherwise"),
        )

    rider: str

    @staticmethod
    def word() -> str:
        return "bear"

    @staticmethod
    def parse(words: list[str]) -> BearDamage:
        return BearDamage(
            read_names(
                words,
                least=1,
                most=1,
                expected=reason("ship-bears-damage", "the ship that takes the damage"),
            )[0]
        )

    @staticmethod
    def slots(state: BattleState, ship: ShipState) -> tuple[Slot, ...]:
        riders = tuple(other.id for other in ships_aboard(state, ship))
        return (OneOf("Ship", (ship.id, *riders) if riders else ()),)

    def arguments(self) -> tuple[str, ...]:
        return (self.rider,)

    def unit_names(self) -> tuple[str, ...]:
        return (self.rider,)

    def with_ids(self, ids: Mapping[str, str]) -> BearDamage:
        return BearDamage(ids.get(self.rider, self.rider))

    def fault(self, state: BattleState, ship: ShipState, _plot: Plot) -> str:
        """Return the reason why the named ship cannot bear the damage, or ""."""
        if self.rider == ship.id or self.rider in [other.id for other in ships_aboard(state, ship)]:
            return ""
        return reason("not-aboard", "{} is not aboard it", self.rider)

    def before_moves(self, table: Table, ship: ShipState) -> None:
        """Record the ship that bears the damage from now on."""
        if self.rider == ship.id:
            bearer = NO_SHIP
        else:
            bearer = table.state.ship_by_name(self.rider).id
        if ship.record.bearer != bearer:
            _set_bearer(table, ship, bearer)


def _set_bearer(table: Table, ship: ShipState, bearer: ShipId) -> None:
    """Record and report which ship aboard bears a ship's damage; NO_SHIP for none."""
    ship.write_fact("bearer", int(bearer != NO_SHIP), bearer)
    table.tell(BearerChosen, ship.id, bearer)


def carried_fault(_state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Return the reason why a ship aboard another cannot fly its plot without detaching, or "".

    Rules: Continuum "Battleriders and motherships" 11.7 [pc.tugs]
    """
    if ship.status != CARRIED or plot == HOLD or plot.find(Detach) is not None:
        return ""
    return reason("aboard-detach-first", "it is aboard {} and must detach first", ship.dock)


def share_carrier_fate(table: Table) -> None:
    """Let ships aboard share the fate of a carrier that is gone, at the end of a turn.

    Rules: Continuum "FTL exit" 11.4 [pc.ftl-exit]; Continuum "Battleriders and motherships" 11.7
    [pc.tugs]
    """
    for ship in table.state.ships:
        carrier = carrier_of(table.state, ship)
        if carrier is None or carrier.status not in CARRIER_FATES:
            continue
        status: ShipStatus = carrier.status
        ship.status = status
        table.tell(RiderWentAlong, ship=ship.id, by=carrier.id, status=status)
