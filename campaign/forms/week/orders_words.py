"""Orders in plain words, for players who review what they sealed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.orders.order import Wording
from campaign.orders.registry import reading_sequence, stored_items
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.web.seat_marks import power_names
from campaign.words.common import place_words
from engine.core.phrase import phrase


def orders_words(scenario: Scenario, view: View, payload: Mapping[str, Any]) -> tuple[str, ...]:
    """Return one line per order, grouped by kind; an empty payload gives one line that says so.

    Unreadable values are shown unchanged.
    """
    wording = Wording(
        scenario, view, lambda label: place_words(scenario, str(label)), power_names(scenario)
    )
    wording.names |= {fleet.key: fleet.name for fleet in (*view.fleets, *view.dummies)}
    wording.names |= {ship.key: ship.name for ship in view.ships}
    sequence = reading_sequence()
    # Names of new fleets and ships first, since any order may mention them
    for order in sequence:
        order.name_new(wording, stored_items(payload, order))
    lines = []
    for order in sequence:
        lines += order.words(wording, stored_items(payload, order))
    return tuple(lines) or (phrase("No orders: nothing changes."),)
