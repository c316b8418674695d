"""A place on the star map and everything a faction knows about it. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.web.chart import Chart, ChartContact, ChartSystem, OpenMark, OpenMarks, OwnFleet


@dataclass(frozen=True, slots=True)
class MapPlace:
    """A hex: own fleets, last contacts, other factions' open markers, and its system."""

    hex: str
    place_text: str
    fleets: tuple[OwnFleet, ...]
    contacts: tuple[ChartContact, ...]
    marks: tuple[OpenMark, ...]
    system: ChartSystem | None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known about it."""
        return not (self.fleets or self.contacts or self.marks or self.system)


def map_place(star_chart: Chart, marks: OpenMarks | None, label: str, place_text: str) -> MapPlace:
    """Return what a chart shows in a hex.

    Args:
        place_text: The hex in words.
    """
    other_marks = marks.other_marks if marks else ()
    return MapPlace(
        hex=label,
        place_text=place_text,
        fleets=tuple(fleet for fleet in star_chart.fleets if fleet.hex == label),
        contacts=tuple(contact for contact in star_chart.contacts if contact.hex == label),
        marks=tuple(mark for mark in other_marks if mark.hex == label),
        system=next((system for system in star_chart.systems if system.hex == label), None),
    )
