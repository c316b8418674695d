"""What puts a ship into orbit, takes it out, and brings it down: rules and events alike change it so.

Rules: Continuum "Medium scale" 17.8 [pc.planets]; Continuum "Atmospheric entry" 17.11 [pc.atmosphere]
"""

from __future__ import annotations

from engine.core.geometry import along_orbit, sets_off
from engine.core.kinds import LANDED
from engine.core.ship import ShipState


def circle(ship: ShipState, planet: str, point: int) -> None:
    """A ship is at a point of a planet's orbit, for this turn; planet "": it is in no orbit any more.

    By vectors it drifts along the track. Rules: Continuum "Medium scale" 17.8 [pc.planets]
    """
    ship.record = ship.record.changed(orbit={planet: point} if planet else {})
    ship.this_turn = ship.this_turn.noting("circled", 1 if planet else 0)
    if planet and ship.drift is not None:
        ship.drift = sets_off(along_orbit(point), ship.velocity)


def land(ship: ShipState, *, crashed: bool) -> None:
    """A ship is on the ground, out of the battle; of one that crashed no drive is left.

    Rules: Continuum "Atmospheric entry" 17.11 [pc.atmosphere]
    """
    ship.status = LANDED
    ship.cool_down()
    ship.record = ship.record.changed(orbit={})
    if crashed:
        for index in (ship.profile.drive, ship.profile.ftl):
            if index >= 0:
                ship.alive[index] = 0
        ship.recompute()
