"""The gauge of courses and fire arcs, for both rulebooks.

Rules: 2E "Course and arc of fire gauge" [aid.gauge]; Continuum 1.8 [aid.gauge]
"""

from __future__ import annotations

from campaign.drawings.aids.sheets import (
    DEGREES_PER_POINT,
    POINTS,
    AidDrawing,
    AidPage,
    Circle,
    Label,
    Line,
    at_bearing,
    cross,
    segment,
)
from engine.core.edition import Edition
from engine.core.phrase import phrase
from engine.ruleset import rules_of

RADIUS = 62.0  # of the gauge, in mm
HOLE = 4.0  # radius of the hole for the stand of a model, in mm
ARCS_RADIUS = {Edition.SECOND_EDITION: 24.0, Edition.CONTINUUM: 42.0}  # outer end of each ring
RING = 14.0  # width of a ring of arcs
MARGIN = 4.0
MIDDLE = RADIUS + MARGIN
SCALE_LENGTH = 50.0  # mm
TICK = 10.0  # mm between the ticks of the scale
SCALE_Y = 2 * MIDDLE + 8


def gauge_page() -> AidPage:
    """Return the page with the gauge. It shows directions, so it has no scale of its own."""
    return AidPage(
        title=phrase("Course and fire arc gauge"),
        note=phrase(
            "Outside the 12 courses, inside the arcs: four of the second edition, six of "
            "Continuum. Cut out the middle and put it over the stand."
        ),
        parts=(gauge(),),
    )


def gauge() -> AidDrawing:
    """Draw the courses as 12 rays, the arcs of each edition as a ring, and a scale of 50 mm."""
    labels = _courses()
    lines = [Line(path) for path in rays()]
    circles = [Circle(MIDDLE, MIDDLE, RADIUS), Circle(MIDDLE, MIDDLE, HOLE)]
    for edition, radius in ARCS_RADIUS.items():
        circles.append(Circle(MIDDLE, MIDDLE, radius))
        ring_lines, ring_labels = _arcs(rules_of(edition).arcs, radius)
        lines += ring_lines
        labels += ring_labels
    lines.append(Line(cross(MIDDLE, MIDDLE, 2 * HOLE), "thin"))
    lines += [Line(scale_bar()), *(Line(path, "thin") for path in _ticks())]
    labels.append(Label(MARGIN + SCALE_LENGTH + 3, SCALE_Y + 1, "50 mm", 4, "start"))
    return AidDrawing(
        width=2 * MIDDLE,
        height=SCALE_Y + 6,
        alt=phrase("A gauge of 12 courses with the fire arcs, and a scale of 50 mm"),
        lines=tuple(lines),
        circles=tuple(circles),
        labels=tuple(labels),
    )


def rays() -> tuple[str, ...]:
    """Return the path of the ray of each course, from the arcs to the edge."""
    inner = max(ARCS_RADIUS.values())
    paths = []
    for course in range(1, POINTS + 1):
        bearing = course * DEGREES_PER_POINT
        start = at_bearing(MIDDLE, MIDDLE, inner, bearing)
        paths.append(segment(start, at_bearing(MIDDLE, MIDDLE, RADIUS, bearing)))
    return tuple(paths)


def scale_bar() -> str:
    """Return the path of the scale, by which players check that the page was printed in full."""
    return segment((MARGIN, SCALE_Y), (MARGIN + SCALE_LENGTH, SCALE_Y))


def _courses() -> list[Label]:
    """Return the number of each course, beside its ray."""
    labels = []
    for course in range(1, POINTS + 1):
        x, y = at_bearing(MIDDLE, MIDDLE, RADIUS - 6, course * DEGREES_PER_POINT + 6)
        labels.append(Label(round(x, 2), round(y + 1.8, 2), str(course), 5))
    return labels


def _arcs(arcs: tuple[str, ...], radius: float) -> tuple[list[Line], list[Label]]:
    """Return the borders and names of an edition's arcs, the fore arc first."""
    width = 360 / len(arcs)
    lines = []
    labels = []
    for place, arc in enumerate(arcs):
        bearing = place * width
        border = bearing + width / 2
        start = at_bearing(MIDDLE, MIDDLE, radius - RING, border)
        lines.append(Line(segment(start, at_bearing(MIDDLE, MIDDLE, radius, border)), "dashed"))
        x, y = at_bearing(MIDDLE, MIDDLE, radius - RING / 2, bearing)
        labels.append(Label(round(x, 2), round(y + 1.6, 2), arc, 4.5))
    return lines, labels


def _ticks() -> tuple[str, ...]:
    """Return the ticks of the scale."""
    paths = []
    for place in range(int(SCALE_LENGTH / TICK) + 1):
        x = MARGIN + place * TICK
        paths.append(segment((x, SCALE_Y - 2), (x, SCALE_Y + 2)))
    return tuple(paths)
