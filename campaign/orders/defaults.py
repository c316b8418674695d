"""The orders of a faction that submits none."""

from __future__ import annotations

from campaign.orders import registry
from campaign.rules.orders import Orders
from campaign.rules.queries import with_known_designs
from campaign.rules.scenario import Scenario
from campaign.rules.view import View


def default_orders(scenario: Scenario, view: View) -> Orders:
    """Return the default orders of each kind, for any stage. They are valid."""
    scenario = with_known_designs(scenario, view)
    orders = Orders()
    for order in registry.ORDERS:
        if view.stage in order.stages:
            orders = order.with_items(orders, order.default(scenario, view))
    return orders
