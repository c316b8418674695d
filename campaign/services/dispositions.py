"""Starting forces as a computer admiral would choose them, offered to players as presets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.module_loading import import_string

from campaign.orders.codec import orders_payload
from campaign.rules.orders import DeployedFleet, Orders
from campaign.rules.scenario import Scenario
from engine.core.phrase import phrase

AS_LISTED = "as listed"  # the preset with the scenario's own fleets
# Titles of the presets on the page, by their names.
TITLES: Mapping[str, str] = {
    AS_LISTED: phrase("As in the scenario"),
    "massed": phrase("One strong force"),
    "two fleets": phrase("Two forces"),
    "forward": phrase("Three forces"),
    "reserve": phrase("Held back"),
}
_registered: dict[str, str] = {}  # dotted name of the source of presets
Dispositions = tuple[tuple[str, tuple[DeployedFleet, ...]], ...]


def dispositions_register(*, source: str) -> None:
    """Set the dotted name of the function that returns presets for a scenario and a faction.

    The function must not use dice.
    """
    _registered["source"] = source


def presets_of(scenario: Scenario, faction: str) -> dict[str, list[Any]]:
    """Return a faction's preset forces by name, each as a deployment in the format of orders."""
    dispositions_for: Callable[[Scenario, str], Dispositions] = import_string(_registered["source"])
    presets: dict[str, list[Any]] = {}
    for name, fleets in dispositions_for(scenario, faction):
        presets[name] = orders_payload(Orders(deploy=fleets)).get("deploy", [])
    return presets
