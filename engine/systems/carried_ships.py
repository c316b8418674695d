"""Ships aboard others in a battle: in tender bays, and in the FTL field of a tug.

Rules: Continuum "FTL tugs and tenders", "Battleriders and motherships" 11.6, 11.7 [pc.tugs]
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.kinds import CARRIED
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.transport import rooms_of, without_room


def ships_aboard(state: BattleState, carrier: ShipState) -> list[ShipState]:
    """Return the ships aboard a carrier, in file order."""
    result: list[ShipState] = []
    for ship in state.ships:
        if ship.status == CARRIED and ship.dock == carrier.id:
            result.append(ship)
    return result


def carrier_of(state: BattleState, ship: ShipState) -> ShipState | None:
    """Return the ship that carries another, or None."""
    if ship.status != CARRIED:
        return None
    return next((other for other in state.ships if other.id == ship.dock), None)


def can_carry(carrier: ShipState, ships: Sequence[ShipState]) -> bool:
    """Return whether a carrier's working bays and FTL field have room for all these ships.

    Rules: Continuum "FTL tugs and tenders" 11.6 [pc.tugs]
    """
    rooms = rooms_of(carrier.sheet, carrier.lost_systems())
    return not without_room([ship.sheet.mass for ship in ships], rooms)


def has_room(state: BattleState, carrier: ShipState, ship: ShipState) -> bool:
    """Return whether a carrier has room for one more ship.

    Ships that the carrier tows take up its field.
    """
    towed = [other for other in state.ships if other.record.tug == carrier.id]
    return can_carry(carrier, [*ships_aboard(state, carrier), *towed, ship])


def bearer_of(state: BattleState, ship: ShipState) -> ShipState | None:
    """Return the rider that takes hits in place of its carrier, or None.

    Rules: Continuum "Battleriders and motherships" 11.7 [pc.tugs]
    """
    if not ship.record.bearer:
        return None
    return next(
        (rider for rider in ships_aboard(state, ship) if rider.id == ship.record.bearer), None
    )
