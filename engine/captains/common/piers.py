"""Which docked ships cast off: those that can fight, and the others once their pier is under fire.

Rules: 2E "Starbases and other installations" [2e.installations]; Continuum "Docking" 16.6 [pc.docking]
"""

from __future__ import annotations

from engine.core.kinds import FIGHTING
from engine.core.orders import Plot
from engine.core.ship import BERTHED, DOCKED, ShipState
from engine.view.side_view import SideView

CAST_OFF = Plot(undock=True)


def cast_offs(view: SideView, *, leaving: bool = False) -> dict[str, Plot]:
    """Return the plots of docked ships that cast off: nobody fires or steers at a pier.

    Args:
        leaving: Whether its side leaves the battle, so that all cast off.
    """
    piers = {ship.id: ship for ship in view.own}
    hostile = any(contact.hostile for contact in view.contacts)
    found: dict[str, Plot] = {}
    for ship in view.own:
        if ship.status != FIGHTING or ship.docking not in (DOCKED, BERTHED) or not ship.thrust:
            continue
        pier = piers.get(ship.dock)
        under_fire = pier is None or pier.damage > 0
        if leaving or (hostile and (_is_armed(ship) or under_fire)):
            found[ship.id] = CAST_OFF
    return found


def _is_armed(ship: ShipState) -> bool:
    """Return whether a ship has a weapon left to fight ships with."""
    fits = ship.sheet.fits
    return any(ship.alive[place] for place, fit in enumerate(fits) if fit.offensive)
