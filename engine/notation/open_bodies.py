"""Bodies that a battle file leaves to the sides: where they are is part of the set-up.

`asteroids: {place: 6, apart: 12}` is a field of six asteroids without places (`place: roll` rolls
for their number), an entry of `terrain` may lack `at`, and so may an installation, if it has
`apart` instead. `by` names the side that places a body, or `both`; an installation is placed by its
own side. The set-up places them by their names:

    set_up: {rock-1: {at: [30, 24]}, planet-1: {at: [10, 40]}, station: {at: [60, 20]}}

What nobody places is spread over the table, the same way in every battle with this file.

Rules: 2E "Mining station Con-Am 12" [2e.con-am-12]; Continuum "Deployment" 18.1 [pc.deployment]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

from engine.core.deployment import OpenBody
from engine.core.errors import fault_path
from engine.core.geometry import NEAR, Point, dist
from engine.core.phrase import phrase
from engine.core.zones import is_in_body
from engine.notation.battle_ships import read_pair
from engine.notation.reading import Reader, join_place, ship_entries
from engine.pieces.asteroid import ADDED

PLACE, BY, BOTH = "place", "by", "both"
ROLL = "roll"  # the value of `place` for a number of asteroids that a die decides
MAX_PLACED = 30  # asteroids that sides place
MAX_ROLLED = 6 + ADDED
APART = 12.0  # MU between asteroids, and from the edges, unless the file says otherwise
FLARES = "flares"
FIELD_KEYS = (PLACE, BY, "apart", "radius", "boxes")
STATION_PLACE_KEYS = ("at", "course")
GRID = 2.0  # MU between the places that are tried
FROM_SHIPS = 4.0  # MU between a body that nobody has placed and the places of ships in the file
Document = Mapping[Any, Any]
Places = Mapping[str, tuple[str, Any]]  # the set-up entries of bodies with their paths, by name


@dataclass(frozen=True, slots=True)
class OpenBodies:
    """A battle file in which every body has a place, and what its sides may still decide.

    Attributes:
        bodies: The bodies for which the set-up of the file names no place, in the order in which
            the sides place them.
        is_rolled: Whether a die decides the number of asteroids, of which these are the most.
        chosen_rocks: The paths of the set-up entries of asteroids, by name.
    """

    document: Document
    bodies: tuple[OpenBody, ...] = ()
    is_rolled: bool = False
    chosen_rocks: Mapping[str, str] = field(default_factory=dict)


def place_open_bodies(
    reader: Reader, document: Document, table: Point, installations: Iterable[str]
) -> OpenBodies:
    """Return a battle file in which every body has a place; faults go to the reader.

    Args:
        installations: The ids of the installations of the file.
    """
    stations = _open_stations(reader, document, frozenset(installations))
    names = [*_body_names(document), *stations]
    if not names or min(table) <= 0:
        return OpenBodies(document)
    set_up = document.get("set_up", {})
    places, rest = _take_places(set_up, names)
    result = {**document, "set_up": rest}
    bodies: list[OpenBody] = []
    if _is_open_field(document):
        result["asteroids"] = _placed_field(reader, document, places, table, bodies)
    if _terrain_names(document):
        result["terrain"] = _placed_terrain(reader, document, places, table, bodies)
    if stations:
        result["sides"] = _placed_stations(reader, result, places, table, bodies)
    rocks = {name: places[name][0] for name in _rock_names(document) if name in places}
    return OpenBodies(
        result,
        tuple(body for body in _in_order(bodies) if body.id not in places),
        is_rolled=_is_open_field(document) and document["asteroids"][PLACE] == ROLL,
        chosen_rocks=rocks,
    )


def body_owners(document: Document) -> dict[str, str]:
    """Return the side that places each body without a place, by the body's name.

    The side is `both` if the sides place it in turn. Installations are not among them: they are
    ships of their sides.
    """
    owners = {}
    if _is_open_field(document):
        for name in _rock_names(document):
            owners[name] = str(document["asteroids"].get(BY, BOTH))
    for number, name in _terrain_names(document):
        owners[name] = str(document["terrain"][number].get(BY, BOTH))
    return owners


def _in_order(bodies: Sequence[OpenBody]) -> list[OpenBody]:
    """Return bodies in the order of placing: first those that the sides place in turn."""
    return sorted(bodies, key=lambda body: body.by is not None)


def _is_open_field(document: Document) -> bool:
    asteroids = document.get("asteroids")
    return isinstance(asteroids, Mapping) and PLACE in asteroids


def _rock_names(document: Document) -> list[str]:
    """Return the names of the asteroids that the sides place."""
    if not _is_open_field(document):
        return []
    count = document["asteroids"][PLACE]
    if count == ROLL:
        count = MAX_ROLLED
    is_count = isinstance(count, int) and not isinstance(count, bool)
    return [f"rock-{n + 1}" for n in range(min(count, MAX_PLACED) if is_count else 0)]


def _terrain_names(document: Document) -> list[tuple[int, str]]:
    """Return the number in the file and the name of each terrain without a place.

    Flares without a place and a radius reach the whole table.
    """
    entries = document.get("terrain", ())
    counts: Counter[str] = Counter()
    names = []
    for number, entry in enumerate(entries if isinstance(entries, list) else ()):
        if isinstance(entry, Mapping) and isinstance(entry.get("kind"), str):
            counts[entry["kind"]] += 1
            if "at" not in entry and (entry["kind"] != FLARES or "radius" in entry):
                names.append((number, f"{entry['kind']}-{counts[entry['kind']]}"))
    return names


def _body_names(document: Document) -> list[str]:
    """Return the names of all asteroids and terrain without a place."""
    return [*_rock_names(document), *(name for _, name in _terrain_names(document))]


def _open_stations(reader: Reader, document: Document, installations: frozenset[str]) -> list[str]:
    """Return the ids of the installations that their sides place; faults go to the reader."""
    names = []
    for where, ship in ship_entries(document):
        if "apart" not in ship:
            continue
        if str(ship.get("id")) not in installations or "at" in ship:
            words = phrase("only an installation without a place can have this distance")
            reader.fault(join_place(where, "apart"), "apart", words)
        else:
            names.append(str(ship["id"]))
    return names


def _take_places(set_up: object, names: Sequence[str]) -> tuple[Places, Any]:
    """Return the set-up entries of bodies with their paths, and the set-up without them."""
    places = {}
    if isinstance(set_up, Mapping):
        others = {}
        for key, entry in set_up.items():
            if key in names:
                places[str(key)] = (f"set_up.{key}", entry)
            else:
                others[key] = entry
        return places, others
    if not isinstance(set_up, list):
        return places, set_up
    rest = []
    for number, pair in enumerate(set_up):
        if isinstance(pair, (list, tuple)) and len(pair) == 2 and pair[0] in names:
            places[str(pair[0])] = (fault_path("set_up", number), pair[1])
        else:
            rest.append(pair)
    return places, rest


def _placed_field(
    reader: Reader,
    document: Document,
    places: Places,
    table: Point,
    bodies: list[OpenBody],
) -> list[dict[str, Any]]:
    """Return the asteroids of an open field as a list, each with a place.

    Args:
        bodies: What the sides may place; the asteroids are added.
    """
    entry = document["asteroids"]
    reader.keys(entry, FIELD_KEYS, "asteroids")
    by = _placer(reader, document, entry, "asteroids")
    names = _rock_names(document)
    if not names or (entry[PLACE] != ROLL and entry[PLACE] > MAX_PLACED):
        words = phrase("expected a number of asteroids from 1 to {}", MAX_PLACED)
        reader.fault(join_place("asteroids", PLACE), PLACE, words)
    apart = APART
    if "apart" in entry:
        apart = reader.measure(entry, "apart", "asteroids", most=max(table))
    radius = entry.get("radius", 1.0)
    size = float(radius) if isinstance(radius, (int, float)) else 1.0
    chosen: dict[str, Point] = {}
    for name in names:
        body = OpenBody(name, by, apart=apart, edges=apart, radius=size, is_asteroid=True)
        bodies.append(body)
        if name in places:
            at = _chosen_place(reader, places[name], ("at",), body, list(chosen.values()), table)
            if at is not None:
                chosen[name] = at
    rocks = []
    for name in names:
        if name not in chosen:
            others = list(chosen.values())
            chosen[name] = _spread_place(reader, table, others, document, apart, "asteroids.apart")
        rock = {key: entry[key] for key in ("radius", "boxes") if key in entry}
        rocks.append({**rock, "at": list(chosen[name])})
    return rocks


def _spread_place(
    reader: Reader,
    table: Point,
    others: Sequence[Point],
    document: Document,
    apart: float,
    where: str,
) -> Point:
    """Return the place of a body without a chosen one.

    Args:
        where: The part of the file that gets a fault if there is no room.
    """
    at = free_place(table, others, _ship_places(document), apart)
    if at is None:
        words = phrase("there is no room for another body {:g} MU from the others", apart)
        reader.fault(where, "no-room", words)
    return at or (table[0] / 2, table[1] / 2)


def _placed_terrain(
    reader: Reader,
    document: Document,
    places: Places,
    table: Point,
    bodies: list[OpenBody],
) -> list[Any]:
    """Return the terrain of a file with a place for every entry.

    Args:
        bodies: What the sides may place; the terrain is added.
    """
    names = dict(_terrain_names(document))
    occupied_places: list[Point] = []
    result: list[Any] = []
    for number, entry in enumerate(document["terrain"]):
        if number not in names:
            result.append(entry)
            continue
        by = _placer(reader, document, entry, fault_path("terrain", number))
        radius = entry.get("radius", 0.0)
        size = float(radius) if isinstance(radius, (int, float)) else 0.0
        body = OpenBody(names[number], by, radius=size)
        bodies.append(body)
        at = None
        if body.id in places:
            at = _chosen_place(reader, places[body.id], ("at",), body, (), table)
        if at is None:
            spot = fault_path("terrain", number)
            at = _spread_place(reader, table, occupied_places, document, APART, spot)
        occupied_places.append(at)
        result.append({key: value for key, value in entry.items() if key != BY} | {"at": list(at)})
    return result


def _placed_stations(
    reader: Reader,
    document: Document,
    places: Places,
    table: Point,
    bodies: list[OpenBody],
) -> list[Any]:
    """Return the sides of a file in which each installation has a place, where it then stays.

    Args:
        document: With a place for each asteroid and each terrain.
        bodies: What the sides may place; the installations are added.
    """
    occupied_places = _places_of_bodies(document)
    sides: list[Any] = []
    for number, side in enumerate(document["sides"]):
        if not isinstance(side, Mapping) or not isinstance(side.get("ships"), list):
            sides.append(side)
            continue
        ships = []
        for row, ship in enumerate(side["ships"]):
            if isinstance(ship, Mapping) and "apart" in ship and "at" not in ship:
                spot = join_place(fault_path("sides", number), fault_path("ships", row))
                apart = reader.measure(ship, "apart", spot, most=max(table))
                body = OpenBody(str(ship["id"]), number, apart=apart, edges=apart)
                bodies.append(body)
                entry = places.get(body.id)
                place = _station_place(reader, body, entry, spot, occupied_places, document, table)
                occupied_places.append((place["at"][0], place["at"][1]))
                ship = {key: value for key, value in ship.items() if key != "apart"}
                ship = {**ship, **place, "fixed": True}
            ships.append(ship)
        sides.append({**side, "ships": ships})
    return sides


def _station_place(
    reader: Reader,
    body: OpenBody,
    entry: tuple[str, Any] | None,
    spot: str,
    occupied_places: Sequence[Point],
    document: Document,
    table: Point,
) -> dict[str, Any]:
    """Return where an installation is: as its side has chosen, else at a free place.

    Args:
        entry: Its entry in the set-up, with its path.
        spot: The path of the installation.
        occupied_places: The places of other bodies.
    """
    if entry is not None:
        at = _chosen_place(reader, entry, STATION_PLACE_KEYS, body, occupied_places, table)
        if at is not None:
            return {**entry[1], "at": list(at)}
    free = free_place(table, occupied_places, _ship_places(document), body.apart)
    if free is None:
        words = phrase("there is no room for it {:g} MU from bodies and edges", body.apart)
        reader.fault(join_place(spot, "apart"), "no-room", words)
        free = (table[0] / 2, table[1] / 2)
    return {"at": list(free)}


def _places_of_bodies(document: Document) -> list[Point]:
    """Return the places of the asteroids and the terrain of a file, as far as they can be read."""
    scratch = Reader()
    places = []
    for key in ("asteroids", "terrain"):
        entries = document.get(key, ())
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, Mapping) and "at" in entry:
                places.append(read_pair(scratch, data=entry, key="at", where="", default=None))
    return places


def _placer(reader: Reader, document: Document, entry: Document, where: str) -> int | None:
    """Return the number of the side that places a body; None: the sides in turn.

    A name that is no side's is reported.
    """
    sides = document.get("sides")
    names = []
    for side in sides if isinstance(sides, list) else ():
        names.append(str(side.get("name")) if isinstance(side, Mapping) else "")
    if BY not in entry:
        return None
    by = reader.choice(entry, BY, [BOTH, *names], where)
    return names.index(by) if by in names else None


def _chosen_place(
    reader: Reader,
    place: tuple[str, Any],
    keys: Sequence[str],
    body: OpenBody,
    others: Sequence[Point],
    table: Point,
) -> Point | None:
    """Return the place that a side has chosen for a body, or None with faults.

    Args:
        others: The places of the bodies from which it keeps its distance.
    """
    where, entry = place
    if not isinstance(entry, Mapping):
        reader.fault(where, "not-a-mapping", phrase("expected the place of the body: at"))
        return None
    before = len(reader.faults)
    reader.keys(entry, keys, where)
    at = read_pair(reader, data=entry, key="at", where=where, default=None)
    if len(reader.faults) > before:
        return None
    if words := place_fault(at, body, others, table):
        reader.fault(join_place(where, "at"), "deployment", words)
        return None
    return at


def place_fault(at: Point, body: OpenBody, others: Iterable[Point], table: Point) -> str:
    """Return why a body cannot be at a point, or "" if it can.

    Args:
        others: The places of the bodies from which it keeps its distance.
    """
    x, y = at
    width, height = table
    if min(x, y, width - x, height - y) < body.edges - NEAR:
        return phrase(
            "({:g}, {:g}) is less than {:g} MU from an edge of the table", x, y, body.edges
        )
    if all(dist(at, other) >= body.apart - NEAR for other in others):
        return ""
    return phrase("it is less than {:g} MU from another body", body.apart)


def _ship_places(document: Document) -> list[Point]:
    """Return the places of the ships that have one in the file."""
    places = []
    scratch = Reader()
    for _, ship in ship_entries(document):
        if "at" in ship:
            places.append(read_pair(scratch, data=ship, key="at", where="", default=None))
    return places


def free_place(
    table: Point, bodies: Sequence[Point], ships: Sequence[Point], apart: float
) -> Point | None:
    """Return the place farthest from other bodies, the middle for the first one.

    It is at least `apart` from edges and bodies, and not where a ship begins. Without such a place
    there is none.
    """
    middle = (table[0] / 2, table[1] / 2)
    best: Point | None = None
    best_distance = -inf
    for point in _grid(table, apart):
        if is_in_body(point, [(ship, FROM_SHIPS) for ship in ships]):
            continue
        distance = min((dist(point, body) for body in bodies), default=-dist(point, middle))
        if distance > best_distance:
            best, best_distance = point, distance
    if bodies and best_distance < apart - NEAR:
        return None
    return best


def _grid(table: Point, margin: float) -> Iterator[Point]:
    """Yield points of the table at least `margin` from its edges."""
    width, height = table
    for column in range(int((width - 2 * margin) // GRID) + 1):
        for row in range(int((height - 2 * margin) // GRID) + 1):
            yield margin + GRID * column, margin + GRID * row
