"""A foreign ship as a side has seen it; what was not seen is assumed to be as built.

Rules: 2E "Sensors and target identification" [2e.sensors]; Continuum "Information" 2.6
[pc.open-book]
"""

from __future__ import annotations

from engine.core.ids import ShipId
from engine.core.kinds import DESTROYED
from engine.core.sheet import Sheet, ShipProfile
from engine.core.ship import ShipState
from engine.ship_profiles import profile_of
from engine.view.side_view import Contact


def ship_from_contact(contact: Contact, unknown: Sheet) -> ShipState:
    """Return a contact as a ship with only what was seen of it."""
    ship = absent_ship(contact.id, contact.owner, contact.sheet or unknown, contact.profile)
    ship.commander = contact.side
    ship.x = contact.x
    ship.y = contact.y
    ship.course = contact.course
    ship.velocity = contact.velocity
    ship.drift = contact.drift
    if contact.lost_systems is not None:
        for name in contact.lost_systems():
            ship.alive[ship.profile.index_of[name]] -= 1
    ship.armed = contact.armed
    ship.armour = contact.armour
    ship.record = contact.record
    ship.this_turn = contact.this_turn
    ship.damage = contact.damage
    ship.warm = contact.warm
    ship.status = contact.status
    ship.bogey = contact.sheet is None
    ship.label = contact.label
    if contact.scanned_by >= 0 and contact.detail:
        ship.record = ship.record.with_values(
            scan_levels={str(contact.scanned_by): int(contact.detail)}
        )
        ship.record = ship.record.with_scanned_stock(
            contact.scanned_by, tuple(contact.stock.items())
        )
    ship.recompute()
    return ship


def absent_ship(
    id_: str, owner: int, sheet: Sheet, profile: ShipProfile | None = None
) -> ShipState:
    """Return a ship that is not on the table.

    Args:
        profile: The profile of its sheet, if it is already known.
    """
    profile = profile or profile_of(sheet)
    return ShipState(
        id=ShipId(id_),
        owner=owner,
        commander=owner,
        sheet=sheet,
        profile=profile,
        x=0.0,
        y=0.0,
        course=12,
        velocity=0,
        damage=0,
        alive=list(profile.undamaged),
        status=DESTROYED,
        label="",
        contact=id_,
        stock=list(profile.full),
    )
