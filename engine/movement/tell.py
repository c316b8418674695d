"""A ship set down at the end of a move of Continuum, and the line of the log that tells it."""

from __future__ import annotations

from engine.events.event import Sink
from engine.events.movement import Moved
from engine.movement.legs import Leg
from engine.ship import ShipState


def tell_move(ship: ShipState, leg: Leg, turn: int, sink: Sink | None) -> None:
    """Move a ship by a leg in place."""
    ship.x, ship.y = leg.path[-1]
    ship.course, ship.velocity, ship.drift = leg.course, leg.velocity, leg.drift
    if sink is not None:
        sink(Moved(turn, ship.id, leg.path, leg.course, leg.velocity))
