"""How pages say things: places, strengths, the age of a report."""

from __future__ import annotations

from collections.abc import Iterable

from campaign.rules.lookup import ship_classes, systems_by_hex
from campaign.rules.scenario import Scenario
from campaign.rules.view import Ship


def place_words(scenario: Scenario, label: str) -> str:
    """A hex as people say it: the system's name where there is one."""
    system = systems_by_hex(scenario).get(label)
    return label if system is None else f"{system.name} ({label})"


def strength_words(counts: Iterable[tuple[str, int]]) -> str:
    """Contacts or ships by classification: `2 capital, 3 cruiser`."""
    return ", ".join(f"{count} {kind}" for kind, count in counts) or "none"


def counted(scenario: Scenario, ships: Iterable[Ship]) -> tuple[tuple[str, int], ...]:
    """Ships by classification, the greatest first."""
    classes = ship_classes(scenario)
    found: dict[str, int] = {}
    for ship in ships:
        kind = classes[ship.cls].classification
        found[kind] = found.get(kind, 0) + 1
    order = {"capital": 0, "cruiser": 1, "escort": 2}
    return tuple(sorted(found.items(), key=lambda item: (order.get(item[0], 3), item[0])))


def weeks_ago(age: int) -> str:
    """How old a report is."""
    return {0: "this week", 1: "last week"}.get(age, f"{age} weeks ago")
