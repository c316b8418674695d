"""Supply by a computer admiral: ships load stores, and supply others that go the same way.

Rules: Continuum "Mountings and magazines" 6.6 [camp.fleet-auxiliary]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from campaign.orders.load import Load
from campaign.orders.supply import Supply
from campaign.rules.goods import STORES, goods_named, room_for
from campaign.rules.orders import Orders
from campaign.rules.queries import (
    has_contact_at,
    pending_entry_week,
    ship_classes,
    side_of,
    systems_by_hex,
)
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.view import Fleet, Ship, View
from engine.core.edition import Edition


def with_supplies_planned(scenario: Scenario, view: View, orders: Orders) -> Orders:
    """Return orders with those to load stores and to supply ships, in Continuum."""
    if scenario.edition == Edition.SECOND_EDITION or goods_named(scenario, STORES) is None:
        return orders
    plan = _SupplyPlan(scenario, view, orders)
    return replace(orders, other_kinds=(*orders.other_kinds, *plan.loads(), *plan.supplies()))


class _SupplyPlan:
    """What ships with stores can do in a week, beside the other orders."""

    def __init__(self, scenario: Scenario, view: View, orders: Orders) -> None:
        self.scenario = scenario
        self.view = view
        self.classes: Mapping[str, ShipClass] = ship_classes(scenario)
        self.hex_of = {fleet.key: fleet.hex for fleet in view.fleets if self._is_free(fleet)}
        self.destination = {move.fleet: move.to or move.path[-1:] for move in orders.moves}
        self.loading = {item.ship for item in orders.other_kinds if isinstance(item, Load)}
        self.ships = self._ships_without(orders)

    def _is_free(self, fleet: Fleet) -> bool:
        """Return whether a fleet is on the map and not in contact."""
        is_here = pending_entry_week(self.scenario, fleet, self.view.week) is None
        return is_here and not fleet.in_ftl and not has_contact_at(self.view, fleet.hex)

    def _ships_without(self, orders: Orders) -> list[Ship]:
        """Return the ships of free fleets that are not docked, and neither dock nor leave."""
        busy = {item.ship for item in orders.dock}
        for detachment in orders.detach:
            busy.update(detachment.ships)
        ships = []
        for ship in self.view.ships:
            if ship.key not in busy and not ship.docked and ship.fleet in self.hex_of:
                ships.append(ship)
        return ships

    def loads(self) -> list[Load]:
        """Return orders to load stores where the faction's side holds them."""
        own_side = side_of(self.scenario, self.view.faction)
        holder_of = {item.system: item.holder for item in self.view.systems}
        stores_in = {item.system: item.amount for item in self.view.goods if item.what == STORES}
        goods = goods_named(self.scenario, STORES)
        system_at = systems_by_hex(self.scenario)
        result = []
        for ship in self.ships:
            system = system_at.get(self.hex_of[ship.fleet])
            if goods is None or system is None or ship.key in self.loading:
                continue
            room = room_for(self.scenario, self.classes[ship.cls], ship, goods)
            amount = min(room, stores_in.get(system.id, 0))
            if amount and holder_of[system.id] in own_side:
                stores_in[system.id] -= amount
                result.append(Load(ship.key, STORES))
        return result

    def supplies(self) -> list[Supply]:
        """Return an order for each ship that lacks something and goes where a supplier goes."""
        givers = [ship for ship in self.ships if _has_stores(ship)]
        result = []
        for ship in self.ships:
            giver = self._giver_for(ship, givers) if ship.stock else None
            if giver is not None:
                result.append(Supply(giver.key, ship.key))
        return result

    def _giver_for(self, ship: Ship, givers: Sequence[Ship]) -> Ship | None:
        """Return the first supplier that ends the week where a ship does."""
        for giver in givers:
            if giver.key != ship.key and self._end_of(giver) == self._end_of(ship):
                return giver
        return None

    def _end_of(self, ship: Ship) -> object:
        """Return where a ship is and where its fleet goes."""
        return self.hex_of[ship.fleet], self.destination.get(ship.fleet)


def _has_stores(ship: Ship) -> bool:
    return ship.cargo is not None and ship.cargo.what == STORES and ship.cargo.remaining > 0
