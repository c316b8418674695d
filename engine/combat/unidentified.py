"""The design of a decoy drone, and the hull that stands for any unidentified contact.

Rules: 2E "Dummy bogeys and weasel boats" [2e.dummies]; Continuum "Dummy bogeys and weasel boats"
12.3 [pc.sensors]
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from engine.core.edition import EDITIONS
from engine.core.kinds import FtlDrive, HullKind
from engine.core.phrase import phrase
from engine.core.sheet import Sheet
from engine.notation.designs import stored_sheet
from engine.ruleset import rules_of

CLASS = phrase("Scout Ship")
# The default design of a decoy, without its class, edition and FTL drive.
DECOY: dict[str, Any] = {"kind": HullKind.WARSHIP, "mass": 4, "thrust": 8, "systems": []}


def decoy_design(
    edition: str, cls: str = CLASS, ftl: FtlDrive = FtlDrive.STANDARD, thrust: int = 0
) -> dict[str, Any]:
    """Return the design of a decoy under a class name.

    An unknown edition gives the default design; the fault is reported elsewhere.

    Args:
        thrust: The thrust of the main drive, in editions where the owner may choose it.

    Rules: 2E "Dummy bogeys and weasel boats" [2e.dummies]; Continuum "Dummy bogeys" 12.3
    [pc.sensors]
    """
    hull: Mapping[str, Any] = DECOY
    if edition in EDITIONS:
        rules = rules_of(edition)
        if thrust and decoy_drives(edition):
            hull = {**rules.swift_decoy, "thrust": thrust}
        else:
            hull = rules.decoy
    return {"class": cls, "edition": edition, **hull, "ftl": ftl}


def decoy_drives(edition: str) -> int:
    """Return the highest thrust the owner may choose for a decoy; 0 if all decoys fly alike.

    Rules: Continuum "Dummy bogeys" 12.3 [pc.sensors]
    """
    if edition not in EDITIONS:
        return 0
    most: int = rules_of(edition).swift_decoy.get("thrust", 0)
    return most


@cache
def unidentified_hull(edition: str) -> Sheet:
    """Return the record sheet used for unidentified contacts: a small hull without systems or FTL.

    Rules: 2E "Sensors and target identification" [2e.sensors]
    """
    return stored_sheet(decoy_design(edition, "unidentified", FtlDrive.NONE))
