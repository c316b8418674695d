"""Raids of a computer admiral on convoys: where merchants that were seen lately may be this week.

Rules: 2E "Campaign objectives" [camp.objective-kinds]
"""

from __future__ import annotations

from collections.abc import Iterator

from campaign.rules.arrivals import weekly_route
from campaign.rules.goods import MERCHANT
from campaign.rules.queries import ship_classes, side_of, systems_by_hex
from campaign.rules.scenario import Objective, Scenario
from campaign.rules.sightings import newest_sightings
from campaign.rules.starmap import star_map
from campaign.rules.view import Sighting, View

MAX_AGE = 1  # weeks; where older sightings have gone is not known
AHEAD_VALUE = 0.5  # of the system where a convoy will be if it goes on to its target
STAYING_VALUE = 0.3  # of the system where it was seen


def raid_values(scenario: Scenario, view: View) -> dict[str, float]:
    """Return the value of a raid by system, for a faction with an objective against merchants.

    A convoy is expected to stay, or to go on to a place where its faction is to deliver goods.
    """
    if not _hunts_merchants(scenario, view.faction):
        return {}
    chart = star_map(scenario)
    system_at = systems_by_hex(scenario)
    hex_of = {system.id: system.hex for system in scenario.systems}
    values: dict[str, float] = {}
    for sighting in _convoys_seen(scenario, view):
        places = {sighting.hex: STAYING_VALUE}
        for target in _targets_of(scenario, sighting.faction):
            speed = scenario.hexes_per_week
            route = weekly_route(chart, sighting.hex, hex_of[target], speed)
            if route:
                places[route[0]] = AHEAD_VALUE
        for hex_, value in places.items():
            if hex_ in system_at:
                system = system_at[hex_].id
                values[system] = max(value, values.get(system, 0.0))
    return values


def _hunts_merchants(scenario: Scenario, faction: str) -> bool:
    """Return whether a faction has an objective that the loss of merchants helps."""
    kind_of = {objective.key: objective.kind for objective in scenario.objectives}
    for objective in scenario.objectives:
        if objective.faction != faction:
            continue
        if objective.kind == "deny" and kind_of.get(objective.of) == "deliver":
            return True
        if objective.kind == "destroy" and _counts_merchants(scenario, objective):
            return True
    return False


def _counts_merchants(scenario: Scenario, objective: Objective) -> bool:
    """Return whether an objective to destroy ships counts merchants among them."""
    if objective.ships in ("all", MERCHANT):
        return True
    cls = ship_classes(scenario).get(objective.ships)
    return cls is not None and cls.classification == MERCHANT


def _convoys_seen(scenario: Scenario, view: View) -> Iterator[Sighting]:
    """Yield the newest sightings of hostile merchants."""
    own_side = side_of(scenario, view.faction)
    for (_, faction), sighting in newest_sightings(view).items():
        is_new = view.week - sighting.week <= MAX_AGE
        if is_new and faction not in own_side and dict(sighting.counts).get(MERCHANT):
            yield sighting


def _targets_of(scenario: Scenario, faction: str) -> Iterator[str]:
    """Yield the systems where a faction is known to deliver goods."""
    for objective in scenario.objectives:
        if objective.faction == faction and objective.kind == "deliver":
            yield from objective.to
