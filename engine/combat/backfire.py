"""What a wave gun that is knocked out with its capacitors charged does to its own ship.

Rules: Continuum "Wave gun" 7.24 [pc.wave-gun]
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.combat.wounds import wound
from engine.notes import CHARGE, note
from engine.pencil import pencil
from engine.rolls import HULL, Wound
from engine.ship import ShipState
from engine.table import Table

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
