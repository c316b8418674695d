"""The newest knowledge that a View holds of foes, in one home for pages, odds, stories and
admirals.
"""

from __future__ import annotations

from campaign.rules.view import Sighting, View


def newest_sightings(view: View) -> dict[tuple[str, str], Sighting]:
    """Return the newest sighting of each faction at each hex, by (hex, faction)."""
    newest: dict[tuple[str, str], Sighting] = {}
    for sighting in view.sightings:
        place = (sighting.hex, sighting.faction)
        if place not in newest or newest[place].week < sighting.week:
            newest[place] = sighting
    return newest


def newest_sighting(view: View, hex_: str, faction: str) -> Sighting | None:
    """Return the newest sighting of a faction at a hex; None where there never was one."""
    here = [item for item in view.sightings if (item.hex, item.faction) == (hex_, faction)]
    return max(here, key=lambda item: item.week, default=None)
