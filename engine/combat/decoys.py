"""What a decoy drone flies like, and what a contact that nobody has identified is taken for: the same small hull.

Rules: 2E "Dummy bogeys and weasel boats" [2e.dummies]; Continuum "Dummy bogeys and weasel boats" 12.3
"""

from __future__ import annotations

from typing import Any

from engine.core.sheet import Sheet
from engine.notation.designs import stored_sheet

CLASS = "Scout Ship"
_HULL: dict[str, Any] = {"kind": "warship", "mass": 4, "thrust": 8, "systems": []}
DRONES: dict[str, dict[str, Any]] = {
    "second-edition": _HULL,
    "continuum": {**_HULL, "hull": {"boxes": 1, "rows": 4}},
}


def drone(edition: str, cls: str = CLASS, ftl: str = "standard") -> dict[str, Any]:
    """The design of a drone, as a class of that name; an unknown edition gets the first one's.

    Rules: 2E "Dummy bogeys and weasel boats" [2e.dummies]
    """
    hull = DRONES.get(edition, _HULL)
    return {"class": cls, "edition": edition, **hull, "ftl": ftl}


def unidentified_hull(edition: str) -> Sheet:
    """The record sheet that a contact nobody has identified is given: a small hull without systems or FTL drive.

    Rules: 2E "Sensors and target identification" [2e.sensors]
    """
    return stored_sheet(drone(edition, "unidentified", "none"))
