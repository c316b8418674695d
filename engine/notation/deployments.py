"""Deployment before a battle: the zones of each side, and the places of ships without `at`.

`deployment` is `meeting` (fleets at the short edges), `converging` (along the long edges, up to
their middle) or `defence` (the first side anywhere in its half, the other at the far edge). Ships
without `at` form a line in their zone, in the order of the file. Ships without a course head
straight away from their edge. Ships that drop out of FTL keep the place in the file.

Rules: Continuum "Deployment" 18.1 [pc.deployment]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.errors import fault_path
from engine.core.geometry import NEAR
from engine.core.kinds import Edge
from engine.core.phrase import phrase
from engine.notation.battle_ships import read_pair
from engine.notation.reading import Reader

DEPTH = 6.0  # MU from the edge


@dataclass(frozen=True, slots=True)
class Zone:
    """The zone in which a side deploys, and the courses it may choose (empty: any).

    Attributes:
        edge: The edge from which the side starts.
        ahead: The course straight away from that edge.
        depth: In MU from the edge; None: up to the middle of the table.
        half: Whether the zone covers only half the edge.
    """

    edge: Edge
    ahead: int
    depth: float | None = DEPTH
    half: bool = False
    courses: tuple[int, ...] = ()


# Each side's zone, by kind, for tables at least as wide as high. On others everything is rotated by
# three clock points.
DEPLOYMENTS: dict[str, tuple[Zone, Zone]] = {
    "meeting": (Zone(Edge.LEFT, 3), Zone(Edge.RIGHT, 9)),
    "converging": (
        Zone(Edge.BOTTOM, 12, half=True, courses=(11, 12, 1)),
        Zone(Edge.TOP, 6, half=True, courses=(5, 6, 7)),
    ),
    "defence": (Zone(Edge.LEFT, 3, depth=None), Zone(Edge.RIGHT, 9)),
}
TURNED = {
    Edge.LEFT: Edge.BOTTOM,
    Edge.RIGHT: Edge.TOP,
    Edge.BOTTOM: Edge.LEFT,
    Edge.TOP: Edge.RIGHT,
}
TURNED_COURSES = {Edge.LEFT: 3, Edge.RIGHT: 9, Edge.BOTTOM: 12, Edge.TOP: 6}


def zones_for(kind: str, table: tuple[float, float]) -> tuple[Zone, Zone]:
    """Return the zones of a deployment on a table of this size.

    Rules: Continuum "Deployment" 18.1 [pc.deployment]
    """
    first, second = DEPLOYMENTS[kind]
    if table[0] >= table[1]:
        return first, second
    return _turn(first), _turn(second)


def _turn(zone: Zone) -> Zone:
    """Return a zone rotated by three clock points, for a table that is higher than wide."""
    edge = TURNED[zone.edge]
    ahead = TURNED_COURSES[edge]
    courses: tuple[int, ...] = ()
    if zone.courses:
        courses = tuple((ahead + points - 1) % 12 + 1 for points in (-1, 0, 1))
    return Zone(edge, ahead, zone.depth, zone.half, courses=courses)


def zone_box(zone: Zone, table: tuple[float, float]) -> tuple[float, float, float, float]:
    """Return a zone as least x, greatest x, least y and greatest y, in MU."""
    width, height = table
    is_at_side = zone.edge in (Edge.LEFT, Edge.RIGHT)
    size = width if is_at_side else height  # of the table, away from the edge
    edge_length = height if is_at_side else width
    depth = size / 2 if zone.depth is None else zone.depth
    low, high = size - depth, size
    if zone.edge in (Edge.LEFT, Edge.BOTTOM):
        low, high = 0.0, depth
    end = edge_length / 2 if zone.half else edge_length
    if is_at_side:
        return (low, high, 0.0, end)
    return (0.0, end, low, high)


def place_ships(
    reader: Reader, document: Mapping[Any, Any], table: tuple[float, float]
) -> Mapping[Any, Any]:
    """Return the battle file with every ship in its place; faults go to the reader.

    Rules: Continuum "Deployment" 18.1 [pc.deployment]
    """
    if "deployment" not in document:
        return document
    kind = reader.choice(document, "deployment", tuple(DEPLOYMENTS))
    sides = document.get("sides")
    if kind not in DEPLOYMENTS or not isinstance(sides, list):
        return document
    if len(sides) != 2:
        reader.fault("deployment", "deployment-sides", phrase("a deployment needs two sides"))
        return document
    new_sides = []
    for number, (side, zone) in enumerate(zip(sides, zones_for(kind, table), strict=True)):
        where = fault_path("sides", number)
        new_sides.append(_place_side(reader, side, zone, table, where=where))
    return {**document, "sides": new_sides}


def _place_side(
    reader: Reader, side: Any, zone: Zone, table: tuple[float, float], where: str
) -> Any:
    """Return the entry of a side with every ship in its place; places given are checked."""
    ships = side.get("ships") if isinstance(side, Mapping) else None
    if not isinstance(ships, list):
        return side
    without_place = []
    for number, ship in enumerate(ships):
        if isinstance(ship, Mapping) and "at" not in ship:
            without_place.append(number)
    line = _line(zone, table, len(without_place))
    places = dict(zip(without_place, line, strict=True))
    new_ships = []
    for number, ship in enumerate(ships):
        if isinstance(ship, Mapping):
            ship = dict(ship)
            ship.setdefault("course", zone.ahead)
            if number in places:
                ship["at"] = list(places[number])
            else:
                spot = f"{where}.{fault_path('ships', number)}"
                _check(reader, ship, zone, table, where=spot)
        new_ships.append(ship)
    return {**side, "ships": new_ships}


def _line(zone: Zone, table: tuple[float, float], count: int) -> list[tuple[float, float]]:
    """Return evenly spaced places for `count` ships, in a line 3 MU from the edge."""
    least_x, greatest_x, least_y, greatest_y = zone_box(zone, table)
    inset = DEPTH / 2
    if zone.edge in (Edge.LEFT, Edge.RIGHT):
        x = least_x + inset if zone.edge == Edge.LEFT else greatest_x - inset
        return [(x, y) for y in _spaced(least_y, greatest_y, count)]
    y = least_y + inset if zone.edge == Edge.BOTTOM else greatest_y - inset
    return [(x, y) for x in _spaced(least_x, greatest_x, count)]


def _spaced(low: float, high: float, count: int) -> list[float]:
    """Return `count` evenly spaced numbers between two limits."""
    return [low + (high - low) * (number + 1) / (count + 1) for number in range(count)]


def _check(
    reader: Reader, ship: Mapping[Any, Any], zone: Zone, table: tuple[float, float], where: str
) -> None:
    """Check that a ship with a given place is in its side's zone, on an allowed course."""
    if "ftl_entry" in ship:
        return
    x, y = read_pair(Reader(), data=ship, key="at", where=where, default=None)
    least_x, greatest_x, least_y, greatest_y = zone_box(zone, table)
    is_within_x = least_x - NEAR <= x <= greatest_x + NEAR
    is_within_y = least_y - NEAR <= y <= greatest_y + NEAR
    if not (is_within_x and is_within_y):
        words = phrase(
            "({:g}, {:g}) is outside the deployment area of its side, ({:g}, {:g}) to ({:g}, {:g})",
            x,
            y,
            least_x,
            least_y,
            greatest_x,
            greatest_y,
        )
        reader.fault(f"{where}.at", "deployment", words)
    elif zone.courses and ship.get("course") not in zone.courses:
        courses = ", ".join(map(str, zone.courses))
        reader.fault(
            f"{where}.course", "deployment", phrase("this deployment allows courses {}", courses)
        )
