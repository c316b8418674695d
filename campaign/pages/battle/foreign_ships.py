"""Foreign ships for record sheets when the present phase asks the reader for no orders.

A sheet with orders contains the battle as the side knows it, with the designs of identified ships.
One without has only class names and observed damage. This module takes the designs from the last
sheet with orders. A design does not change during a battle, but the reader may now know more about
the craft in its bays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.services.phases import Fight
from campaign.sight.reports import read_phases
from campaign.web.war import War
from engine.battle import battle_from
from engine.core.ship import ShipState


def foreign_ships(war: War, fight: Fight, view: Mapping[str, Any]) -> dict[str, ShipState]:
    """Return the foreign ships whose class the view tells, by contact code."""
    class_by_id = {}
    for contact in view["contacts"]:
        if "class" in contact:
            class_by_id[str(contact["id"])] = contact["class"]
    ships: dict[str, ShipState] = {}
    if not class_by_id:
        return ships
    for phase_sheet in reversed(read_phases(war.viewer.campaign, war.faction, fight.id)):
        if "battle_document" in phase_sheet:
            for ship in battle_from(phase_sheet["battle_document"]).state.ships:
                is_identified = not ship.bogey and class_by_id.get(ship.id) == ship.sheet.cls
                if is_identified:
                    ships.setdefault(str(ship.id), ship)  # newer sheets come first
        if len(ships) == len(class_by_id):
            break
    return ships
