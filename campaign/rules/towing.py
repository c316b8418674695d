"""Tugs and tenders: what they can have in tow, what ends a tow, and the faults of tow orders.

A tow is kept as the tug's key in the ship that is towed. It lasts from week to week until another
order, or until it cannot be kept: who docks, leaves the fleet or loses its FTL drive has nobody in
tow and is in nobody's.
"""

from __future__ import annotations

from campaign.rules.queries import can_jump
from campaign.rules.scenario import ShipClass
from campaign.rules.world import Ship
from engine.core.edition import Edition
from engine.core.transport import MOST_RIDER_MASS


def can_tow(cls: ShipClass, ship: Ship) -> bool:
    """Whether a ship can have others in tow now, or in tender bays: its drive works, and it is
    neither helpless nor in tow itself.

    Rules: 2E "FTL tugs and tenders" [camp.tugs]; Continuum "FTL tugs and tenders" 11.6 [pc.tugs]
    """
    return (
        bool(cls.transport_capacities(ship.lost))
        and can_jump(cls, ship)
        and not ship.is_helpless
        and not ship.tug
    )


def is_aboard(cls: ShipClass, ship: Ship, carrier: ShipClass) -> bool:
    """Whether a ship in tow comes to battle aboard its mothership: a battlerider, which never had
    an FTL drive.

    Rules: Continuum "Battleriders and motherships" 11.7 [pc.tugs]
    """
    continuum = carrier.design.get("edition") == Edition.CONTINUUM
    return continuum and bool(ship.tug) and not cls.ftl and cls.mass <= MOST_RIDER_MASS
