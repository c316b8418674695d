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
    place_text: str
    fleets: tuple[OwnFleet, ...]
    contacts: tuple[ChartContact, ...]
    marks: tuple[OpenMark, ...]
    system: ChartSystem | None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known of it."""
        return not (self.fleets or self.contacts or self.marks or self.system)


def map_place(star_chart: Chart, marks: OpenMarks | None, hex_: str, place_text: str) -> MapPlace:
    """What a chart says of a hex. `called`: the hex in words."""
    return MapPlace(
        hex_,
        place_text,
        tuple(fleet for fleet in star_chart.fleets if fleet.hex == hex_),
        tuple(contact for contact in star_chart.contacts if contact.hex == hex_),
        tuple(mark for mark in (marks.other_marks if marks else ()) if mark.hex == hex_),
        next((hold for hold in star_chart.systems if hold.hex == hex_), None),
    )
