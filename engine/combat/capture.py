"""A ship that another side takes over in battle: who boards it, or to whom it strikes, says so
here.

A rule decides that it happens, with its own dice and events; this makes and tells the change. The
ship stays its owner's by right: points and conditions of victory count it for him, as lost.
"""

from __future__ import annotations

from engine.core.ids import NO_SHIP
from engine.core.kinds import DESTROYED
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.events.battle import ShipTakenOver
from engine.events.movement import InSquadron


def take_over(table: Table, ship: ShipState, side: int, cause: str) -> None:
    """The ship takes the orders of `side` (by number) from the next stop on.

    `why`: how that came, in a word or two.

    It is out of its squadron, and who flew by its plot flies alone. Its craft in flight and the
    mines it laid stay with the side that sent them out. Raises ValueError for a ship that nobody
    can take: a drone, one that is destroyed, and one that `side` commands already.
    """
    if ship.dummy or ship.status == DESTROYED or ship.commander == side:
        raise ValueError(f"{ship.id} cannot be taken over by {table.state.sides[side]}")
    for other in table.state.ships:
        if other.record.squadron and (other is ship or other.record.squadron == ship.id):
            table.state.set_leader(other, NO_SHIP)
            table.tell(InSquadron, other.id, NO_SHIP)
    ship.change_commander(side)
    table.tell(ShipTakenOver, ship.id, table.state.sides[side], ship.sheet.cls, cause)
