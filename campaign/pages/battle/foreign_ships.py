"""Foreign ships for their record sheets, at a stop that asks nothing of the reader: as he knew them
when one last did.

A sheet of a stop that asks has the battle as the side knows it, with the designs of identified
ships; one that does not has their classes' names and what was seen of their damage. A design does
not change in a battle; of which craft are in its bays more may be known by now.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.services.stops import Fight
from campaign.sight.reports import stops_read
from campaign.web.war import War
from engine.battle import battle_from
from engine.core.ship import ShipState


def foreign_ships(war: War, mine: Fight, view: Mapping[str, Any]) -> dict[str, ShipState]:
    """The foreign ships whose class the view tells, by their contact codes."""
    wanted = {str(one["id"]): one["class"] for one in view["contacts"] if "class" in one}
    found: dict[str, ShipState] = {}
    if not wanted:
        return found
    for body in reversed(stops_read(war.viewer.campaign, war.faction, mine.id)):
        if "known" not in body:
            continue
        for ship in battle_from(body["known"]).state.ships:
            if not ship.bogey and ship.id not in found and wanted.get(ship.id) == ship.sheet.cls:
                found[str(ship.id)] = ship
        if len(found) == len(wanted):
            break
    return found
