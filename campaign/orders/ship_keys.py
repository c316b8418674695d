"""The base class of kinds whose orders are the keys of ships."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from campaign.orders.order import Order, ships_limit
from campaign.rules.own_keys import page_id
from campaign.rules.view import View


class ShipKeyOrder(Order):
    """A kind whose orders each are the key of a ship."""

    value = str

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted(items))

    def limit(self, view: View) -> int:
        return ships_limit(view)

    def anchor(self, item: object, number: int, rest: str) -> str:
        if isinstance(item, str):
            return page_id("ship", item)
        return ""

    def about_ship(self, items: Sequence[Any], ship: str, fleets: Sequence[str]) -> list[Any]:
        if ship in items:
            return [ship]
        return []
