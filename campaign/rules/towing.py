"""Tugs and tenders: which ships can tow, and which come to battle aboard a mothership.

A tow is stored as the tug's key in the towed ship. It lasts from week to week until another order,
or until it is impossible: a ship that docks, leaves the fleet or loses its FTL drive neither tows
nor is in tow.
"""

from __future__ import annotations

from campaign.rules.queries import can_jump
from campaign.rules.scenario import ShipClass
from campaign.rules.world import Ship
from engine.core.edition import Edition
from engine.core.transport import MAX_RIDER_MASS


def can_tow(cls: ShipClass, ship: Ship) -> bool:
    """Return whether a ship can carry others in tow or in tender bays now.

    Its drive must work, and it must be neither helpless nor in tow itself.

    Rules: 2E "FTL tugs and tenders" [camp.tugs]; Continuum "FTL tugs and tenders" 11.6 [pc.tugs]
    """
    if ship.is_helpless or ship.tug:
        return False
    return bool(cls.transport_capacities(ship.lost)) and can_jump(cls, ship)


def is_aboard(cls: ShipClass, ship: Ship, carrier: ShipClass) -> bool:
    """Return whether a towed ship comes to battle aboard its mothership.

    Battleriders do, which are built without FTL drives.

    Rules: Continuum "Battleriders and motherships" 11.7 [pc.tugs]
    """
    if carrier.design.get("edition") != Edition.CONTINUUM:
        return False
    is_rider_class = not cls.ftl and cls.mass <= MAX_RIDER_MASS
    return bool(ship.tug) and is_rider_class
