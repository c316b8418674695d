"""How ships carry other ships: tender bays, and the FTL field of a tug.

Rules: Continuum "FTL tugs and tenders" 11.6 [pc.tugs]; Continuum "Additional primary ship systems"
13.12 [pc.boat-bays]
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.sheet import Sheet

TENDER_BAY = "tender-bay"
MAX_RIDER_MASS = 60  # of a ship without FTL drive that another brings to battle


def rooms_of(sheet: Sheet, lost_systems: Sequence[str] = ()) -> tuple[int, ...]:
    """Return the mass that each working tender bay holds and a tug's FTL drive takes along.

    Args:
        lost_systems: The ids of lost systems.

    Rules: Continuum "FTL tugs and tenders" 11.6 [pc.tugs]
    """
    bays = []
    ftl_fields = []
    for fit in sheet.fits:
        if fit.id in lost_systems:
            continue
        if fit.type == TENDER_BAY:
            bays.append(fit.size)
        elif fit.type == "ftl" and fit.size:
            ftl_fields.append(fit.size)
    return (*bays, *ftl_fields)


def without_room(masses: Sequence[int], rooms: Sequence[int]) -> list[int]:
    """Return the indexes of the ships that find no room.

    The largest ships are stowed first, each in the first room that is large enough.

    Args:
        masses: The masses of the ships.
        rooms: The mass that each room holds.

    Rules: Continuum "Battleriders and motherships" 11.7 [pc.tugs]
    """
    free_mass = list(rooms)
    without: list[int] = []
    largest_first = sorted(range(len(masses)), key=lambda ship: (-masses[ship], ship))
    for ship in largest_first:
        for room, free in enumerate(free_mass):
            if free >= masses[ship]:
                free_mass[room] -= masses[ship]
                break
        else:
            without.append(ship)
    return without
