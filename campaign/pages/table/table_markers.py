"""Markers on the drawing of a battle's table: all objects that a side sees, except its ships."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campaign.pages.table.table_data import table_objects
from campaign.web.turn_drawings import units
from campaign.words.battle.log import SideNames
from engine.core.phrase import phrase

SMALL_MARKER_RADIUS, ARROW_RADIUS = 5, 6  # drawing units
DEGREES_PER_COURSE = 30  # courses are the twelve hours of a clock


@dataclass(frozen=True, slots=True)
class TableMarker:
    """A marker on the drawing of the table."""

    kind: str
    x: int
    y: int
    r: int  # radius in drawing units
    turn: int  # degrees
    words: str
    label: str = ""  # text beside the marker
    arrow: bool = False


def table_markers(
    view: Mapping[str, Any], names: SideNames, height: float
) -> tuple[TableMarker, ...]:
    """Return the markers of a side's view, large ones below small ones.

    A view stored before a kind of object existed lacks the list of that kind.

    Args:
        height: Height of the table in MU.
    """
    markers: list[TableMarker] = []
    for table_object in table_objects(view, names):
        has_course = bool(table_object["course"])
        if has_course:
            radius = ARROW_RADIUS
        else:
            radius = units(table_object["r"]) or SMALL_MARKER_RADIUS
        label = table_object["label"]
        if "craft" in table_object:
            label = phrase("{} ({})", label, table_object["craft"])
        markers.append(
            TableMarker(
                kind=table_object["kind"],
                x=units(table_object["x"]),
                y=units(height - table_object["y"]),
                r=radius,
                turn=table_object["course"] % 12 * DEGREES_PER_COURSE,
                words=table_object["words"],
                label=label,
                arrow=has_course,
            )
        )
    return tuple(markers)
