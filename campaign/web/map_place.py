"""A place on the star map, and all that a faction knows of it.

Pure: a map as it is drawn of a View.
"""

from __future__ import annotations

from dataclasses import dataclass

from campaign.web.chart import Chart, ChartContact, ChartSystem, OpenMark, OpenMarks, OwnFleet


@dataclass(frozen=True, slots=True)
class MapPlace:
    """A hex: what is the faction's own there, what it saw there last, others' open markers, and who
    holds it.
    """

    hex: str
    called: str
    fleets: tuple[OwnFleet, ...]
    contacts: tuple[ChartContact, ...]
    marks: tuple[OpenMark, ...]
    hold: ChartSystem | None

    @property
    def empty(self) -> bool:
        """Whether nothing is known of it."""
        return not (self.fleets or self.contacts or self.marks or self.hold)


def map_place(seen: Chart, marks: OpenMarks | None, hex_: str, called: str) -> MapPlace:
    """What a chart says of a hex. `called`: the hex in words."""
    return MapPlace(
        hex_,
        called,
        tuple(fleet for fleet in seen.fleets if fleet.hex == hex_),
        tuple(contact for contact in seen.contacts if contact.hex == hex_),
        tuple(mark for mark in (marks.others if marks else ()) if mark.hex == hex_),
        next((hold for hold in seen.holds if hold.hex == hex_), None),
    )
