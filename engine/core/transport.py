"""How ships carry other ships: tender bays, and the FTL field of a tug.

Rules: Continuum "FTL tugs and tenders" 11.6 [pc.tugs]; Continuum "Additional primary ship systems"
13.12 [pc.boat-bays]
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.sheet import Sheet

TENDER_BAY = "tender-bay"
MOST_RIDER_MASS = 60  # of a ship without FTL drive that another brings to battle


def rooms_of(sheet: Sheet, lost: Sequence[str] = ()) -> tuple[int, ...]:
    """Return the mass that each working tender bay holds and each tug's FTL drive transfers.

    Args:
        lost: The ids of lost systems.

    Rules: Continuum "FTL tugs and tenders" 11.6 [pc.tugs]
    """
    bays = []
    for fit in sheet.fits:
        if fit.type == TENDER_BAY and fit.id not in lost:
            bays.append(fit.size)
    return (
        *bays,
        *(fit.size for fit in sheet.fits if fit.type == "ftl" and fit.size and fit.id not in lost),
    )


def without_room(masses: Sequence[int], rooms: Sequence[int]) -> list[int]:
    """Return the indexes of the ships that find no room.

    The largest ships are stowed first, each in the first room that is large enough.

    Args:
        masses: The masses of the ships.
        rooms: The mass that each room holds.

    Rules: Continuum "Battleriders and motherships" 11.7 [pc.tugs]
    """
    free_room = list(rooms)
    unplaced: list[int] = []
    for place in sorted(range(len(masses)), key=lambda place: (-masses[place], place)):
        room = next((at for at, space in enumerate(free_room) if space >= masses[place]), None)
        if room is None:
            unplaced.append(place)
        else:
            free_room[room] -= masses[place]
    return unplaced
