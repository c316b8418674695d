"""A ship set down at the end of a move of Continuum, and the line of the log that tells it."""

from __future__ import annotations

from engine.events.movement import Moved
from engine.movement.legs import Leg
from engine.ship import ShipState
from engine.table import Table


def tell_move(table: Table, ship: ShipState, leg: Leg) -> None:
    """Move a ship by a leg in place."""
    ship.x, ship.y = leg.path[-1]
    ship.course, ship.velocity, ship.drift = leg.course, leg.velocity, leg.drift
    table.tell(Moved, ship.id, leg.path, leg.course, leg.velocity)
