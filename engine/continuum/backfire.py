"""What a wave gun that is knocked out with its capacitors charged does to its own ship.

Rules: Continuum "Wave gun" 7.24 [pc.wave-gun]
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.continuum.damage import wound
from engine.core.notes import CHARGE, note
from engine.core.rolls import HULL, Wound
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.core.written_notes import pencil

BACKFIRE = "backfire"  # the cause of such damage


def backfire(table: Table, ship: ShipState, lost: Iterable[str]) -> int:
    """Systems just lost let go what charge they held, as damage to the hull from within; the points.

    Rules: Continuum "Wave gun" 7.24 [pc.wave-gun]
    """
    points = 0
    for system in lost:
        charge = ship.notes.get(note(CHARGE, system), 0)
        if charge:
            points += charge
            pencil(table, ship, note(CHARGE, system), 0)
            wound(table, ship, (Wound(charge, HULL),), f"{BACKFIRE}:{ship.id}")
    return points
