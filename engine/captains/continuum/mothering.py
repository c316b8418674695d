"""How captains use riders: they detach where there is an enemy to fight, and bear damage for a mothership that flees.

Rules: Continuum "Battleriders and motherships" 11.7 [pc.tugs]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.captains.continuum.marks import Mark
from engine.continuum.riders import Bear, Detach
from engine.core.kinds import CARRIED, ON_TABLE
from engine.core.orders import HOLD, Plot
from engine.core.ship import ShipState
from engine.view.side_view import SideView

NEAR_ENOUGH = 48.0  # MU from an enemy within which a rider fights by itself
WORN = 0.5  # of its boxes that a mothership has lost before others bear what it is hit by


def launch_riders(view: SideView, marks: Sequence[Mark], plots: dict[str, Plot]) -> dict[str, Plot]:
    """Plots with those by which riders detach, as soon as an enemy is near; each holds the course of its mothership."""
    own = {ship.id: ship for ship in view.own}
    for ship in view.own:
        carrier = own.get(ship.dock) if ship.status == CARRIED else None
        if carrier is None or carrier.status not in ON_TABLE or carrier.warm:
            continue
        if any((mark.x - carrier.x) ** 2 + (mark.y - carrier.y) ** 2 <= NEAR_ENOUGH**2 for mark in marks):
            plots[ship.id] = Plot(further=(Detach(),))
    return plots


def spare_mothers(view: SideView, plots: dict[str, Plot]) -> dict[str, Plot]:
    """Plots with who bears damage for motherships that have lost half of their boxes: the rider with most left, while
    it has more than that.
    """
    for ship in view.own:
        riders = [other for other in view.own if other.status == CARRIED and other.dock == ship.id]
        if not riders or ship.id not in plots or ship.damage < ship.sheet.boxes * WORN:
            continue
        best = max(riders, key=_left)
        if _left(best) > _left(ship) and ship.record.bearer != best.id:
            plot = plots.get(ship.id, HOLD)
            plots[ship.id] = replace(plot, further=(*plot.further, Bear(best.id)))
    return plots


def _left(ship: ShipState) -> int:
    return ship.sheet.boxes - ship.damage
