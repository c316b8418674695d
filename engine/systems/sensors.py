"""Sensors, and weasels: decoy emitters that give a small ship the signature of a cruiser or of a capital ship.

Sensors themselves come free with every hull. A ship shows one signature, so it carries one weasel.
"""

from __future__ import annotations

from engine.core.sheet import Sheet
from engine.pricelists.ware import SystemSpec

WEASELS = (
    SystemSpec("weasel", "cruiser", "Weasel, cruiser signature", 1, 20, "2e.dummies", most=1),
    SystemSpec("weasel", "capital", "Weasel, capital signature", 1, 40, "2e.dummies", most=1),
)

# Contacts an active scan may identify in a turn, by the MASS from which a hull may.
CRUISER_MASS, CAPITAL_MASS = 19, 37


def active_scans_of(sheet: Sheet) -> int:
    """How many contacts a ship may scan actively in a turn: escorts one, cruisers two, capital ships three.

    Merchants and civil installations have no active sensors; Q ships and military installations count by their MASS.
    Rules: 2E "Sensors and target identification" [2e.sensors]; 2E "Q ships" [2e.q-ships]
    """
    if sheet.kind == "merchant" or sheet.design.get("civil"):
        return 0
    return 1 if sheet.mass < CRUISER_MASS else (2 if sheet.mass < CAPITAL_MASS else 3)


def signature(sheet: Sheet, lost: tuple[str, ...] = ()) -> str:
    """The classification a ship shows as a bogey: its weasel's while that works, else its own.

    Rules: 2E "Dummy bogeys and weasel boats" [2e.dummies]
    """
    for fit in sheet.fits:
        if fit.type == "weasel" and fit.id not in lost:
            return fit.variant
    return sheet.classification
