"""Zones: the parts of the table in which a side may set up before a battle.

Rules: Continuum "Deployment" 18.1 [pc.deployment]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.core.geometry import COURSES, NEAR, Point, course_towards, dist
from engine.core.kinds import Edge

SPACING = 2.0  # MU between ships that a captain places
FROM_ENTRIES = 6.0  # MU around a ship that drops out of FTL, in which it endangers others
FIRST_ENTRY, LAST_ENTRY = 2, 10  # turns in which ships that were held back drop out of FTL
MAX_VELOCITY = 24  # MU a turn; cloaks fail above it, and no book sets another limit


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of the table, in MU."""

    left: float
    right: float
    bottom: float
    top: float

    def contains(self, point: Point) -> bool:
        """Return whether a point is in the rectangle or on its border."""
        x, y = point
        return (
            self.left - NEAR <= x <= self.right + NEAR
            and self.bottom - NEAR <= y <= self.top + NEAR
        )

    @property
    def centre(self) -> Point:
        """Return the middle of the rectangle."""
        return (self.left + self.right) / 2, (self.bottom + self.top) / 2


DEEP = 6.0  # MU of a zone along an edge
AHEAD = {Edge.LEFT: 3, Edge.RIGHT: 9, Edge.BOTTOM: 12, Edge.TOP: 6}  # away from each edge


@dataclass(frozen=True, slots=True)
class Zone:
    """A part of the table and the limits for ships that are set up there.

    Attributes:
        box: The rectangle; with `near`, the part of the table around its circle.
        ahead: The course straight ahead for ships that begin here.
        near: The id of a ship or body around whose centre ships must begin; "": any place.
        near_mu: The greatest distance from that centre, in MU.
        courses: The allowed courses; empty: any.
        velocity: The least and the greatest velocity.
        ftl: Whether ships may be held back in FTL space.
        orbit: Whether ships may begin in orbit.
        docked: Whether ships may begin docked at an installation of their side.
        aloft: Whether craft may begin in flight.
        from_enemies: The least distance from ships of the enemy, in MU.
        from_bodies: The least distance from bodies, in MU.
        from_edges: The least distance from the edges of the table, in MU.
        far_from: The id of a ship or body; the zone is along the edge farthest from it. "": not.
        deep: The depth along that edge, in MU.
    """

    box: Box
    ahead: int
    near: str = ""
    near_mu: float = 0.0
    courses: tuple[int, ...] = ()
    velocity: tuple[int, int] = (0, MAX_VELOCITY)
    ftl: bool = False
    orbit: bool = True
    docked: bool = True
    aloft: bool = False
    from_enemies: float = 0.0
    from_bodies: float = 0.0
    from_edges: float = 0.0
    far_from: str = ""
    deep: float = DEEP

    def settled(self, table: tuple[float, float], centres: Mapping[str, Point]) -> Zone:
        """Return the zone where it is now, if its edge depends on a ship or body.

        Args:
            centres: The places of ships and bodies by id.
        """
        if self.far_from not in centres:
            return self
        edge = farthest_edge(table, centres[self.far_from])
        return replace(self, box=edge_box(edge, self.deep, table), ahead=AHEAD[edge])

    def around(self, table: tuple[float, float], centres: Mapping[str, Point]) -> Zone:
        """Return the part of a zone near something in which captains line up its guards.

        It is the side towards the middle of the table, and their course leads there.

        Args:
            centres: The places of ships and bodies by id.
        """
        if self.near not in centres:
            return self
        x, y = centres[self.near]
        middle = (table[0] / 2, table[1] / 2)
        ahead = course_towards((x, y), middle, otherwise=self.ahead)
        ux, uy = COURSES[ahead]
        is_along_x = abs(ux) > abs(uy)
        reach = self.near_mu
        box = Box(
            max(self.box.left, x if is_along_x and ux > 0 else x - reach),
            min(self.box.right, x if is_along_x and ux < 0 else x + reach),
            max(self.box.bottom, y if not is_along_x and uy > 0 else y - reach),
            min(self.box.top, y if not is_along_x and uy < 0 else y + reach),
        )
        return replace(self, box=box, ahead=ahead)

    @property
    def usual_course(self) -> int:
        """Return straight ahead, or the first course allowed if that is not."""
        return self.ahead if self.allows_course(self.ahead) else self.courses[0]

    def usual_velocity(self, velocity: int) -> int:
        """Return the allowed velocity nearest to another one."""
        least, most = self.velocity
        return min(max(velocity, least), most)

    def allows_course(self, course: int) -> bool:
        """Return whether ships may begin on a course."""
        return not self.courses or course in self.courses

    def allows_velocity(self, velocity: int) -> bool:
        """Return whether ships may begin at a velocity."""
        least, most = self.velocity
        return least <= velocity <= most


def farthest_edge(table: tuple[float, float], point: Point) -> Edge:
    """Return the edge of the table that is farthest from a point; the first of equal ones."""
    x, y = point
    width, height = table
    distances = {
        Edge.LEFT: x,
        Edge.RIGHT: width - x,
        Edge.BOTTOM: y,
        Edge.TOP: height - y,
    }
    return max(distances, key=lambda edge: distances[edge])


