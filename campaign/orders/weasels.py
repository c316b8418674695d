"""Weasels: the ships whose weasel system is on this week. All others are off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from campaign.orders.line import Line, Word
from campaign.orders.order import OrderContext, OwnForces, Wording
from campaign.orders.ship_keys import ShipKeyOrder
from campaign.rules.orders import Orders
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.rules.world import Ship
from engine.core.errors import Violation
from engine.core.phrase import phrase
from engine.core.reason import reason


class WeaselOrder(ShipKeyOrder):
    """The ships whose weasel is on."""

    key = "weasels"
    lines = (Line("weasel", "weasel SHIP", (Word(""),)),)

    def default(self, scenario: Scenario, view: View) -> tuple[str, ...]:
        """Return the ships whose weasel is on already."""
        return tuple(ship.key for ship in view.ships if ship.weasel_on)

    def ship_faults(self, context: OrderContext, ship: Ship, where: str) -> list[Violation]:
        if not context.classes[ship.cls].weasel:
            words = reason("no-weasel-system", "{} has no weasel system", ship.name)
            return [Violation(where, "no-weasel", words)]
        if any(system.startswith("weasel") for system in ship.lost):
            words = reason("weasel-system-lost", "the weasel system of {} is lost", ship.name)
            return [Violation(where, "no-weasel", words)]
        return []

    def carry_out(self, own: OwnForces, orders: Orders) -> None:
        """Switch weasels on and off.

        Rules: 2E "When fleets meet" [camp.decoys]
        """
        ordered_on = own.ships.keys() & set(self.items(orders))
        now_on = {ship.key for ship in own.ships.values() if ship.weasel_on}
        changed = {}
        for key in sorted(now_on ^ ordered_on):
            changed[key] = replace(own.ships[key], weasel_on=key in ordered_on)
        own.change_ships(changed)

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        return [phrase("{} switches its weasel on", wording.name_of(key)) for key in items]


WEASELS = WeaselOrder()
