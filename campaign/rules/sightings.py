"""The newest knowledge that a View holds of foes, in one home for pages, odds, stories and
admirals.
"""

from __future__ import annotations

from campaign.rules.view import Sighting, View


def newest_sightings(view: View) -> dict[tuple[str, str], Sighting]:
    """Return the newest sighting of each faction at each hex, by (hex, faction)."""
    found: dict[tuple[str, str], Sighting] = {}
    for sighting in view.sightings:
        place = (sighting.hex, sighting.faction)
        if place not in found or found[place].week < sighting.week:
            found[place] = sighting
    return found


def newest_sighting(view: View, hex_: str, faction: str) -> Sighting | None:
    """Return the newest sighting of a faction at a hex; None where there never was one."""
    here = [item for item in view.sightings if (item.hex, item.faction) == (hex_, faction)]
    return max(here, key=lambda item: item.week, default=None)
