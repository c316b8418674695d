"""What goes off among ships: whom it can reach, and what its dice do to one of them.

Rules: Continuum "Antimatter missiles" 6.6, "Antimatter suicide charge" 7.9 [pc.suicide-charge]
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.continuum.damage import mark_damage
from engine.continuum.defences import layers_over
from engine.core.kinds import ON_TABLE, PLAIN
from engine.core.rolls import TypedDamage
from engine.core.ship import BERTHED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.damage import Burned
from engine.systems.defences import MOST_OWN
from engine.weapons.antimatter import burn


def exposed(state: BattleState) -> Iterator[ShipState]:
    """The ships that an explosion could reach, in file order: all on the table but those in a bay."""
    return (ship for ship in state.ships if ship.status in ON_TABLE and ship.docking != BERTHED)


def scorch(table: Table, ship: ShipState, number: int, of: str, cause: str) -> None:
    """So many dice of an explosion do plain damage to a ship; each level of screens of either kind, two at most, takes
    one off each die. `of`: what goes off, whose dice they are; `cause`: what the damage is put down to.

    Rules: Continuum "Antimatter missiles" 6.6 [pc.suicide-charge]
    """
    screens = min(layers_over(table.state, ship)[0], MOST_OWN)
    thrown, points = burn(number, screens, table.dice, f"{of}>{ship.id}")
    if table.listens:
        table.tell(Burned, ship.id, cause, thrown, screens, points)
    mark_damage(table, ship, (TypedDamage(points, PLAIN),), cause)
