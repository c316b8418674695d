"""Pencilling a note on a ship's sheet, with the line of the log that tells it to those who may know."""

from __future__ import annotations

from engine.core.notes import OPEN_NOTES
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.events.damage import Marked, Noted


def pencil(table: Table, ship: ShipState, name: str, value: int) -> None:
    """Pencil a note on a ship's sheet, or rub it out (0), for all to see where such a note is open."""
    if ship.notes.get(name, 0) == value:
        return
    ship.set_note(name, value)
    if table.listens:
        table.tell(Marked if name.partition(":")[0] in OPEN_NOTES else Noted, ship.id, name, value)
