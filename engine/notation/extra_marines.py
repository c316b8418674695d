"""Crews: marines a ship of a battle file has beside its design's, in no berths that a yard would
ask for.

They are systems of its sheet like all marines. The sheet's design says so under `crew`, which no
yard reads.
Rules: Continuum "Marines" 12.7 [pc.boarding]
"""

from __future__ import annotations

from dataclasses import replace

from engine.core.sheet import Fit, Sheet
from engine.design.mass_pricing import CORE
from engine.systems.outfit import MARINES

CREW = "crew"
CREW_KEYS = (MARINES,)
MOST_MARINES = 100
BEFORE = ("drive", "ftl", *CORE)  # what stands behind all systems of a design


def with_extra_marines(sheet: Sheet, marines: int) -> Sheet:
    """The sheet with so many marines more, behind the systems of its design."""
    there = sum(fit.type == MARINES for fit in sheet.fits)
    extra = tuple(
        Fit(f"{MARINES}-{there + number}", MARINES, "", ()) for number in range(1, marines + 1)
    )
    place = next(
        (place for place, fit in enumerate(sheet.fits) if fit.type in BEFORE), len(sheet.fits)
    )
    fits = (*sheet.fits[:place], *extra, *sheet.fits[place:])
    return replace(sheet, fits=fits, design={**sheet.design, CREW: {MARINES: marines}})
