"""The forces that a computer admiral would begin with, offered to players as beginnings of their
own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.module_loading import import_string

from campaign.orders.codec import orders_payload
from campaign.rules.orders import Deployed, Orders
from campaign.rules.scenario import Scenario
from engine.core.phrase import phrase

# What each disposition is called on the page.
TITLES: Mapping[str, str] = {
    "as listed": phrase("As the scenario lists it"),
    "massed": phrase("One strong force"),
    "two fleets": phrase("Two forces"),
    "forward": phrase("Three forces"),
    "reserve": phrase("Held back"),
}
_source: dict[str, str] = {}
Dispositions = tuple[tuple[str, tuple[Deployed, ...]], ...]


def dispositions_register(*, source: str) -> None:
    """The dotted name of who disposes forces: a function of a scenario and a faction, without
    dice.
    """
    _source["admiral"] = source


def presets_of(scenario: Scenario, faction: str) -> dict[str, list[Any]]:
    """The forces to begin with, by the names of dispositions, each as a deployment in orders."""
    disposed: Callable[[Scenario, str], Dispositions] = import_string(_source["admiral"])
    return {
        name: orders_payload(Orders(deploy=force)).get("deploy", [])
        for name, force in disposed(scenario, faction)
    }
