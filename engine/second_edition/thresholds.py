"""Threshold checks: which systems go as the rows of a damage track end.

Rules: 2E "Threshold points and specific systems damage" [2e.thresholds]
"""

from __future__ import annotations

from engine.core.ship import ShipState
from engine.core.table import Table
from engine.events.damage import Threshold


def threshold_check(table: Table, ship: ShipState, row: int, loses_on: int) -> None:
    """Roll once for every surviving system in canonical order; `loses_on` or more loses it.

    The drive is halved the first time and out the second; a pack that was fired is crossed off and rolls no more.
    Rules: 2E "Threshold points" [2e.thresholds]; 2E "Submunition packs" [2e.submunitions]
    """
    alive = ship.alive
    prefix = f"{ship.id}/"
    rolls: list[tuple[str, int]] = []
    lost: list[str] = []
    for index, fit in enumerate(ship.sheet.fits):
        if alive[index] and (ship.stock[index] or not ship.rig.weapons[index].once):
            die = table.dice.roll("threshold", prefix + fit.id)
            rolls.append((fit.id, die))
            if die >= loses_on:
                ship.knock_out(index)
                lost.append(fit.id)
    if lost:
        ship.recompute()
    if table.listens:
        table.tell(Threshold, ship.id, row, loses_on, tuple(rolls), tuple(lost))
