"""What a decoy drone flies like, and what a contact that nobody has identified is taken for: the same small hull.

Rules: 2E "Dummy bogeys and weasel boats" [2e.dummies]; Continuum "Dummy bogeys and weasel boats" 12.3
"""

from __future__ import annotations

from typing import Any

from engine.core.edition import EDITIONS
from engine.core.sheet import Sheet
from engine.notation.designs import stored_sheet
from engine.ruleset import rules_of

CLASS = "Scout Ship"
# What beside class, edition and FTL drive makes its design, where an edition's row adds nothing.
DECOY: dict[str, Any] = {"kind": "warship", "mass": 4, "thrust": 8, "systems": []}


def decoy_design(edition: str, cls: str = CLASS, ftl: str = "standard") -> dict[str, Any]:
    """The design of a drone, as a class of that name; in an unknown edition it is of no use, but no fault of its own.

    Rules: 2E "Dummy bogeys and weasel boats" [2e.dummies]
    """
    hull = rules_of(edition).decoy if edition in EDITIONS else DECOY
    return {"class": cls, "edition": edition, **hull, "ftl": ftl}


def unidentified_hull(edition: str) -> Sheet:
    """The record sheet that a contact nobody has identified is given: a small hull without systems or FTL drive.

    Rules: 2E "Sensors and target identification" [2e.sensors]
    """
    return stored_sheet(decoy_design(edition, "unidentified", "none"))