def edge_box(edge: Edge, deep: float, table: tuple[float, float], *, half: bool = False) -> Box:
    """Return the strip along an edge of the table.

    Args:
        half: Only up to the middle of the edge.
    """
    width, height = table
    if edge in (Edge.LEFT, Edge.RIGHT):
        top = height / 2 if half else height
        if edge == Edge.LEFT:
            return Box(0.0, deep, 0.0, top)
        return Box(width - deep, width, 0.0, top)
    right = width / 2 if half else width
    if edge == Edge.BOTTOM:
        return Box(0.0, right, 0.0, deep)
    return Box(0.0, right, height - deep, height)


def zone_json(zone: Zone) -> dict[str, Any]:
    """Return a zone as JSON, in the words of a battle file; `zone_from` is the inverse."""
    box = zone.box
    document: dict[str, Any] = {
        "box": [box.left, box.bottom, box.right, box.top],
        "ahead": zone.ahead,
        "velocity": list(zone.velocity),
        "ftl": zone.ftl,
        "orbit": zone.orbit,
        "docked": zone.docked,
        "aloft": zone.aloft,
    }
    if zone.near:
        document["near"] = {"of": zone.near, "mu": zone.near_mu}
    if zone.far_from:
        document["far_from"] = {"of": zone.far_from, "deep": zone.deep}
    if zone.courses:
        document["courses"] = list(zone.courses)
    distances = {
        "enemies": zone.from_enemies,
        "bodies": zone.from_bodies,
        "edges": zone.from_edges,
    }
    apart = {key: distance for key, distance in distances.items() if distance}
    if apart:
        document["apart"] = apart
    return document


def zone_from(document: Mapping[str, Any]) -> Zone:
    """Return the zone that `zone_json` wrote."""
    left, bottom, right, top = document["box"]
    near = document.get("near", {})
    far_from = document.get("far_from", {})
    apart = document.get("apart", {})
    least, most = document["velocity"]
    return Zone(
        Box(left, right, bottom, top),
        document["ahead"],
        near=near.get("of", ""),
        near_mu=near.get("mu", 0.0),
        courses=tuple(document.get("courses", ())),
        velocity=(least, most),
        ftl=document["ftl"],
        orbit=document["orbit"],
        docked=document["docked"],
        aloft=document["aloft"],
        from_enemies=apart.get("enemies", 0.0),
        from_bodies=apart.get("bodies", 0.0),
        from_edges=apart.get("edges", 0.0),
        far_from=far_from.get("of", ""),
        deep=far_from.get("deep", DEEP),
    )


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What limits the places in a zone.

    Attributes:
        table: Width and height of the table, in MU.
        centres: The centres of ships and bodies by id, for zones near one of them.
        bodies: The centre and radius of each body.
        enemies: The places of ships of the enemy.
    """

    table: tuple[float, float]
    centres: dict[str, Point]
    bodies: Sequence[tuple[Point, float]]
    enemies: Sequence[Point]


def allows_place(zone: Zone, point: Point, around: Surroundings) -> bool:
    """Return whether a ship may begin at a point of a zone."""
    if not zone.box.contains(point):
        return False
    if zone.near:
        centre = around.centres.get(zone.near)
        if centre is None or _distance(point, centre) > zone.near_mu + NEAR:
            return False
    width, height = around.table
    x, y = point
    if min(x, y, width - x, height - y) < zone.from_edges - NEAR:
        return False
    for centre, radius in around.bodies:
        if _distance(point, centre) < radius + zone.from_bodies - NEAR:
            return False
    if not zone.from_enemies:
        return True
    return all(_distance(point, enemy) >= zone.from_enemies - NEAR for enemy in around.enemies)


def parts_at(point: Point, zones: Sequence[Zone], around: Surroundings) -> list[Zone]:
    """Return the parts of a side's zone in which a ship may begin at a point."""
    return [zone for zone in zones if allows_place(zone, point, around)]


def nearest_place(
    wanted: Point,
    zones: Sequence[Zone],
    around: Surroundings,
    taken: Sequence[Point],
    entries: Sequence[Point] = (),
    spacing: float = SPACING,
) -> Point | None:
    """Return the valid place nearest to a point: the point itself, or one on a grid of 1 MU.

    Args:
        taken: The places of ships from which the place keeps its distance.
        entries: Where ships of its side drop out of FTL, from which it keeps 6 MU.
        spacing: The distance from ships, in MU.

    Returns:
        The place; None if there is no valid one.
    """

    def is_free(point: Point) -> bool:
        return is_clear_of(point, taken, spacing) and is_clear_of(point, entries, FROM_ENTRIES)

    if parts_at(wanted, zones, around) and is_free(wanted):
        return wanted
    best: tuple[float, Point] | None = None
    width, height = around.table
    for column in range(int(width) + 1):
        for row in range(int(height) + 1):
            point = (float(column), float(row))
            distance = _distance(point, wanted)
            if best is not None and distance >= best[0]:
                continue
            if is_free(point) and parts_at(point, zones, around):
                best = (distance, point)
    return best[1] if best is not None else None


def is_clear_of(point: Point, others: Iterable[Point], distance: float) -> bool:
    """Return whether a point is at least a distance in MU from all others."""
    return all(_distance(point, other) >= distance - NEAR for other in others)


def is_in_body(point: Point, bodies: Iterable[tuple[Point, float]]) -> bool:
    """Return whether a point is inside a body."""
    return any(_distance(point, centre) < radius - NEAR for centre, radius in bodies)


def _distance(a: Point, b: Point) -> float:
    return dist(a, b)
