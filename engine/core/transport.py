"""What ships carry other ships in: tender bays, and the FTL field of a tug.

Rules: Continuum "FTL tugs and tenders" 11.6 [pc.tugs]; Continuum "Additional primary ship systems"
13.12 [pc.boat-bays]
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.sheet import Sheet

TENDER_BAY = "tender-bay"
MOST_RIDER_MASS = 60  # of a ship without an FTL drive that is brought to battle by another


def rooms_of(sheet: Sheet, lost: Sequence[str] = ()) -> tuple[int, ...]:
    """The mass of ships that each tender bay holds and that the FTL drive of a tug transfers,
    without lost systems.

    Rules: Continuum "FTL tugs and tenders" 11.6 [pc.tugs]
    """
    bays = [fit.size for fit in sheet.fits if fit.type == TENDER_BAY and fit.id not in lost]
    return (
        *bays,
        *(fit.size for fit in sheet.fits if fit.type == "ftl" and fit.size and fit.id not in lost),
    )


def without_room(masses: Sequence[int], rooms: Sequence[int]) -> list[int]:
    """The places, in a list of ships by their masses, of those that find no room: the largest is
    stowed first, each where there is room.

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
