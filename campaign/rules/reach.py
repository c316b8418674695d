"""What a fleet may reach, from its own faction's knowledge: the public map and the View, nothing else."""

from __future__ import annotations

from campaign.rules.lookup import grounded, in_sight, may_not_enter, ship_classes, ships_by_fleet
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import star_map
from campaign.rules.view import View


def reachable(scenario: Scenario, view: View, fleet: str) -> tuple[tuple[str, int], ...]:
    """The hexes a fleet of the View's faction may move to this week, each with its steps, in the order of labels.

    Dummy counters move as fleets do. Nothing where the fleet is unknown, cannot jump, is docked (a ship of it), or
    still waits to enter.

    Rules: 2E "The campaign map" [camp.ftl-move]
    """
    found = next((item for item in (*view.fleets, *view.dummies) if item.key == fleet), None)
    if found is None or may_not_enter(scenario, found, view.week) is not None:
        return ()
    if grounded(ship_classes(in_sight(scenario, view)), ships_by_fleet(view.ships).get(fleet, ())):
        return ()
    near = star_map(scenario).reach(found.hex, scenario.hexes_per_week)
    return tuple((label, steps) for label, steps in near if label != found.hex)


def weeks_between(scenario: Scenario, a: str, b: str) -> int | None:
    """The fewest weeks from one hex to another, counted by steps alone; None where no way leads there."""
    steps = star_map(scenario).distance(a, b)
    return None if steps is None else -(-steps // scenario.hexes_per_week)
