"""All faults of a faction's orders, judged by the faction's own View alone.

Because judging uses nothing but the View and the public scenario, faults reveal nothing hidden. If
there are more orders than a faction can need, they are refused before any is judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from campaign.orders import registry
from campaign.orders.order import Order, OrderContext, entries
from campaign.rules.orders import Orders
from campaign.rules.queries import ship_classes, with_known_designs
from campaign.rules.scenario import Scenario
from campaign.rules.stations import with_known_gates
from campaign.rules.view import View
from engine.core.errors import Violation
from engine.core.reason import reason
from engine.notation.reading import prefix_places

# The kinds that are ordered, each with its orders.
OrderLists = list[tuple[Order, Sequence[object]]]


def limit_faults(view: View, orders: Orders | Mapping[str, Any]) -> list[Violation]:
    """Return the faults of too many orders, whatever other faults they have.

    Args:
        orders: Orders, or unchecked input for them.
    """
    return _limit_faults(view, _order_lists(orders))


def order_violations(
    scenario: Scenario,
    view: View,
    orders: Orders,
    where: str = "",
) -> tuple[Violation, ...]:
    """Return every fault of orders for the View's stage. Orders without faults can be sealed.

    Args:
        where: The place of the orders in a larger document, a prefix of the place of each fault.
    """
    order_lists = _order_lists(orders)
    faults = _limit_faults(view, order_lists)
    if not faults:
        known_scenario = with_known_gates(with_known_designs(scenario, view), view)
        all_faults = _stage_faults(view, order_lists) + _judge(known_scenario, view, orders)
        faults = sorted(set(all_faults))
    if where:
        return prefix_places(where, faults)
    return tuple(faults)


def _order_lists(orders: Orders | Mapping[str, Any]) -> OrderLists:
    """Return the kinds of which there are orders, with these."""
    result: OrderLists = []
    for order in registry.ORDERS:
        if isinstance(orders, Orders):
            items: Sequence[object] = order.items(orders)
        else:
            items = entries(orders, order.key)
        if items:
            result.append((order, items))
    return result


def _limit_faults(view: View, order_lists: OrderLists) -> list[Violation]:
    """Return the faults of too many orders or, if there are none, of too long lists in orders."""
    faults = []
    for order, items in order_lists:
        most = order.limit(view)
        count = len(items)
        if count > most:
            words = reason(
                "most-orders-kind-given",
                "at most {} orders of this kind can be given, not {}",
                most,
                count,
            )
            faults.append(Violation(order.key, "too-many", words))
    if faults:
        return faults
    for order, items in order_lists:
        for where, count, most in order.list_limits(items, view):
            if count > most:
                words = reason("most-named-not", "at most {} can be listed, not {}", most, count)
                faults.append(Violation(where, "too-many", words))
    return faults


def _stage_faults(view: View, order_lists: OrderLists) -> list[Violation]:
    """Return the faults of kinds that cannot be ordered in this stage."""
    words = reason("cannot-ordered-stage", "this cannot be ordered in the stage '{}'", view.stage)
    refused = [order for order, _ in order_lists if view.stage not in order.stages]
    return [Violation(order.key, "not-now", words) for order in refused]


def _judge(scenario: Scenario, view: View, orders: Orders) -> list[Violation]:
    """Return the faults of all kinds, each judged by what the kinds before it leave."""
    context = OrderContext(
        classes=ship_classes(scenario),
        scenario=scenario,
        view=view,
        orders=orders,
        fleets={fleet.key: fleet for fleet in view.fleets},
        ships={ship.key: ship for ship in view.ships},
    )
    faults: list[Violation] = []
    for order in registry.judging_sequence(view.stage):
        faults += order.judge(context)
    return faults
