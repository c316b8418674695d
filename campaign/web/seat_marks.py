"""The seat numbers of factions, which decide their colours and emblems on all pages.

Colours are the tokens `--seat-1` to `--seat-6` (static/css/tokens.css), emblems the symbols `e1` to
`e6` (static/img/emblems.svg). The tag `c-seat` shows both with a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from campaign.rules.scenario import Scenario
from campaign.store.documents import scenario_of

if TYPE_CHECKING:
    from campaign.models.campaign import Campaign, Faction

SEATS = 6  # available colours and emblems; further factions share the neutral one
NOBODY = "seat-0"  # CSS class of things that belong to no faction


def seats(scenario: Scenario) -> Mapping[str, int]:
    """Return the seat number of each faction by id, 1 to 6; 0 for further ones."""
    seat_by_faction = {}
    for number, power in enumerate(scenario.factions, 1):
        seat_by_faction[power.id] = number if number <= SEATS else 0
    return seat_by_faction


def power_names(scenario: Scenario) -> dict[str, str]:
    """Return the name of each faction by id."""
    return {power.id: power.name for power in scenario.factions}


def seat_number(campaign: Campaign, key: str) -> int:
    """Return the seat number of the faction with this key; 0 for further ones."""
    return seats(scenario_of(campaign)).get(key, 0)


def seat_in(campaign: Campaign, faction: Faction | None) -> int:
    """Return the seat number of a faction; 0 without one, in which case no scenario is loaded."""
    if faction is None:
        return 0
    return seat_number(campaign, faction.key)


def seat_classes(scenario: Scenario) -> dict[str, str]:
    """Return the CSS class of each faction's seat."""
    return {key: f"seat-{number}" for key, number in seats(scenario).items()}
