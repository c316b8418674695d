"""How fleets are drawn up before a battle: where ships may stand, and where they stand when the
file leaves it open.

`deployment: meeting` (fleets at the short ends), `converging` (along the long edges, up to
half-way) or `defence` (the first side anywhere in its half, the other at the far end). Ships
without `at` are put in a line of their edge, in the file's order; a course may be left out too and
then leads straight ahead. Ships that drop out of FTL stand where the file says. Rules: Continuum
"Deployment" 18.1 [pc.deployment]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.errors import place
from engine.core.geometry import NEAR
from engine.core.kinds import Edge
from engine.core.phrase import phrase
from engine.notation.battle_ships import read_pair
from engine.notation.reading import Reader

DEEP = 6.0  # MU from the edge


@dataclass(frozen=True, slots=True)
class Zone:
    """The zone a side may stand in, as a box in shares of the table with margins in MU, and its
    courses ([]: any).

    `near`: the edge it starts from; `ahead`: the course straight away from it. `deep` MU from that
    edge (None: up to the middle of the table); `half`: along the edge only up to its middle.
    """

    near: Edge
    ahead: int
    deep: float | None = DEEP
    half: bool = False
    courses: tuple[int, ...] = ()


# Each side's zone, by kind: for tables that are wider than high; on others all is turned by three
# clock points.
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
    """The zones of a deployment on a table of this size.

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
    return Zone(near, ahead, zone.deep, zone.half, courses)


def zone_box(zone: Zone, table: tuple[float, float]) -> tuple[float, float, float, float]:
    """The box a side may stand in: the least and greatest x, the least and greatest y, in MU."""
    width, height = table
    across = zone.near in (Edge.LEFT, Edge.RIGHT)
    length, along = (width, height) if across else (height, width)
    deep = length / 2 if zone.deep is None else zone.deep
    low, high = (0.0, deep) if zone.near in (Edge.LEFT, Edge.BOTTOM) else (length - deep, length)
    end = along / 2 if zone.half else along
    return (low, high, 0.0, end) if across else (0.0, end, low, high)


def place_ships(
    reader: Reader, document: Mapping[Any, Any], table: tuple[float, float]
) -> Mapping[Any, Any]:
    """The battle file with every ship in its place; faults of places go to the reader.

    Rules: Continuum "Deployment" 18.1 [pc.deployment]
    """
    if "deployment" not in document:
        return document
    kind = reader.choice(document, "deployment", tuple(DEPLOYMENTS))
    sides = document.get("sides")
    if kind not in DEPLOYMENTS or not isinstance(sides, list):
        return document
    if len(sides) != 2:
        reader.fault("deployment", "deployment-sides", phrase("a deployment is for two sides"))
        return document
    placed = [
        _place_side(reader, side, zone, table, place("sides", number))
        for number, (side, zone) in enumerate(zip(sides, zones_for(kind, table), strict=True))
    ]
    return {**document, "sides": placed}


def _place_side(
    reader: Reader, side: Any, zone: Zone, table: tuple[float, float], where: str
) -> Any:
    ships = side.get("ships") if isinstance(side, Mapping) else None
    if not isinstance(ships, list):
        return side
    open_ = [
        number
        for number, ship in enumerate(ships)
        if isinstance(ship, Mapping) and "at" not in ship
    ]
    posts = dict(zip(open_, _line(zone, table, len(open_)), strict=True))
    placed_ships = []
    for number, ship in enumerate(ships):
        if isinstance(ship, Mapping):
            ship = dict(ship)
            ship.setdefault("course", zone.ahead)
            if number in posts:
                ship["at"] = list(posts[number])
            else:
                _check(reader, ship, zone, table, f"{where}.{place('ships', number)}")
        placed_ships.append(ship)
    return {**side, "ships": placed_ships}


def _line(zone: Zone, table: tuple[float, float], count: int) -> list[tuple[float, float]]:
    """Posts for so many ships, evenly along a line in the middle of the zone's depth (never deeper
    than the edge's).
    """
    left, right, bottom, top = zone_box(zone, table)
    inner = DEEP / 2
    if zone.near in (Edge.LEFT, Edge.RIGHT):
        x = left + inner if zone.near == Edge.LEFT else right - inner
        return [(x, bottom + (top - bottom) * (n + 1) / (count + 1)) for n in range(count)]
    y = bottom + inner if zone.near == Edge.BOTTOM else top - inner
    return [(left + (right - left) * (n + 1) / (count + 1), y) for n in range(count)]


def _check(
    reader: Reader, ship: Mapping[Any, Any], zone: Zone, table: tuple[float, float], where: str
) -> None:
    """A ship that the file puts in a place stands in its side's zone, on a course that it
    allows.
    """
    if "ftl_entry" in ship:
        return
    before = len(reader.faults)
    x, y = read_pair(Reader(), ship, "at", where, None)
    left, right, bottom, top = zone_box(zone, table)
    if not (left - NEAR <= x <= right + NEAR and bottom - NEAR <= y <= top + NEAR):
        words = phrase(
            "({:g}, {:g}) is outside ({:g}, {:g}) to ({:g}, {:g}), where its side deploys",
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
