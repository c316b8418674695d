"""The deployment of a battle file: in which zones, and in which manner, the sides set up.

`deployment` is the word for a kind, or a table:

    deployment:
      kind: meeting          # may be missing if every side has a zone
      manner: by-side        # sealed, by-side or by-ship
      first: nac             # the side that begins, for by-side and by-ship
      step: 2                # by-ship: ships at a time
      order: [cruiser]       # by-ship: these classifications first
      zones: {nac: {edge: left, deep: 6}}

Rules: Continuum "Deployment" 18.1, "Introductory scenario" 4.12 [pc.deployment]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.core.deployment import BY_SIDE, MANNERS, SEALED, DeploymentPlan, Zones
from engine.core.errors import fault_path
from engine.core.geometry import Point, course_towards, turn_course
from engine.core.kinds import Edge
from engine.core.phrase import phrase
from engine.core.zones import AHEAD, DEEP, MAX_VELOCITY, Box, Zone, edge_box
from engine.notation.battle_ships import LABELS, read_pair
from engine.notation.reading import Reader, join_place

CORNER = 12.0  # MU along both edges
EDGES = tuple(Edge)
FARTHEST = "farthest"  # of an edge: the ship or body from which it is the farthest edge
CORNERS = ("top-left", "top-right", "bottom-left", "bottom-right")
SHAPES = ("edge", "corner", "box", "near", "anywhere")
KINDS = ("meeting", "converging", "defence", "stand-off", "caught", "ambush")
KINDS_IN_TURN = ("defence", "ambush")  # the first side places all its ships before the other
MAX_STEP = 4  # ships that a side places at a time
DEPLOYMENT_KEYS = ("kind", "manner", "first", "step", "order", "zones")
ZONE_KEYS = (
    *SHAPES,
    *("deep", "half", "apart", "courses", "velocity", "ftl", "orbit", "docked", "aloft"),
)
APART_KEYS = ("enemies", "bodies", "edges")


def zones_for(kind: str, table: tuple[float, float]) -> tuple[Zones, Zones]:
    """Return the zones of the two sides of a kind of deployment on a table of this size.

    Rules: Continuum "Deployment" 18.1 [pc.deployment]
    """
    width, height = table
    if width >= height:
        return _zones_on_wide_table(kind, width, height)
    first, second = _zones_on_wide_table(kind, height, width)
    return _turned(first), _turned(second)


def _zones_on_wide_table(kind: str, width: float, height: float) -> tuple[Zones, Zones]:
    left = Zone(Box(0.0, DEEP, 0.0, height), 3)
    right = Zone(Box(width - DEEP, width, 0.0, height), 9)
    left_half = Zone(Box(0.0, width / 2, 0.0, height), 3)
    if kind == "meeting":
        return (left,), (right,)
    if kind == "converging":
        bottom = Zone(Box(0.0, width / 2, 0.0, DEEP), 12, courses=_courses_around(12))
        top = Zone(Box(0.0, width / 2, height - DEEP, height), 6, courses=_courses_around(6))
        return (bottom,), (top,)
    if kind == "defence":
        return (left_half,), (replace(right, ftl=True),)
    if kind == "stand-off":
        third = width / 3
        flanks = (
            Zone(Box(2 * third, width, 0.0, DEEP), 12),
            Zone(Box(2 * third, width, height - DEEP, height), 6),
        )
        return (left_half,), (right, *flanks)
    if kind == "caught":
        middle = Zone(Box(width / 3, 2 * width / 3, 0.0, height), 3, velocity=(0, 12))
        return (middle,), (left, right)
    inner = Zone(Box(width / 4, 3 * width / 4, height / 4, 3 * height / 4), 3)
    anywhere = Zone(Box(0.0, width, 0.0, height), 9, from_enemies=18.0)
    return (inner,), (anywhere,)


def _courses_around(course: int) -> tuple[int, ...]:
    return tuple(turn_course(course, points) for points in (-1, 0, 1))


def _turned(zones: Zones) -> Zones:
    """Return zones of a wide table for a high one: left becomes bottom, and bottom left."""
    result = []
    for zone in zones:
        box = zone.box
        ahead = (3 - zone.ahead) % 12 or 12
        result.append(
            replace(
                zone,
                box=Box(left=box.bottom, right=box.top, bottom=box.left, top=box.right),
                ahead=ahead,
                courses=_courses_around(ahead) if zone.courses else (),
            )
        )
    return tuple(result)


def read_deployment(
    reader: Reader, document: Mapping[Any, Any], table: tuple[float, float]
) -> DeploymentPlan | None:
    """Return the deployment of a battle file, or None if it has none; faults go to the reader.

    With faults, ships may begin anywhere, so that no others follow from these.
    """
    if "deployment" not in document:
        return None
    plan = _read_plan(reader, document, table)
    if plan is None:
        anywhere = Zone(Box(0.0, table[0], 0.0, table[1]), 3)
        return DeploymentPlan(tuple((anywhere,) for _ in _side_names(document)), is_table=True)
    return plan


def settle_edges(
    reader: Reader,
    plan: DeploymentPlan,
    document: Mapping[Any, Any],
    table: tuple[float, float],
    centres: Mapping[str, Point],
) -> DeploymentPlan:
    """Return a deployment whose zones lie along the edges farthest from installations.

    A zone that names no installation with a place is reported.

    Args:
        centres: The places of the installations by id.
    """
    zones = []
    for name, side_zones in zip(_side_names(document), plan.zones, strict=False):
        for zone in side_zones:
            if zone.far_from and zone.far_from not in centres:
                words = phrase("no installation '{}' has a place in this battle", zone.far_from)
                reader.fault(f"deployment.zones.{name}", "zone", words)
        zones.append(tuple(zone.settled(table, centres) for zone in side_zones))
    return replace(plan, zones=tuple(zones))


def _read_plan(
    reader: Reader, document: Mapping[Any, Any], table: tuple[float, float]
) -> DeploymentPlan | None:
    names = _side_names(document)
    entry = document["deployment"]
    if isinstance(entry, Mapping):
        return _read_table(reader, entry, names, table)
    kind = reader.choice(document, "deployment", KINDS)
    if not kind:
        return None
    if len(names) != 2:
        reader.fault("deployment", "deployment-sides", phrase("a deployment needs two sides"))
        return None
    return _of_kind(kind, table)


def _side_names(document: Mapping[Any, Any]) -> list[str]:
    """Return the names of the sides in their order; "" for an entry that is no side."""
    sides = document.get("sides")
    if not isinstance(sides, list):
        return []
    return [str(side.get("name")) if isinstance(side, Mapping) else "" for side in sides]


def _of_kind(kind: str, table: tuple[float, float]) -> DeploymentPlan:
    in_turn = kind in KINDS_IN_TURN
    return DeploymentPlan(
        zones_for(kind, table),
        manner=BY_SIDE if in_turn else SEALED,
        first=0 if in_turn else None,
    )


def _read_table(
    reader: Reader,
    entry: Mapping[Any, Any],
    names: list[str],
    table: tuple[float, float],
) -> DeploymentPlan | None:
    before = len(reader.faults)
    reader.keys(entry, DEPLOYMENT_KEYS, "deployment")
    kind = reader.choice(entry, "kind", KINDS, "deployment") if "kind" in entry else ""
    manner = reader.choice(entry, "manner", MANNERS, "deployment") if "manner" in entry else ""
    step = reader.number(entry, "step", "deployment", default=1)
    if not 1 <= step <= MAX_STEP:
        words = phrase("expected a number of ships from 1 to {}", MAX_STEP)
        reader.fault("deployment.step", "step", words)
    order = _read_order(reader, entry)
    base = None
    if kind and len(names) != 2:
        reader.fault("deployment", "deployment-sides", phrase("a deployment needs two sides"))
    elif kind:
        base = _of_kind(kind, table)
    zones = _read_zones(reader, entry, names, table, base)
    first = base.first if base is not None else None
    if "first" in entry:
        name = reader.choice(entry, "first", names, "deployment")
        first = names.index(name) if name in names else None
    if len(reader.faults) > before or zones is None:
        return None
    return DeploymentPlan(
        zones,
        manner=manner or (base.manner if base is not None else SEALED),
        first=first,
        step=step,
        order=order,
        is_table=True,
    )


def _read_order(reader: Reader, entry: Mapping[Any, Any]) -> tuple[str, ...]:
    result = []
    for number, word in enumerate(reader.items(entry, "order", "deployment", default=())):
        where = f"deployment.{fault_path('order', number)}"
        text = reader.text_value(word, where)
        if text and text not in LABELS:
            words = phrase("no classification '{}'; choose from {}", text, ", ".join(LABELS))
            reader.fault(where, "unknown-label", words)
        result.append(text)
    return tuple(result)


def _read_zones(
    reader: Reader,
    entry: Mapping[Any, Any],
    names: Sequence[str],
    table: tuple[float, float],
    base: DeploymentPlan | None,
) -> tuple[Zones, ...] | None:
    """Return the zones of all sides: those of the entry instead of those of the kind."""
    given = entry.get("zones", {})
    if not isinstance(given, Mapping):
        words = phrase("expected a zone for each side by its name")
        reader.fault("deployment.zones", "not-a-mapping", words)
        return None
    reader.keys(given, names, "deployment.zones")
    result: list[Zones] = []
    for number, name in enumerate(names):
        where = f"deployment.zones.{name}"
        if name in given:
            result.append(_read_union(reader, given[name], table, where))
        elif base is not None:
            result.append(base.zones[number])
        else:
            reader.fault("deployment.zones", "zone", phrase("the side '{}' has no zone", name))
    return tuple(result)


def _read_union(reader: Reader, value: object, table: tuple[float, float], where: str) -> Zones:
    """Return the zones of an entry, which is one zone or a list."""
    if not isinstance(value, list):
        return _read_zone(reader, value, table, where)
    zones: list[Zone] = []
    for number, item in enumerate(value):
        zones.extend(_read_zone(reader, item, table, f"{where}{fault_path(number)}"))
    if not value:
        reader.fault(where, "zone", phrase("expected a zone"))
    return tuple(zones)


def _read_zone(reader: Reader, value: object, table: tuple[float, float], where: str) -> Zones:
    """Return the zone of an entry in a tuple, or nothing if it has a fault."""
    if not isinstance(value, Mapping):
        reader.fault(where, "not-a-mapping", phrase("a zone must be an object (keys and values)"))
        return ()
    before = len(reader.faults)
    reader.keys(value, ZONE_KEYS, where)
    shapes = [shape for shape in SHAPES if value.get(shape) not in (None, False)]
    if len(shapes) != 1:
        words = phrase("a zone needs exactly one of {}", ", ".join(SHAPES))
        reader.fault(where, "zone", words)
        return ()
    zone = _read_shape(reader, value, shapes[0], table, where)
    apart = value.get("apart", {})
    if not isinstance(apart, Mapping):
        words = phrase("expected distances in MU: {}", ", ".join(APART_KEYS))
        reader.fault(join_place(where, "apart"), "not-a-mapping", words)
        return ()
    reader.keys(apart, APART_KEYS, join_place(where, "apart"))
    distances = {
        key: reader.measure(apart, key, join_place(where, "apart"), most=max(table))
        for key in APART_KEYS
        if key in apart
    }
    zone = replace(
        zone,
        courses=_read_courses(reader, value, where),
        velocity=read_velocity(reader, value, where),
        ftl=reader.flag(value, "ftl", where),
        orbit=reader.flag(value, "orbit", where) if "orbit" in value else True,
        docked=reader.flag(value, "docked", where) if "docked" in value else True,
        aloft=reader.flag(value, "aloft", where),
        from_enemies=distances.get("enemies", 0.0),
        from_bodies=distances.get("bodies", 0.0),
        from_edges=distances.get("edges", 0.0),
    )
    return (zone,) if len(reader.faults) == before else ()


def _read_shape(
    reader: Reader, value: Mapping[Any, Any], shape: str, table: tuple[float, float], where: str
) -> Zone:
    """Return a zone of the shape that an entry names, without its other limits."""
    width, height = table
    whole = Box(0.0, width, 0.0, height)
    middle = whole.centre
    if shape == "edge":
        return _read_edge(reader, value, table, where)
    if shape == "corner":
        corner = reader.choice(value, "corner", CORNERS, where) or "top-left"
        deep = _read_depth(reader, value, where, CORNER, table)
        box = _corner_box(corner, deep, table)
        return Zone(box, course_towards(box.centre, middle, otherwise=12))
    if shape == "box":
        box = _read_box(reader, value, table, where)
        return Zone(box, course_towards(box.centre, middle, otherwise=3))
    if shape == "near":
        return _read_circle(reader, value["near"], whole, where)
    return Zone(whole, 3)


def _read_edge(
    reader: Reader, value: Mapping[Any, Any], table: tuple[float, float], where: str
) -> Zone:
    """Return the zone along an edge: a named one, or the one farthest from a ship or body."""
    deep = _read_depth(reader, value, where, DEEP, table)
    spot = join_place(where, "edge")
    if isinstance(value["edge"], Mapping):
        reader.keys(value["edge"], (FARTHEST,), spot)
        name = reader.text(value["edge"], FARTHEST, spot)
        if "half" in value:
            words = phrase("only a named edge can be halved")
            reader.fault(join_place(where, "half"), "zone", words)
        return Zone(edge_box(Edge.LEFT, deep, table), AHEAD[Edge.LEFT], far_from=name, deep=deep)
    edge = Edge(reader.choice(value, "edge", EDGES, where) or Edge.LEFT)
    half = reader.flag(value, "half", where)
    return Zone(edge_box(edge, deep, table, half=half), AHEAD[edge])


def _read_depth(
    reader: Reader,
    value: Mapping[Any, Any],
    where: str,
    default: float,
    table: tuple[float, float],
) -> float:
    if "deep" not in value:
        return default
    return reader.measure(value, "deep", where, most=max(table))


def _corner_box(corner: str, deep: float, table: tuple[float, float]) -> Box:
    width, height = table
    vertical, _, side = corner.partition("-")
    left, right = (0.0, deep) if side == "left" else (width - deep, width)
    bottom, top = (0.0, deep) if vertical == "bottom" else (height - deep, height)
    return Box(left, right, bottom, top)


def _read_box(
    reader: Reader, value: Mapping[Any, Any], table: tuple[float, float], where: str
) -> Box:
    numbers = value["box"]
    spot = join_place(where, "box")
    is_box = isinstance(numbers, (list, tuple)) and len(numbers) == 4
    if not is_box or not all(
        isinstance(n, (int, float)) and not isinstance(n, bool) for n in numbers
    ):
        reader.fault(spot, "box", phrase("expected [x0, y0, x1, y1] in MU"))
        return Box(0.0, table[0], 0.0, table[1])
    left, bottom, right, top = (float(number) for number in numbers)
    if not (0 <= left < right <= table[0] and 0 <= bottom < top <= table[1]):
        reader.fault(spot, "box", phrase("this is no rectangle of the table"))
    return Box(left, right, bottom, top)


def _read_circle(reader: Reader, value: object, whole: Box, where: str) -> Zone:
    spot = join_place(where, "near")
    if not isinstance(value, Mapping):
        reader.fault(spot, "not-a-mapping", phrase("expected the id of a ship or body, and MU"))
        return Zone(whole, 3)
    reader.keys(value, ("of", "mu"), spot)
    return Zone(
        whole,
        3,
        near=reader.text(value, "of", spot),
        near_mu=reader.measure(value, "mu", spot, most=1000.0),
    )


def _read_courses(reader: Reader, value: Mapping[Any, Any], where: str) -> tuple[int, ...]:
    courses: list[int] = []
    for number, course in enumerate(reader.items(value, "courses", where, default=())):
        if isinstance(course, int) and not isinstance(course, bool) and 1 <= course <= 12:
            courses.append(course)
        else:
            spot = join_place(where, fault_path("courses", number))
            reader.fault(spot, "course", phrase("courses go from 1 to 12"))
    return tuple(courses)


def read_velocity(reader: Reader, value: Mapping[Any, Any], where: str) -> tuple[int, int]:
    """Return the least and greatest velocity of a zone; one number means exactly this velocity."""
    given = value.get("velocity", [0, MAX_VELOCITY])
    if isinstance(given, int) and not isinstance(given, bool):
        given = [given, given]
    least, most = read_pair(
        Reader(), data={"velocity": given}, key="velocity", where=where, default=None
    )
    is_pair = isinstance(given, list) and [least, most] == given
    if not is_pair or least % 1 or most % 1 or not 0 <= least <= most <= 100:
        words = phrase("expected a velocity, or the least and the greatest one")
        reader.fault(join_place(where, "velocity"), "velocity", words)
        return 0, MAX_VELOCITY
    return int(least), int(most)
