"""The base class of kinds whose orders are the keys of ships."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from campaign.orders.order import Order, OrderContext, ships_limit
from campaign.rules.own_keys import page_id
from campaign.rules.view import View
from campaign.rules.world import Ship
from engine.core.errors import Violation, fault_path
from engine.core.reason import reason


class ShipKeyOrder(Order):
    """A kind whose orders each are the key of a ship."""

    value = str

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted(items))

    def limit(self, view: View) -> int:
        return ships_limit(view)

    def judge(self, context: OrderContext) -> list[Violation]:
        faults: list[Violation] = []
        earlier_keys: set[str] = set()
        for n, key in enumerate(self.items(context.orders)):
            where = fault_path(self.key, n)
            ship = context.ships.get(key)
            if ship is None:
                faults.append(context.unknown_ship(where, key))
            else:
                faults += self.ship_faults(context, ship, where)
            if key in earlier_keys:
                words = reason("named-twice", "'{}' is listed twice", key)
                faults.append(Violation(where, "twice", words))
            earlier_keys.add(key)
        return faults

    def ship_faults(self, context: OrderContext, ship: Ship, where: str) -> list[Violation]:
        """Return why one of the faction's ships cannot do what this kind orders."""
        return []

    def anchor(self, item: object, number: int, rest: str) -> str:
        if isinstance(item, str):
            return page_id("ship", item)
        return ""

    def about_ship(self, items: Sequence[Any], ship: str, fleets: Sequence[str]) -> list[Any]:
        if ship in items:
            return [ship]
        return []
