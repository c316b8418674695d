"""Mines of the second edition: two dice against the ship's screens, with immediate damage.

Rules: 2E "Mines" [2e.mines]
"""

from __future__ import annotations

from engine.core.ship import ShipState
from engine.core.table import Table
from engine.pieces.mine import CAUSE, MineFired
from engine.second_edition.damage import mark_damage
from engine.weapons.mines import roll_warhead


def detonate_mine(table: Table, ship: ShipState, subject: str) -> None:
    """Roll a mine's dice at a ship, and mark the damage at once.

    Rules: 2E "Mines" [2e.mines]
    """
    rolls, points = roll_warhead(ship.screens, table.dice, subject)
    table.tell(MineFired, ship=ship.id, screens=ship.screens, dice=rolls, hits=points)
    mark_damage(table, ship, points=points, cause=CAUSE, die=0)
