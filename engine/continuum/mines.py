"""Continuum's mines, with four beam dice and re-rolls, and minesweepers active from phase 1.

Rules: Continuum "Mines and mine racks" 6.9, "Minelaying" 6.10, "Minesweeping" 12.5 [pc.mines]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.continuum.damage import apply_damage
from engine.continuum.defences import protection_of
from engine.core.kinds import FIGHTING
from engine.core.orders import Plot
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.pieces.mine import CAUSE, MineFired, activate_sweepers
from engine.weapons.mines import roll_detonation


def detonate_mine(table: Table, ship: ShipState, subject: str) -> None:
    """Roll a mine's dice against a ship behind its screens, with damage and checks at once.

    Re-rolls start a layer of armour deeper.

    Rules: Continuum "Mines and mine racks" 6.9 [pc.mines]
    """
    screens = protection_of(table.state, ship).screens
    rolls, damage = roll_detonation(screens, table.dice, subject)
    table.tell(
        MineFired,
        ship=ship.id,
        screens=screens,
        dice=rolls,
        hits=sum(typed.points for typed in damage),
    )
    apply_damage(table, ship, damage, CAUSE)


def start_sweeping(table: Table, orders: Mapping[str, Plot]) -> None:
    """Activate the minesweepers that orders name, for the turn (phase 1).

    Rules: Continuum "Minesweeping" 12.5 [pc.mines]
    """
    for ship in table.state.ships:
        if ship.id in orders and orders[ship.id].sweep and ship.status == FIGHTING:
            activate_sweepers(table, ship)
