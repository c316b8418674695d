"""When the further orders of plots are carried out. What each asks of a ship and does stands in its class.

Rules: Continuum "Orders" 3.5 [pc.movement]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.core.orders import FurtherOrder, Plot
from engine.core.ship import ShipState
from engine.core.table import Table


def orders_opened(table: Table, plots: Mapping[str, Plot]) -> None:
    """Phase 1: what they do as orders are opened, ship by ship in file order, in the order of each plot."""
    for ship, order in _ordered(table, plots):
        order.opened(table, ship)


def orders_moved(table: Table, plots: Mapping[str, Plot]) -> None:
    """The end of phase 5: what they do once everything has moved, likewise."""
    for ship, order in _ordered(table, plots):
        order.moved(table, ship)


def _ordered(table: Table, plots: Mapping[str, Plot]) -> Iterator[tuple[ShipState, FurtherOrder]]:
    """Every ship with each of its further orders."""
    for ship in table.state.ships:
        if ship.id in plots:
            for order in plots[ship.id].further:
                yield ship, order
