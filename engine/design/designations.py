"""Designations of warships by mass, from scout to attack carrier, and what makes a carrier.

Rules: Continuum "Ship classifications" 2.3 [pc.carriers], "Mass rating" 13.4 [pc.designations]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.core.edition import Edition
from engine.core.kinds import HANGARS, HullKind
from engine.core.phrase import phrase
from engine.core.sheet import Sheet
from engine.design.value import Design

CARRIER_SQUADRONS = 2  # squadrons of fighters for which a carrier has hangars
GUNBOAT_RACK = "gunboat-rack"  # each carries a squadron of six gunboats
CARRIER, MOTHERSHIP = "carrier", "mothership"
ROLES = {CARRIER: phrase("carrier"), MOTHERSHIP: phrase("gunboat mother ship")}  # on pages


class Designation(NamedTuple):
    """A designation: its abbreviation, and the masses from `least` to `most`."""

    short: str
    least: int
    most: int


DESIGNATIONS = (
    Designation("SC", 4, 10),
    Designation("CT", 8, 16),
    Designation("FF", 14, 28),
    Designation("DD", 24, 36),
    Designation("DH", 30, 44),
    Designation("CL", 40, 60),
    Designation("CE", 50, 70),
    Designation("CA", 60, 90),
    Designation("BC", 80, 110),
    Designation("BB", 100, 140),
    Designation("BDN", 120, 160),
    Designation("DN", 140, 180),
    Designation("SDN", 160, 300),
)
CARRIER_DESIGNATIONS = (
    Designation("CVE", 60, 140),
    Designation("CVL", 120, 180),
    Designation("CVA", 150, 300),
    Designation("CVH", 160, 300),
)


def is_carrier(ship: Design | Sheet) -> bool:
    """Return whether a ship has hangars for two squadrons of fighters or more.

    Rules: Continuum "Ship classifications" 2.3 [pc.carriers]
    """
    hangars = sum(type_ in HANGARS for type_ in _system_types(ship))
    return ship.edition == Edition.CONTINUUM and hangars >= CARRIER_SQUADRONS


def is_mothership(ship: Design | Sheet) -> bool:
    """Return whether a ship carries six gunboats or more.

    Rules: Continuum "Ship classifications" 2.3 [pc.carriers]
    """
    return GUNBOAT_RACK in _system_types(ship)


def role_of(ship: Design | Sheet) -> str:
    """Return what a ship is beside its classification: CARRIER, MOTHERSHIP or "".

    Rules: Continuum "Ship classifications" 2.3 [pc.carriers]
    """
    if is_carrier(ship):
        return CARRIER
    if is_mothership(ship):
        return MOTHERSHIP
    return ""


def designations_of(ship: Design | Sheet) -> tuple[Designation, ...]:
    """Return the designations that fit the mass of a warship, by their least mass.

    Carriers have only those of carriers, which no other ship has.

    Rules: Continuum "Mass rating" 13.4 [pc.designations]
    """
    if ship.edition != Edition.CONTINUUM or ship.kind != HullKind.WARSHIP:
        return ()
    rows = CARRIER_DESIGNATIONS if is_carrier(ship) else DESIGNATIONS
    return tuple(row for row in rows if row.least <= ship.mass <= row.most)


def _system_types(ship: Design | Sheet) -> Sequence[str]:
    """Return the type of each system of a ship."""
    if isinstance(ship, Sheet):
        return [fit.type for fit in ship.fits]
    types: list[str] = []
    for fitting in ship.systems:
        types += [fitting.type] * fitting.count
    return types
