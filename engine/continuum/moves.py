"""A ship set down at the end of a move of Continuum, and the line of the log that tells it."""

from __future__ import annotations

from engine.continuum.legs import Leg
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.events.movement import Moved


def tell_move(table: Table, ship: ShipState, leg: Leg) -> None:
    """Move a ship by a leg in place."""
    ship.x, ship.y = leg.path[-1]
    ship.course, ship.velocity, ship.drift = leg.course, leg.velocity, leg.drift
    table.tell(Moved, ship.id, leg.path, leg.course, leg.velocity)
