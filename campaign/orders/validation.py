"""The faults of a faction's orders, all of them, judged by the faction's own View alone.

Because nothing but the View and the public scenario is asked, what is legal tells nobody what is
hidden. More orders than a faction can have to give are refused before any is judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from campaign.orders import registry
from campaign.orders.order import Judging, Order, entries
from campaign.rules.orders import Orders
from campaign.rules.queries import in_sight
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from engine.core.errors import Violation
from engine.core.reason import reason


def limit_faults(view: View, orders: Orders | Mapping[str, Any]) -> list[Violation]:
    """Return the faults of orders that are too many, whatever else is wrong with them.

    Args:
        orders: Orders, or what somebody wrote for them.
    """
    given = [(order, items) for order in registry.ORDERS if (items := _items(order, orders))]
    faults = []
    for order, items in given:
        most, count = order.limit(view), len(items)
        if count > most:
            words = reason("most-orders-kind-given", "at most {} orders of this kind can be given, not {}", most, count)
            faults.append(Violation(order.key, "too-many", words))
    if faults:
        return faults
    for order, items in given:
        for where, count, most in order.list_limits(items, view):
            if count > most:
                words = reason("most-named-not", "at most {} can be named, not {}", most, count)
                faults.append(Violation(where, "too-many", words))
    return faults


def _items(order: Order, orders: Orders | Mapping[str, Any]) -> Sequence[object]:
    return order.items(orders) if isinstance(orders, Orders) else entries(orders, order.key)


def order_violations(scenario: Scenario, view: View, orders: Orders, where: str = "") -> tuple[Violation, ...]:
    """Every fault of the orders for the View's stage; none: they may be sealed. `where` goes before each place."""
    if beyond := limit_faults(view, orders):
        return tuple(replace(item, where=f"{where}.{item.where}") if where else item for item in beyond)
    faults = _refused(view, orders)
    judging = Judging(
        scenario=in_sight(scenario, view),
        view=view,
        orders=orders,
        fleets={fleet.key: fleet for fleet in view.fleets},
        ships={ship.key: ship for ship in view.ships},
    )
    for order in registry.judging_sequence(view.stage):
        faults.extend(order.judge(judging))
    prefixed = faults if not where else [replace(item, where=f"{where}.{item.where}") for item in faults]
    return tuple(sorted(set(prefixed)))


def _refused(view: View, orders: Orders) -> list[Violation]:
    words = reason("cannot-ordered-stage", "this cannot be ordered in the stage '{}'", view.stage)
    refused = (order for order in registry.ORDERS if view.stage not in order.stages and order.items(orders))
    return [Violation(order.key, "not-now", words) for order in refused]
