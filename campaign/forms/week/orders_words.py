"""Orders in plain words, for the player who reads back what was sealed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.orders.order import Wording
from campaign.orders.registry import given, telling_sequence
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.web.seat_marks import power_names
from campaign.words.sayings import place_words
from engine.core.phrase import phrase


def orders_words(scenario: Scenario, view: View, payload: Mapping[str, Any]) -> tuple[str, ...]:
    """Return one line an order, kind by kind; an empty payload says so. What cannot be read stays as it is."""
    about = Wording(scenario, view, lambda label: place_words(scenario, str(label)), power_names(scenario))
    about.names |= {fleet.key: fleet.name for fleet in (*view.fleets, *view.dummies)}
    about.names |= {ship.key: ship.name for ship in view.ships}
    sequence = telling_sequence()
    for order in sequence:
        order.name_new(about, given(payload, order))
    lines = []
    for order in sequence:
        lines += order.words(about, given(payload, order))
    return tuple(lines) or (phrase("No orders: nothing changes."),)
