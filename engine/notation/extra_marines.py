"""Marines that a ship of a battle file carries in addition to its design, without berths.

They are systems of the sheet like all marines. The sheet's design records them under `crew`, which
no yard reads.

Rules: Continuum "Marines" 12.7 [pc.boarding]
"""

from __future__ import annotations

from dataclasses import replace

from engine.core.sheet import Fit, Sheet
from engine.design.mass_pricing import CORE
from engine.systems.outfit import MARINES

CREW = "crew"
CREW_KEYS = (MARINES,)
MAX_MARINES = 100
BEFORE = ("drive", "ftl", *CORE)  # types that come after all other systems of a design


def with_extra_marines(sheet: Sheet, marines: int) -> Sheet:
    """Return the sheet with this many more marines, after the systems of its design."""
    there = sum(fit.type == MARINES for fit in sheet.fits)
    extra = tuple(
        Fit(f"{MARINES}-{there + number}", MARINES, "", ()) for number in range(1, marines + 1)
    )
    place = next(
        (place for place, fit in enumerate(sheet.fits) if fit.type in BEFORE), len(sheet.fits)
    )
    fits = (*sheet.fits[:place], *extra, *sheet.fits[place:])
    return replace(sheet, fits=fits, design={**sheet.design, CREW: {MARINES: marines}})
