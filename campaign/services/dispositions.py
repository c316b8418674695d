"""Starting forces as a computer admiral would choose them, offered to players as presets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.module_loading import import_string

from campaign.orders.codec import orders_payload
from campaign.rules.orders import DeployedFleet, Orders
from campaign.rules.scenario import Scenario
from engine.core.phrase import phrase

# Titles of the presets on the page.
TITLES: Mapping[str, str] = {
    "as listed": phrase("As in the scenario"),
    "massed": phrase("One strong force"),
    "two fleets": phrase("Two forces"),
    "forward": phrase("Three forces"),
    "reserve": phrase("Held back"),
}
_source: dict[str, str] = {}
Dispositions = tuple[tuple[str, tuple[DeployedFleet, ...]], ...]


def dispositions_register(*, source: str) -> None:
    """Set the dotted name of the function that returns presets for a scenario and a faction.

    The function must not use dice.
    """
    _source["admiral"] = source


def presets_of(scenario: Scenario, faction: str) -> dict[str, list[Any]]:
    """Return a faction's preset forces by name, each as a deployment in the format of orders."""
    disposed: Callable[[Scenario, str], Dispositions] = import_string(_source["admiral"])
    result: dict[str, list[Any]] = {}
    for name, force in disposed(scenario, faction):
        result[name] = orders_payload(Orders(deploy=force)).get("deploy", [])
    return result
