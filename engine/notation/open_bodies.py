"""Bodies that a battle file leaves to the sides: where they are is part of the set-up.

`asteroids: {place: 6, apart: 12}` is a field of six asteroids without places, and an entry of
`terrain` may lack `at`. `by` names the side that places them, or `both`. The set-up places them by
their names:

    set_up: {rock-1: {at: [30, 24]}, planet-1: {at: [10, 40]}}

What nobody places is spread over the table, the same way in every battle with this file.

Rules: 2E "Mining station Con-Am 12" [2e.con-am-12]; Continuum "Deployment" 18.1 [pc.deployment]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import dist, inf
from typing import Any

from engine.core.errors import fault_path
from engine.core.geometry import NEAR, Point
from engine.core.phrase import phrase
from engine.notation.battle_ships import read_pair
from engine.notation.reading import Reader, join_place, ship_entries

PLACE, BY, BOTH = "place", "by", "both"
MAX_PLACED = 30  # asteroids that sides place
APART = 12.0  # MU between asteroids, and from the edges, unless the file says otherwise
FLARES = "flares"
FIELD_KEYS = (PLACE, BY, "apart", "radius", "boxes")
GRID = 2.0  # MU between the places that are tried
FROM_SHIPS = 4.0  # MU between a body that nobody has placed and the places of ships in the file
Document = Mapping[Any, Any]


def place_open_bodies(reader: Reader, document: Document, table: Point) -> Document:
    """Return a battle file in which every body has a place; faults go to the reader."""
    names = _open_names(document)
    if not names or min(table) <= 0:
        return document
    places, rest = _take_places(document.get("set_up", {}), names)
    result = {**document, "set_up": rest}
    if _is_open_field(document):
        result["asteroids"] = _placed_field(reader, document, places, table)
    if any(name not in _rock_names(document) for name in names):
        result["terrain"] = _placed_terrain(reader, document, places, table)
    return result


def _is_open_field(document: Document) -> bool:
    asteroids = document.get("asteroids")
    return isinstance(asteroids, Mapping) and PLACE in asteroids


def _rock_names(document: Document) -> list[str]:
    """Return the names of the asteroids that the sides place."""
    if not _is_open_field(document):
        return []
    count = document["asteroids"][PLACE]
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


def _open_names(document: Document) -> list[str]:
    """Return the names of all bodies without a place."""
    names = [name for _, name in _terrain_names(document)]
    return [*_rock_names(document), *names]


def _take_places(set_up: object, names: Sequence[str]) -> tuple[dict[str, tuple[str, Any]], Any]:
    """Return the set-up entries of bodies with their paths, and the set-up without them."""
    if isinstance(set_up, Mapping):
        places = {}
        for key, entry in set_up.items():
            if key in names:
                places[str(key)] = (f"set_up.{key}", entry)
        return places, {key: entry for key, entry in set_up.items() if key not in names}
    places = {}
    rest = []
    for number, pair in enumerate(set_up if isinstance(set_up, list) else ()):
        if isinstance(pair, (list, tuple)) and len(pair) == 2 and pair[0] in names:
            places[str(pair[0])] = (fault_path("set_up", number), pair[1])
        else:
            rest.append(pair)
    return places, rest if isinstance(set_up, list) else set_up


def _placed_field(
    reader: Reader, document: Document, places: Mapping[str, tuple[str, Any]], table: Point
) -> list[dict[str, Any]]:
    """Return the asteroids of an open field as a list, each with a place."""
    field = document["asteroids"]
    reader.keys(field, FIELD_KEYS, "asteroids")
    _check_placer(reader, document, field, "asteroids")
    names = _rock_names(document)
    if not names or field[PLACE] > MAX_PLACED:
        words = phrase("expected a number of asteroids from 1 to {}", MAX_PLACED)
        reader.fault(join_place("asteroids", PLACE), PLACE, words)
    apart = (
        reader.measure(field, "apart", "asteroids", most=max(table)) if "apart" in field else APART
    )
    chosen: dict[str, Point] = {}
    for name in names:
        if name in places:
            at = _chosen_place(reader, places[name], table, edges=apart)
            if at is not None and _is_apart(reader, at, chosen.values(), apart, places[name][0]):
                chosen[name] = at
    rocks = []
    for name in names:
        if name not in chosen:
            others = [*chosen.values()]
            chosen[name] = _free_place(reader, table, others, _ship_places(document), apart)
        rock = {key: field[key] for key in ("radius", "boxes") if key in field}
        rocks.append({**rock, "at": list(chosen[name])})
    return rocks


def _placed_terrain(
    reader: Reader, document: Document, places: Mapping[str, tuple[str, Any]], table: Point
) -> list[Any]:
    """Return the terrain of a file with a place for every entry."""
    names = dict(_terrain_names(document))
    taken: list[Point] = []
    result: list[Any] = []
    for number, entry in enumerate(document["terrain"]):
        if number not in names:
            result.append(entry)
            continue
        _check_placer(reader, document, entry, fault_path("terrain", number))
        at = None
        if names[number] in places:
            at = _chosen_place(reader, places[names[number]], table, edges=0.0)
        if at is None:
            at = _free_place(reader, table, taken, _ship_places(document), APART)
        taken.append(at)
        result.append({key: value for key, value in entry.items() if key != BY} | {"at": list(at)})
    return result


def _check_placer(reader: Reader, document: Document, entry: Document, where: str) -> None:
    """Report a body that is placed by nobody in the battle."""
    sides = document.get("sides")
    names = [BOTH]
    for side in sides if isinstance(sides, list) else ():
        if isinstance(side, Mapping):
            names.append(str(side.get("name")))
    if BY in entry:
        reader.choice(entry, BY, names, where)


def _chosen_place(
    reader: Reader, place: tuple[str, Any], table: Point, edges: float
) -> Point | None:
    """Return the place that a side has chosen for a body, or None with faults."""
    where, entry = place
    if not isinstance(entry, Mapping):
        reader.fault(where, "not-a-mapping", phrase("expected the place of the body: at"))
        return None
    before = len(reader.faults)
    reader.keys(entry, ("at",), where)
    x, y = read_pair(reader, data=entry, key="at", where=where, default=None)
    if len(reader.faults) > before:
        return None
    width, height = table
    if min(x, y, width - x, height - y) < edges - NEAR:
        words = phrase("({:g}, {:g}) is less than {:g} MU from an edge of the table", x, y, edges)
        reader.fault(join_place(where, "at"), "deployment", words)
        return None
    return x, y


def _is_apart(reader: Reader, at: Point, others: Iterable[Point], apart: float, where: str) -> bool:
    """Return whether a body is far enough from others; else the reader gets a fault."""
    if all(dist(at, other) >= apart - NEAR for other in others):
        return True
    words = phrase("it is less than {:g} MU from another body", apart)
    reader.fault(join_place(where, "at"), "deployment", words)
    return False


def _ship_places(document: Document) -> list[Point]:
    """Return the places of the ships that have one in the file."""
    places = []
    scratch = Reader()
    for _, ship in ship_entries(document):
        if "at" in ship:
            places.append(read_pair(scratch, data=ship, key="at", where="", default=None))
    return places


def _free_place(
    reader: Reader,
    table: Point,
    bodies: Sequence[Point],
    ships: Sequence[Point],
    apart: float,
) -> Point:
    """Return the place farthest from other bodies, the middle for the first one.

    It is at least `apart` from edges and bodies, and not where a ship begins. Without such a place
    the reader gets a fault.
    """
    middle = (table[0] / 2, table[1] / 2)
    best: Point | None = None
    best_distance = -inf
    for point in _grid(table, apart):
        if any(dist(point, ship) < FROM_SHIPS for ship in ships):
            continue
        distance = min((dist(point, body) for body in bodies), default=-dist(point, middle))
        if distance > best_distance:
            best, best_distance = point, distance
    if best is None or (bodies and best_distance < apart - NEAR):
        words = phrase("there is no room for another body {:g} MU from the others", apart)
        reader.fault("asteroids.apart", "no-room", words)
    return best or middle


def _grid(table: Point, margin: float) -> Iterator[Point]:
    """Yield points of the table at least `margin` from its edges."""
    width, height = table
    for column in range(int((width - 2 * margin) // GRID) + 1):
        for row in range(int((height - 2 * margin) // GRID) + 1):
            yield margin + GRID * column, margin + GRID * row
