"""The base class of kinds whose orders each name one ship, `ship`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from campaign.orders.order import Order, OrderContext, ships_limit, tables
from campaign.rules.view import View
from campaign.rules.world import Ship
from engine.core.errors import Violation, fault_path


class SingleShipOrder(Order):
    """A kind whose orders each name a ship in `ship`; a ship has at most one order of the kind."""

    fault_anchor = ("ship", "ship")
    ship_names = ("ship",)
    control_ship = "ship"

    def limit(self, view: View) -> int:
        return ships_limit(view)

    def twice_words(self, ship: Ship) -> str:
        """Return the words of the fault of a ship's second order of this kind."""
        raise NotImplementedError(f"{type(self).__name__} has no words for a second order")

    def first_orders(
        self, context: OrderContext, faults: list[Violation]
    ) -> Iterator[tuple[str, Ship, Any]]:
        """Yield the first order of each of the faction's ships: its place, the ship, the order.

        The faults of all other orders are added to `faults`.
        """
        ordered: set[str] = set()
        for n, item in enumerate(self.items(context.orders)):
            where = fault_path(self.key, n)
            ship = context.ships.get(item.ship)
            if ship is None:
                faults.append(context.unknown_ship(f"{where}.ship", item.ship))
            elif item.ship in ordered:
                faults.append(Violation(f"{where}.ship", "twice", self.twice_words(ship)))
            else:
                ordered.add(item.ship)
                yield where, ship, item


def items_by_ship(items: Sequence[Any]) -> dict[str, Mapping[str, Any]]:
    """Return stored orders by the key of their ship."""
    return {str(item.get("ship")): item for item in tables(items)}
