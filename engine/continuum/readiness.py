"""How a weapon of Continuum fires this turn: as it was told, as it is set, or as it is loaded.

Rules: Continuum "Direct fire weapons" 5 [pc.fire-control]
"""

from __future__ import annotations

from engine.core.notes import OVERLOADED, SETTING, note
from engine.core.ship import ShipState
from engine.core.terms import OVERLOAD


def way_of(ship: ShipState, index: int, told: str) -> str:
    """How a weapon (its place in `fits`) fires: as it was told, as it is set, or as it is loaded.

    Rules: Continuum "Pulse torpedoes" 5.14 [pc.pulse-torpedoes]; Continuum "Fusion array" 5.19 [pc.fusion-array]
    """
    if told:
        return told
    fit = ship.sheet.fits[index]
    settings = ship.rig.weapons[index].settings.get(fit.variant)
    if settings:
        return settings[ship.notes.get(note(SETTING, fit.id), 0)]
    if ship.notes and note(OVERLOADED, fit.id) in ship.notes:
        return OVERLOAD
    return ""
