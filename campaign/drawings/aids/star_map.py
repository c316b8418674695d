"""A star map on paper, and counters for fleets on it."""

from __future__ import annotations

from math import sqrt

from campaign.drawings.aids.markers import Marker, counters
from campaign.drawings.aids.sheets import AidDrawing, AidPage, Circle, Label, Line, number, segment
from campaign.drawings.symbols import UNKNOWN, silhouette
from campaign.rules.hexes import labels as hex_labels
from campaign.rules.scenario import Scenario
from engine.core.phrase import phrase

WIDEST, TALLEST = 255.0, 165.0  # mm of a page on its side that fit on both papers
FLEETS = 30
DUMMIES = 10


def map_pages(scenario: Scenario) -> tuple[AidPage, ...]:
    """Return the map of a war, and a page of counters for own fleets and dummies."""
    return (
        AidPage(phrase("Star map: {}", scenario.name), (star_map(scenario),), is_landscape=True),
        AidPage(phrase("Counters: fleets"), (counters(_fleet_markers()),)),
    )


def _fleet_markers() -> tuple[Marker, ...]:
    """Return counters for own fleets, and for dummies."""
    markers = []
    for place in range(1, FLEETS + 1):
        markers.append(Marker(silhouette("cruiser"), phrase("fleet"), str(place)))
    for place in range(1, DUMMIES + 1):
        markers.append(Marker(UNKNOWN, phrase("dummy"), f"D{place}"))
    return tuple(markers)


def star_map(scenario: Scenario) -> AidDrawing:
    """Draw the hexes with their numbers, the links, and the star systems with their names."""
    side = _side(scenario)
    height = side * sqrt(3)
    drawn_labels = []
    outlines = ""
    for label in hex_labels(scenario.columns, scenario.rows):
        x, y = _centre(label, side)
        outlines += _hexagon(x, y, side)
        drawn_labels.append(Label(x, y - 0.28 * height, label, side * 0.3))
    links = [_link(link.a, link.b, side) for link in scenario.links]
    circles = []
    for system in scenario.systems:
        x, y = _centre(system.hex, side)
        circles.append(Circle(x, y, side * 0.18, "line" if system.settled else "thin"))
        drawn_labels.append(Label(x, y + 0.4 * height, system.name, side * 0.34))
    return AidDrawing(
        width=round(side * (1.5 * scenario.columns + 0.5), 3),
        height=round(height * (scenario.rows + 0.5), 3),
        alt=phrase("The star map of {}", scenario.name),
        lines=(Line(outlines, "thin"), *(Line(path, "dashed") for path in links)),
        circles=tuple(circles),
        labels=tuple(drawn_labels),
    )


def _side(scenario: Scenario) -> float:
    """Return the side of a hex in mm with which the map fits the page."""
    by_width = WIDEST / (1.5 * scenario.columns + 0.5)
    by_height = TALLEST / (sqrt(3) * (scenario.rows + 0.5))
    return min(by_width, by_height)


def _centre(label: str, side: float) -> tuple[float, float]:
    """Return the centre of a hex: flat-topped, odd columns higher."""
    column, row = int(label[:2]), int(label[2:])
    height = side * sqrt(3)
    lower = height / 2 if column % 2 == 0 else 0.0
    return side * (1.5 * column - 0.5), height * (row - 0.5) + lower


def _hexagon(x: float, y: float, side: float) -> str:
    """Return the path of a hex."""
    half = side / 2
    down = side * sqrt(3) / 2
    corners = (
        (-side, 0.0),
        (-half, -down),
        (half, -down),
        (side, 0.0),
        (half, down),
        (-half, down),
    )
    points = [f"{number(x + dx)} {number(y + dy)}" for dx, dy in corners]
    return "M" + "L".join(points) + "z"


def _link(a: str, b: str, side: float) -> str:
    """Return the line between the two ends of a gate or portal."""
    return segment(_centre(a, side), _centre(b, side))
