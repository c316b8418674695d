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

DEEP = 6.0  # MU from the edge


@dataclass(frozen=True, slots=True)
class Zone:
    """The zone in which a side deploys, and the courses it may choose (empty: any).

    Attributes:
        near: The edge from which the side starts.
        ahead: The course straight away from that edge.
        deep: Depth in MU from the edge, None up to the middle of the table.
        half: Whether the zone covers only half the edge.
    """

    near: Edge
    ahead: int
    deep: float | None = DEEP
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
    "defence": (Zone(Edge.LEFT, 3, deep=None), Zone(Edge.RIGHT, 9)),
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
    near = TURNED[zone.near]
    ahead = TURNED_COURSES[near]
    courses = tuple((ahead + by - 1) % 12 + 1 for by in (-1, 0, 1)) if zone.courses else ()
    return Zone(near, ahead, zone.deep, zone.half, courses=courses)


def zone_box(zone: Zone, table: tuple[float, float]) -> tuple[float, float, float, float]:
    """Return a zone as least x, greatest x, least y and greatest y, in MU."""
    width, height = table
    across = zone.near in (Edge.LEFT, Edge.RIGHT)
    length, along = (width, height) if across else (height, width)
    deep = length / 2 if zone.deep is None else zone.deep
    low, high = (0.0, deep) if zone.near in (Edge.LEFT, Edge.BOTTOM) else (length - deep, length)
    end = along / 2 if zone.half else along
    if across:
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
    placed = []
    for number, (side, zone) in enumerate(zip(sides, zones_for(kind, table), strict=True)):
        placed.append(_place_side(reader, side, zone, table, where=fault_path("sides", number)))
    return {**document, "sides": placed}


def _place_side(
    reader: Reader, side: Any, zone: Zone, table: tuple[float, float], where: str
) -> Any:
    ships = side.get("ships") if isinstance(side, Mapping) else None
    if not isinstance(ships, list):
        return side
    open_ = []
    for number, ship in enumerate(ships):
        if isinstance(ship, Mapping) and "at" not in ship:
            open_.append(number)
    posts = dict(zip(open_, _line(zone, table, len(open_)), strict=True))
    placed_ships = []
    for number, ship in enumerate(ships):
        if isinstance(ship, Mapping):
            ship = dict(ship)
            ship.setdefault("course", zone.ahead)
            if number in posts:
                ship["at"] = list(posts[number])
            else:
                _check(reader, ship, zone, table, where=f"{where}.{fault_path('ships', number)}")
        placed_ships.append(ship)
    return {**side, "ships": placed_ships}


def _line(zone: Zone, table: tuple[float, float], count: int) -> list[tuple[float, float]]:
    """Return evenly spaced places for `count` ships, in a line 3 MU from the edge."""
    left, right, bottom, top = zone_box(zone, table)
    inner = DEEP / 2
    if zone.near in (Edge.LEFT, Edge.RIGHT):
        if zone.near == Edge.LEFT:
            x = left + inner
        else:
            x = right - inner
        return [(x, bottom + (top - bottom) * (n + 1) / (count + 1)) for n in range(count)]
    if zone.near == Edge.BOTTOM:
        y = bottom + inner
    else:
        y = top - inner
    return [(left + (right - left) * (n + 1) / (count + 1), y) for n in range(count)]


def _check(
    reader: Reader, ship: Mapping[Any, Any], zone: Zone, table: tuple[float, float], where: str
) -> None:
    """Check that a ship with a given place is in its side's zone, on an allowed course."""
    if "ftl_entry" in ship:
        return
    before = len(reader.faults)
    x, y = read_pair(Reader(), data=ship, key="at", where=where, default=None)
    left, right, bottom, top = zone_box(zone, table)
    if not (left - NEAR <= x <= right + NEAR and bottom - NEAR <= y <= top + NEAR):
        words = phrase(
            "({:g}, {:g}) is outside the deployment area of its side, ({:g}, {:g}) to ({:g}, {:g})",
            x,
            y,
            left,
            bottom,
            right,
            top,
        )
        reader.fault(f"{where}.at", "deployment", words)
    if zone.courses and ship.get("course") not in zone.courses and len(reader.faults) == before:
        courses = ", ".join(map(str, zone.courses))
        reader.fault(
            f"{where}.course", "deployment", phrase("this deployment allows courses {}", courses)
        )
