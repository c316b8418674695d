"""The seats of factions, by which everybody knows their colours and emblems on every page, all war
long.

Colours are the tokens `--seat-1` to `--seat-6` (static/css/tokens.css), emblems the symbols `e1` to
`e6` (static/img/emblems.svg); the tag `c-seat` shows both with a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from campaign.rules.scenario import Scenario
from campaign.store.documents import scenario_of

if TYPE_CHECKING:
    from campaign.models.campaign import Campaign, Faction

SEATS = 6  # colours and emblems there are; further factions share the one of nobody
NOBODY = "seat-0"  # the style class of what belongs to none


def _numbered(factions: tuple[str, ...]) -> Mapping[str, int]:
    return {faction: n if n <= SEATS else 0 for n, faction in enumerate(factions, 1)}


def seats(scenario: Scenario) -> Mapping[str, int]:
    """The number of each faction's seat, 1 to 6, by the faction's id; 0 for further ones."""
    return _numbered(tuple(power.id for power in scenario.factions))


def power_names(scenario: Scenario) -> dict[str, str]:
    """What each faction is called, by its id."""
    return {power.id: power.name for power in scenario.factions}


def seat_number(campaign: Campaign, key: str) -> int:
    """The number of the seat of the faction with this key in a campaign; 0 for further ones."""
    return seats(scenario_of(campaign)).get(key, 0)


def seat_in(campaign: Campaign, faction: Faction | None) -> int:
    """The number of a faction's seat in a campaign; 0 where there is no faction, and no scenario is
    read then.
    """
    return 0 if faction is None else seat_number(campaign, faction.key)


def seat_classes(scenario: Scenario) -> dict[str, str]:
    """The style class of each faction: that of its seat."""
    return {key: f"seat-{number}" for key, number in seats(scenario).items()}
