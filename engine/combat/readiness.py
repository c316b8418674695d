"""Why a weapon of Continuum cannot fire this turn, beyond being out of action: loading, charging, nobody to send.

Rules: Continuum "Direct fire weapons" 5 [pc.fire-control]
"""

from __future__ import annotations

from engine.combat.damage_control import parties_of
from engine.notes import CHARGE, FIRED, OFF_LINE, OVERLOADED, SETTING, note
from engine.sheet import Fit
from engine.ship import ShipState
from engine.systems import fusion, pulsers, torpedoes
from engine.systems.spinal import FULL_CHARGE
from engine.systems.transporters import RAID

FIRED_LAST_TURN = "it fired last turn"
UNCHARGED = "its capacitors are not charged"
UNARMED = "it was not armed this turn"
CHANGED = "it is off line while its setting is changed"
NO_MARINES = "no marines are left to send"
NOBODY = "nobody is left to send"
MARINES = "marines"

# The settings of those weapons that have any, by type and model; the first where nothing else was said.
SETTINGS: dict[tuple[str, str], tuple[str, ...]] = {
    ("pulser", ""): tuple(pulsers.SETTINGS),
    ("fusion-array", ""): tuple(fusion.SETTINGS),
    ("pulse-torpedo", torpedoes.VARIABLE): tuple(torpedoes.SETTINGS),
}


def settings_of(fit: Fit) -> tuple[str, ...]:
    """The settings a weapon has, none where it has not; those of a turret are its arcs.

    Rules: Continuum "Pulsers" 5.21 [pc.pulsers]; Continuum "Turrets" 5.22 [pc.turrets]
    """
    return fit.arcs if fit.type == "turret" else SETTINGS.get((fit.type, fit.variant), ())


def way_of(ship: ShipState, index: int, told: str) -> str:
    """How a weapon (its place in `fits`) fires: as it was told, as it is set, or as it is loaded.

    Rules: Continuum "Pulse torpedoes" 5.14 [pc.pulse-torpedoes]; Continuum "Fusion array" 5.19 [pc.fusion-array]
    """
    if told:
        return told
    fit = ship.sheet.fits[index]
    settings = SETTINGS.get((fit.type, fit.variant))
    if settings:
        return settings[ship.notes.get(note(SETTING, fit.id), 0)]
    if ship.notes and note(OVERLOADED, fit.id) in ship.notes:
        return torpedoes.OVERLOADED
    return ""


def rested(ship: ShipState, fit: Fit, _mode: str, turn: int) -> str:
    """A spinal mount fires every other turn. Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]"""
    return FIRED_LAST_TURN if ship.notes.get(note(FIRED, fit.id)) == turn - 1 else ""


def charged(ship: ShipState, fit: Fit, _mode: str, _turn: int) -> str:
    """A wave gun fires with full capacitors. Rules: Continuum "Wave gun" 7.24 [pc.wave-gun]"""
    return UNCHARGED if ship.notes.get(note(CHARGE, fit.id), 0) < FULL_CHARGE else ""


def armed(ship: ShipState, _fit: Fit, _mode: str, _turn: int) -> str:
    """A nova cannon fires where it was armed. Rules: Continuum "Nova cannon" 7.23 [pc.nova-cannon]"""
    return "" if ship.armed else UNARMED


def on_line(ship: ShipState, fit: Fit, _mode: str, _turn: int) -> str:
    """A weapon whose setting is being changed does not fire. Rules: Continuum "Fusion array" 5.19 [pc.fusion-array]"""
    return CHANGED if note(OFF_LINE, fit.id) in ship.notes else ""


def marines_of(ship: ShipState) -> list[int]:
    """The places of the marines a ship has left. Rules: Continuum "Marines" 12.7 [pc.transporters]"""
    return [place for place in ship.rig.places.get(MARINES, ()) if ship.alive[place]]


def boarders(ship: ShipState, _fit: Fit, mode: str, _turn: int) -> str:
    """Raids take marines, other landings marines or damage control parties.

    Rules: Continuum "Transporter beams" 5.9 [pc.transporters]
    """
    if marines_of(ship):
        return ""
    if mode == RAID:
        return NO_MARINES
    return "" if parties_of(ship) else NOBODY
