"""Links of names in a report: pages of the reader's own ships, and places on the star map.

Made only from the reader's views.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from django.urls import reverse

from campaign.models.campaign import Campaign
from campaign.rules.scenario import Scenario
from campaign.rules.view import Ship, View
from campaign.words.week.reader import NoticeLinks


def map_address(campaign: Campaign, seq: int | None = None) -> str:
    """Return the address of the star map up to the value of `hex=`; empty without a map.

    Args:
        seq: Shows the map as it was known at that moment.
    """
    if campaign.ruleset.get("single"):
        return ""
    then = "" if seq is None else f"seq={seq}&"
    return f"{reverse('map', args=[campaign.public_id])}?{then}hex="


def report_links(
    campaign: Campaign, scenario: Scenario, views: Iterable[View], seq: int | None = None
) -> NoticeLinks:
    """Return the addresses of ships in a faction's views, and of systems on its map.

    A name shared by two ships gets no link.
    """
    ships: dict[str, Ship] = {}
    for view in views:
        for ship in view.ships:
            ships[ship.key] = ship
    places = map_address(campaign, seq)
    name_counts = Counter(ship.name for ship in ships.values())
    return NoticeLinks(
        ships={
            ship.name: reverse("ship", args=[campaign.public_id, key])
            for key, ship in ships.items()
            if name_counts[ship.name] == 1
        },
        systems={system.id: f"{places}{system.hex}" for system in scenario.systems}
        if places
        else {},
    )
