"""The ship classes of a campaign: what its rules ask of an engine's record sheet."""

from __future__ import annotations

from campaign.rules.scenario import ShipClass
from engine.core.sheet import Sheet
from engine.ship_profiles import FIRECONS, full_stock


def ship_class(sheet: Sheet) -> ShipClass:
    """A class of the catalogue from its record sheet."""
    weasels = [fit.variant for fit in sheet.fits if fit.type == "weasel"]
    return ShipClass(
        name=sheet.cls,
        classification=sheet.classification,
        mass=sheet.mass,
        thrust=sheet.thrust,
        ftl=sheet.ftl != "none",
        points=sheet.points,
        damage_points=sheet.boxes,
        systems=tuple(fit.id for fit in sheet.fits),
        weapons=tuple(fit.id for fit in sheet.fits if fit.offensive),
        firecons=tuple(fit.id for fit in sheet.fits if fit.type in FIRECONS),
        stock=tuple(sorted(full_stock(sheet).items())),
        weasel=weasels[0] if weasels else "",
        design=sheet.design,
        tug=sheet.ftl == "tug",
    )
