"""Distinct types for the ids of ships and of groups of craft in a battle.

They let the type checker refuse a name, a contact code or a group where a ship is meant. Input and
the names in orders are plain text until they are matched to a ship.
"""

from __future__ import annotations

from typing import NewType

ShipId = NewType("ShipId", str)  # a ship, in the state of a battle and in the umpire's log
GroupId = NewType("GroupId", str)  # a group of craft in flight
UnitId = ShipId | GroupId
NO_SHIP, NO_GROUP = ShipId(""), GroupId("")
