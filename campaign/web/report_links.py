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
    moment = "" if seq is None else f"seq={seq}&"
    return f"{reverse('map', args=[campaign.public_id])}?{moment}hex="


def report_links(
    campaign: Campaign, scenario: Scenario, views: Iterable[View], seq: int | None = None
) -> NoticeLinks:
    """Return the addresses of ships in a faction's views, and of systems on its map.

    A name shared by two ships gets no link.

    Args:
        seq: Shows the map as it was known at that moment.
    """
    ships: dict[str, Ship] = {}
    for view in views:
        for ship in view.ships:
            ships[ship.key] = ship
    name_counts = Counter(ship.name for ship in ships.values())
    ship_addresses = {}
    for key, ship in ships.items():
        if name_counts[ship.name] == 1:
            ship_addresses[ship.name] = reverse("ship", args=[campaign.public_id, key])
    address = map_address(campaign, seq)
    system_addresses = {}
    if address:
        system_addresses = {system.id: f"{address}{system.hex}" for system in scenario.systems}
    return NoticeLinks(ships=ship_addresses, systems=system_addresses)
