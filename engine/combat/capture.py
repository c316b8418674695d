"""Hand a ship over to another side during a battle, after boarding or surrender.

The rule that causes the change rolls its own dice and reports its own events; this module makes the
change and reports it. The ship still belongs to its owner: points and victory conditions count it
as that side's loss.
"""

from __future__ import annotations

from engine.core.ids import NO_SHIP
from engine.core.kinds import DESTROYED
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.events.battle import ShipTakenOver
from engine.events.movement import InSquadron


def take_over(table: Table, ship: ShipState, side: int, cause: str) -> None:
    """Put a ship under the command of a side from the next phase on.

    The ship leaves its squadron, and the ships that followed its plot fly alone. Its craft in
    flight and the mines it laid stay with the side that sent them out.

    Args:
        side: The number of the side that takes over.
        cause: Why, in a word or two.

    Raises:
        ValueError: The ship is a decoy, is destroyed, or is already under that side's command.
    """
    if ship.dummy or ship.status == DESTROYED or ship.commander == side:
        raise ValueError(f"{ship.id} cannot be taken over by {table.state.sides[side]}")
    for other in table.state.ships:
        if other.record.squadron and (other is ship or other.record.squadron == ship.id):
            table.state.set_leader(other, NO_SHIP)
            table.tell(InSquadron, other.id, NO_SHIP)
    ship.change_commander(side)
    table.tell(
        ShipTakenOver, ship=ship.id, side=table.state.sides[side], cls=ship.sheet.cls, cause=cause
    )
