"""Cloaks: devices that hide a ship from fire control, and fields that take it off the table altogether.

Rules: Continuum "Cloaking device" 7.20, "Cloaking field" 7.21, "Tuffley cloak" 7.22 [pc.cloaks]
"""

from __future__ import annotations

FASTEST = 24  # velocity above which a cloaking device hides nothing
FARTHER = 2.0  # a ship under a cloaking device seems so many times as far away
MODIFIER = -2  # to every die at it, re-rolls too

# How a cloak hides its ship.
DEVICE, FIELD = "device", "field"

# How each cloak works with so many of its boxes left (place 0: none); a damaged cloaking field still makes a device.
WORKS_AS: dict[str, tuple[str, ...]] = {
    "cloaking-device": ("", DEVICE),
    "cloaking-field": ("", DEVICE, FIELD),
    "tuffley-cloak": ("", FIELD),
}


def works_as(type_: str, boxes: int) -> str:
    """How a cloak with so many boxes left hides its ship: DEVICE, FIELD, or not at all.

    Rules: Continuum "Cloaking field" 7.21, "Tuffley cloak" 7.22 [pc.cloaks]
    """
    return WORKS_AS[type_][boxes]


def voided(velocity: int) -> bool:
    """Whether a ship is too fast for a cloaking device. Rules: Continuum "Cloaking device" 7.20 [pc.cloaks]"""
    return velocity > FASTEST
