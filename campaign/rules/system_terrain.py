"""The terrain of a star system for all battles there: asteroids, planets, clouds, fields of rocks.

A scenario declares it like the terrain of a battle file, except that positions are relative to the
middle of the table: `{kind: planet, at: [0, 0], radius: 4, gravity: [9, 7]}`. It must begin in the
middle half of the table, because fleets begin in the rest.

`{kind: asteroid, at: [0, 6], radius: 2, boxes: 50}` is one asteroid. `{kind: asteroids, roll:
true}`, or with `count: 6`, is a belt that dice place anew for each battle. The second edition has
these two kinds only. The system's `drift` moves its asteroids.

Rules: 2E "Asteroids" [2e.asteroids] [camp.system-asteroids]; Continuum "Terrain" 17 [pc.planets]
[pc.clouds] [pc.planetoids]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from campaign.rules.ground_targets import targets_words
from campaign.rules.scenario import Drift, Scenario, StarSystem
from engine.core.errors import Violation, fault_path
from engine.core.phrase import Count, join_phrases, phrase
from engine.notation.battle_file import BattleFileDocument
from engine.notation.reading import Reader, join_place
from engine.notation.terms import MAX_ROLLED, has_room_for, read_asteroids, read_drift
from engine.notation.terrain import MAX_TERRAIN, read_terrain
from engine.pieces.asteroid import ADDED
from engine.pieces.registry import kinds
from engine.ruleset import rules_of

ASTEROID, BELT, FLARES = "asteroid", "asteroids", "flares"
MIDDLE = 2  # the part for terrain has half the width and half the depth of the table
# Titles of kinds whose names in battle files say too little.
WORDS = {
    "cloud": phrase("dust cloud"),
    "field": phrase("field of rocks"),
    FLARES: phrase("solar flares"),
}
Entries = tuple[dict[str, Any], ...]
Table = tuple[float, float]  # width and depth in MU


def add_terrain(
    file: BattleFileDocument, system: StarSystem, table: Table, *, lists_flares: bool = True
) -> None:
    """Add the terrain of a system to a battle file.

    Args:
        lists_flares: Whether flares over the whole table are in the file's own list of turns.
    """
    terrain = []
    asteroids = []
    flare_turns: set[int] = set()
    for entry in terrain_on(system.terrain, table):
        if entry["kind"] in (ASTEROID, BELT):
            asteroids.append(entry)
        elif entry["kind"] == FLARES and "at" not in entry and lists_flares:
            flare_turns.update(entry["turns"])
        else:
            terrain.append(entry)
    _add_asteroids(file, asteroids)
    if terrain:
        file["terrain"] = terrain
    if flare_turns:
        file["flares"] = sorted(flare_turns)
    if system.drift:
        file["drift"] = system.drift


def _add_asteroids(file: BattleFileDocument, entries: Iterable[Mapping[str, Any]]) -> None:
    """Add the belt of a system or its single asteroids to a battle file."""
    rocks = []
    for entry in entries:
        rest = {key: value for key, value in entry.items() if key != "kind"}
        if entry["kind"] == BELT:
            file["asteroids"] = rest
        else:
            rocks.append(rest)
    if rocks:
        file["asteroids"] = rocks


def has_asteroids(system: StarSystem) -> bool:
    """Return whether battles in a system have asteroids on the table."""
    return any(entry["kind"] in (ASTEROID, BELT) for entry in system.terrain)


def has_breakable_asteroids(system: StarSystem) -> bool:
    """Return whether a system has asteroids that fire can break, with the option for that."""
    rocks = [entry for entry in system.terrain if entry["kind"] in (ASTEROID, BELT)]
    return any(entry.get("boxes") for entry in rocks)


def terrain_on(entries: Sequence[Mapping[str, Any]], table: Table) -> list[dict[str, Any]]:
    """Return the terrain of a system with places on a table of this size (MU)."""
    result: list[dict[str, Any]] = []
    for entry in entries:
        if "at" not in entry:  # it reaches the whole table, or dice place it
            result.append(dict(entry))
            continue
        x, y = entry["at"]
        result.append({**entry, "at": [x + table[0] / 2, y + table[1] / 2]})
    return result


def read_system_terrain(
    rows: Sequence[object], edition: str, table: Table, where: str
) -> tuple[Entries, list[Violation]]:
    """Read the terrain of a system from a scenario file.

    Args:
        table: The size of the scenario's battles in MU.

    Returns:
        The terrain, and its faults with places under `where`.
    """
    reader = Reader()
    if len(rows) > MAX_TERRAIN:
        words = phrase("a system can have at most {} pieces of terrain", MAX_TERRAIN)
        return (), [Violation(join_place(where, "terrain"), "too-many", words)]
    belts = 0
    asteroids = 0
    for number, row in enumerate(rows):
        spot = fault_path("terrain", number)
        _read_row(reader, row, spot, edition, table)
        kind = row.get("kind") if isinstance(row, Mapping) else None
        belts += kind == BELT
        asteroids += kind == ASTEROID
        if kind in (BELT, ASTEROID) and (belts > 1 or (belts and asteroids)):
            words = phrase("a system has either one belt of asteroids or single asteroids")
            reader.fault(spot, "asteroids-twice", words)
    faults = []
    for fault in reader.faults:
        faults.append(Violation(join_place(where, fault.where), fault.code, fault.message))
    if faults:
        return (), faults
    entries = []
    for row in rows:
        if isinstance(row, Mapping):
            entries.append({str(key): value for key, value in row.items()})
    return tuple(entries), faults


def _read_row(reader: Reader, row: object, where: str, edition: str, table: Table) -> None:
    """Report the faults of one piece of terrain."""
    if not isinstance(row, Mapping):
        reader.fault(where, "not-a-mapping", phrase("terrain needs a kind and a position"))
        return
    kind = row.get("kind")
    if kind not in (ASTEROID, BELT) and not rules_of(edition).terrain:
        words = phrase("the second edition has no terrain except asteroids")
        reader.fault(f"{where}.kind", "no-terrain", words)
        return
    engine_reader = Reader()
    shifted = _shift_row(reader, row, where, table)
    if kind in (ASTEROID, BELT):
        _read_asteroid(engine_reader, shifted, is_belt=kind == BELT, table=table)
    else:
        document: dict[object, object] = {"terrain": [shifted]}
        read_terrain(engine_reader, document, edition=edition, options=(), table=table)
    for fault in engine_reader.faults:
        rest = fault.where
        for place in ("terrain[0]", "asteroids[0]", "asteroids"):
            rest = rest.removeprefix(place)
        reader.fault(join_place(where, rest.lstrip(".")), fault.code, fault.message)


def _read_asteroid(reader: Reader, row: Mapping[Any, Any], *, is_belt: bool, table: Table) -> None:
    """Report the faults of an asteroid, or of a belt whose asteroids dice place."""
    entry = {key: value for key, value in row.items() if key != "kind"}
    if is_belt and not _is_whole(entry):
        reader.fault("", "not-whole", phrase("must be a whole number of MU"))
    read_asteroids(reader, {"asteroids": entry if is_belt else [entry]}, table, [])
    if is_belt and not reader.faults and not has_room_for(entry, table):
        words = phrase("the table has no room for so many asteroids so far apart")
        reader.fault("apart", "no-room", words)


def read_system_drift(
    reader: Reader, row: Mapping[Any, Any], terrain: Sequence[object], where: str
) -> Drift:
    """Return the drift of a system's asteroids; "" without one.

    Args:
        terrain: The terrain as it is in the file, with or without faults.

    Rules: 2E "Movement of asteroids" [camp.system-asteroids]
    """
    value = row.get("drift")
    if value is None:
        return ""
    drift_reader = Reader()
    read_drift(drift_reader, {"drift": value})
    for fault in drift_reader.faults:
        reader.fault(join_place(where, fault.where), fault.code, fault.message)
    kinds_here = [entry.get("kind") for entry in terrain if isinstance(entry, Mapping)]
    if not {ASTEROID, BELT}.intersection(filter(_is_text, kinds_here)):
        words = phrase("only asteroids drift, and this system has none")
        reader.fault(join_place(where, "drift"), "no-asteroids", words)
    if drift_reader.faults:
        return ""
    return dict(value) if isinstance(value, Mapping) else str(value)


def _shift_row(
    reader: Reader, row: Mapping[Any, Any], where: str, table: Table
) -> Mapping[Any, Any]:
    """Return a row with its position counted from the corner of the table, as battle files do.

    Reports the faults that only a system's terrain has. A row without a readable position is
    returned as it is, and the engine reports the fault.
    """
    if not _is_pair(row.get("at")):
        return row
    if not _is_whole(row):
        reader.fault(where, "not-whole", phrase("must be a whole number of MU"))
    x, y = row["at"]
    radius = row.get("radius")
    if not isinstance(radius, (int, float)):
        radius = 0.0
    if not is_in_middle(x, y, table, radius):
        reader.fault(f"{where}.at", "off-middle", middle_words(table))
    return {**row, "at": [x + table[0] / 2, y + table[1] / 2]}


def is_in_middle(x: float, y: float, table: Table, radius: float = 0.0) -> bool:
    """Return whether a place, from the middle of the table, is in its middle half."""
    width, depth = table
    return abs(x) + radius <= width / 2 / MIDDLE and abs(y) + radius <= depth / 2 / MIDDLE


def middle_words(table: Table) -> str:
    """Return the words of the fault of a place outside the middle half of the table."""
    width, depth = table
    return phrase(
        "must be within {:g} and {:g} MU of the middle of the table",
        width / 2 / MIDDLE,
        depth / 2 / MIDDLE,
    )


def _is_whole(value: object) -> bool:
    """Return whether an entry has no fractions, which have no unique form to hash."""
    if isinstance(value, Mapping):
        return all(map(_is_whole, value.values()))
    if isinstance(value, list):
        return all(map(_is_whole, value))
    return not isinstance(value, float)


def _is_text(value: object) -> bool:
    """Return whether a value is a text."""
    return isinstance(value, str)


def _is_pair(value: object) -> bool:
    """Return whether a value is a list of two numbers."""
    return isinstance(value, list) and len(value) == 2 and all(map(_is_coordinate, value))


def _is_coordinate(value: object) -> bool:
    """Return whether a value is a number of reasonable size."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return abs(value) < 1e6


