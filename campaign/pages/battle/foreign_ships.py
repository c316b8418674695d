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
from campaign.sight.reports import read_stops
from campaign.web.war import War
from engine.battle import battle_from
from engine.core.ship import ShipState


def foreign_ships(war: War, fight: Fight, view: Mapping[str, Any]) -> dict[str, ShipState]:
    """The foreign ships whose class the view tells, by their contact codes."""
    class_by_id = {
        str(contact["id"]): contact["class"] for contact in view["contacts"] if "class" in contact
    }
    ships: dict[str, ShipState] = {}
    if not class_by_id:
        return ships
    for body in reversed(read_stops(war.viewer.campaign, war.faction, fight.id)):
        if "known" not in body:
            continue
        for ship in battle_from(body["known"]).state.ships:
            if (
                not ship.bogey
                and ship.id not in ships
                and class_by_id.get(ship.id) == ship.sheet.cls
            ):
                ships[str(ship.id)] = ship
        if len(ships) == len(class_by_id):
            break
    return ships
