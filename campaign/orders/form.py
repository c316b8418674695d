"""Detach: ships leave their fleets and form another. Split, merge and transfer are all this."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from campaign.orders.order import Judging, Order, OwnForces, Wording, count_entries, listed, ships_limit, tables
from campaign.orders.settings import decoy_words
from campaign.orders.ships_named import named_ship
from campaign.rules.fleet_names import new_fleet_name
from campaign.rules.fleet_violations import detach_violations
from campaign.rules.movement import apply_detach
from campaign.rules.orders import Detach, Orders
from campaign.rules.own_keys import page_id
from campaign.rules.view import View
from engine.core.errors import Violation
from engine.core.phrase import joined_phrases, phrase


class DetachOrder(Order):
    """The detachments of a week."""

    key = "detach"
    value = Detach
    about = ("fleet", "into")
    ship_names = ("ships",)

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        sorted_ships = (replace(item, ships=tuple(sorted(item.ships))) for item in items)
        return tuple(sorted(sorted_ships, key=lambda item: (item.ships, item.into, repr(item))))

    def limit(self, view: View) -> int:
        return ships_limit(view)

    def list_limits(self, items: Sequence[object], view: View) -> Iterator[tuple[str, int, int]]:
        yield self.key, count_entries(items, "ships"), 2 * ships_limit(view)

    def judge(self, judging: Judging) -> list[Violation]:
        detach = self.items(judging.orders)
        faults = detach_violations(judging.view, detach)
        if faults:  # what a faulty detachment would form is not judged further
            judging.detach_faulty = True
            judging.unformed = frozenset(item.into for item in detach) - set(judging.fleets)
        elif detach:
            judging.fleets, judging.ships = apply_detach(judging.fleets, judging.ships, detach)
        return faults

    def carry_out(self, own: OwnForces, orders: Orders) -> None:
        own.fleets, own.ships = apply_detach(own.fleets, own.ships, self.items(orders))

    def name_new(self, about: Wording, items: Sequence[Any]) -> None:
        for item in tables(items):
            into = str(item.get("into"))
            about.names.setdefault(into, str(item.get("name") or new_fleet_name(into)))

    def words(self, about: Wording, items: Sequence[Any]) -> list[str]:
        lines = []
        for item in tables(items):
            ships = joined_phrases(", ", (about.named(key) for key in listed(item.get("ships"))))
            line = phrase("{} → {}", ships, about.named(item.get("into")))
            decoys = item.get("decoys")
            lines.append(phrase("{}, with {}", line, decoy_words(decoys)) if decoys else line)
        return lines

    def anchor(self, item: object, number: int, rest: str) -> str:
        ship = named_ship(item, rest)
        return page_id("ship", ship) if ship is not None else super().anchor(item, number, rest)

    def about_ship(self, items: Sequence[Any], ship: str, fleets: Sequence[str]) -> list[Any]:
        """The others that go along are in their own histories."""
        return [{**item, "ships": [ship]} for item in super().about_ship(items, ship, fleets)]

    def fleets_joined(self, payload: Mapping[str, Any], ship: str) -> list[str]:
        """Return the fleets that a ship is detached into."""
        found = self.about_ship(listed(payload.get(self.key)), ship, ())
        return [str(item.get("into")) for item in found]


DETACH = DetachOrder()
