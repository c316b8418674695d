"""The newest sightings of foes in a View, for pages, odds, news stories and admirals."""

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
    """Return the newest sighting of a faction at a hex, or None."""
    here = [item for item in view.sightings if (item.hex, item.faction) == (hex_, faction)]
    return max(here, key=lambda item: item.week, default=None)
