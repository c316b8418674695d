"""What lies behind a contact that nobody has identified: a decoy drone's design, and the hull that
judges see.

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
# What beside class, edition and FTL drive makes its design, where an edition's row adds nothing.
DECOY: dict[str, Any] = {"kind": HullKind.WARSHIP, "mass": 4, "thrust": 8, "systems": []}


def decoy_design(
    edition: str, cls: str = CLASS, ftl: FtlDrive = FtlDrive.STANDARD, thrust: int = 0
) -> dict[str, Any]:
    """The design of a drone, as a class of that name; in an unknown edition it is of no use, but no
    fault of its own.

    `thrust`: that of the main drive its owner chose, where the edition leaves him the choice.
    Rules: 2E "Dummy bogeys and weasel boats" [2e.dummies]; Continuum "Dummy bogeys" 12.3
    [pc.sensors]
    """
    hull: Mapping[str, Any] = DECOY
    if edition in EDITIONS:
        rules = rules_of(edition)
        hull = (
            {**rules.swift_decoy, "thrust": thrust}
            if thrust and decoy_drives(edition)
            else rules.decoy
        )
    return {"class": cls, "edition": edition, **hull, "ftl": ftl}


def decoy_drives(edition: str) -> int:
    """The most thrust that the owner of a drone may choose for it; 0 where all drones fly alike.

    Rules: Continuum "Dummy bogeys" 12.3 [pc.sensors]
    """
    most: int = rules_of(edition).swift_decoy.get("thrust", 0) if edition in EDITIONS else 0
    return most


@cache
def unidentified_hull(edition: str) -> Sheet:
    """The record sheet that a contact nobody has identified is given: a small hull without systems
    or FTL drive.

    Rules: 2E "Sensors and target identification" [2e.sensors]
    """
    return stored_sheet(decoy_design(edition, "unidentified", FtlDrive.NONE))
