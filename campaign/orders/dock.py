"""Dock: a ship docks at its system's base, or stays docked, and says what it wants of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from campaign.orders.order import (
    Judging,
    Order,
    OwnForces,
    Wording,
    entries,
    listed,
    ships_limit,
    tables,
)
from campaign.rules.bases import base_for, can_repair, dock_violations
from campaign.rules.movement import apply_dock
from campaign.rules.orders import Dock, Orders
from campaign.rules.queries import ship_classes
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from engine.core.errors import Violation, place
from engine.core.phrase import joined_phrases, phrase
from engine.english import system_words

MOST_REPAIRS = 100  # systems of a ship


class DockOrder(Order):
    """The docks of a week: a docked ship that is not named undocks."""

    key = "dock"
    value = Dock
    about = ("ship", "ship")
    ship_names = ("ship",)

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        sorted_repairs = (replace(item, repair=tuple(sorted(item.repair))) for item in items)
        return tuple(sorted(sorted_repairs, key=lambda item: (item.ship, item.repair, repr(item))))

    def limit(self, view: View) -> int:
        return ships_limit(view)

    def list_limits(self, items: Sequence[object], view: View) -> Iterator[tuple[str, int, int]]:
        for n, item in enumerate(items):
            yield place(self.key, n, "repair"), len(entries(item, "repair")), MOST_REPAIRS

    def default(self, scenario: Scenario, view: View) -> tuple[Dock, ...]:
        """Docked ships stay docked and want what they wanted."""
        fleets = {fleet.key: fleet for fleet in view.fleets}
        classes = ship_classes(scenario)
        found = []
        for ship in view.ships:
            fleet = fleets[ship.fleet]
            base = base_for(scenario, view, fleet) if ship.docked else None
            if base is not None:
                repairs = can_repair(base, classes[ship.cls])
                wanted = ship.lost[:3] if repairs else ()
                if repairs or base.replenishes:
                    found.append(Dock(ship.key, tuple(sorted(wanted)), base.replenishes, ship.scuttle))
        return tuple(found)

    def judge(self, judging: Judging) -> list[Violation]:
        docks = self.items(judging.orders)
        faults = dock_violations(judging.scenario, judging.view, docks, judging.fleets, judging.ships)
        judging.ships = apply_dock(judging.ships, docks)
        return faults

    def carry_out(self, own: OwnForces, orders: Orders) -> None:
        own.ships = apply_dock(own.ships, self.items(orders))

    def words(self, about: Wording, items: Sequence[Any]) -> list[str]:
        return [phrase("{} {}", about.named(item.get("ship")), _wanted(item)) for item in tables(items)]


def _wanted(item: Mapping[str, Any]) -> str:
    parts = ["docks"]
    repair = listed(item.get("repair"))
    if repair:
        parts.append("repairs " + joined_phrases(", ", (system_words(str(system)) for system in repair)))
    if item.get("replenish"):
        parts.append("replenishes")
    if item.get("scuttle"):
        parts.append(phrase("is scuttled rather than captured"))
    return joined_phrases(", ", parts)


DOCK = DockOrder()