def system_text(scenario: Scenario, system: StarSystem) -> str:
    """Return what a scenario says of a system: terrain, FTL, income, ground targets, its note."""
    powers = {power.id: power.name for power in scenario.factions}
    terrain = terrain_words(system.terrain, system.drift)
    no_ftl = phrase("no FTL in battles here") if system.hyper_limit else ""
    income = ""
    if system.income:
        income = phrase("yields {points:point} a week", points=Count(system.income))
    parts = (terrain, no_ftl, income, targets_words(system, powers), system.note)
    return join_phrases("; ", (words for words in parts if words))


def terrain_words(entries: Sequence[Mapping[str, Any]], drift: Drift = "") -> str:
    """Return a text of a system's terrain: "planet of 4 MU with gravity up to 9 MU"."""
    words = [_words(entry) for entry in entries]
    if drift:
        words.append(_drift_words(drift))
    return join_phrases(", ", words)


def _drift_words(drift: Drift) -> str:
    """Return a text of how the asteroids of a system drift."""
    if isinstance(drift, str):
        return phrase("drifting; dice decide how for each battle")
    return phrase("drifting {} MU a turn on course {}", drift["speed"], drift["course"])


def _words(entry: Mapping[str, Any]) -> str:
    """Return a text of one piece of terrain."""
    word = str(entry["kind"])
    if word in (ASTEROID, BELT):
        return _asteroid_words(entry)
    kind = next(kind for kind in kinds() if word in kind.file_kinds)
    name = phrase(WORDS.get(word, word))
    if "radius" in entry:
        name = phrase("{} of {:g} MU", name, entry["radius"])
    return join_phrases(", ", (name, *kind.about(entry)))


def _asteroid_words(entry: Mapping[str, Any]) -> str:
    """Return a text of an asteroid or of a belt."""
    radius = entry.get("radius", 1)
    boxes = Count(entry.get("boxes", 0))
    if entry["kind"] == ASTEROID:
        words = phrase("asteroid of {:g} MU", radius)
        if boxes:
            return phrase("{} with {boxes:box}", words, boxes=boxes)
        return words
    if "count" in entry:
        words = phrase("{n:asteroid} of {:g} MU", radius, n=Count(entry["count"]))
    else:
        words = phrase("{} to {} asteroids of {:g} MU", ADDED + 1, MAX_ROLLED, radius)
    if boxes:
        return phrase("{} with {boxes:box} each", words, boxes=boxes)
    return words
