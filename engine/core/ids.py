"""Ids of ships and of groups of craft in a battle: texts of types of their own.

The type checker refuses a name, a contact code or a group where a ship is meant. What people write,
and what orders name, is text until somebody has found that there is such a ship.
"""

from __future__ import annotations

from typing import NewType

ShipId = NewType("ShipId", str)  # of a ship, in the state of a battle and in the umpire's log
GroupId = NewType("GroupId", str)  # of a group of craft in flight
UnitId = ShipId | GroupId
NO_SHIP, NO_GROUP = ShipId(""), GroupId("")
