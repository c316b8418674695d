"""The base class of kinds whose orders each have a list of ships, `ships`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from campaign.orders.order import Order, Wording, count_entries, ships_limit
from campaign.rules.codec import as_list
from campaign.rules.view import View
from engine.core.phrase import join_phrases


class ShipListOrder(Order):
    """A kind whose orders each name ships in `ships`, in any sequence."""

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        ships_sorted = [replace(item, ships=tuple(sorted(item.ships))) for item in items]
        return tuple(sorted(ships_sorted, key=self.sort_key))

    def sort_key(self, item: Any) -> tuple[Any, ...]:
        """Return the sort key of an order of this kind, so that equal ones are stored equally."""
        return (item.ships, repr(item))

    def limit(self, view: View) -> int:
        return ships_limit(view)

    def list_limits(self, items: Sequence[object], view: View) -> Iterator[tuple[str, int, int]]:
        yield self.key, count_entries(items, "ships"), 2 * ships_limit(view)


def names_of_ships(wording: Wording, item: Mapping[str, Any]) -> str:
    """Return the names of the ships of a stored order, separated by commas."""
    names = [wording.name_of(key) for key in as_list(item.get("ships"))]
    return join_phrases(", ", names)
