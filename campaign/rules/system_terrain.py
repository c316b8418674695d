"""The terrain of a star system for all battles there: planets, clouds, fields of rocks.

A scenario declares it like the terrain of a battle file, except that positions are relative to the
middle of the table: `{kind: planet, at: [0, 0], radius: 4, gravity: [9, 7]}`. It must begin in the
middle half of the table, because fleets begin in the rest.

Rules: Continuum "Terrain" 17 [pc.planets] [pc.clouds]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from campaign.rules.ground_targets import targets_words
from campaign.rules.scenario import Scenario, StarSystem
from engine.core.errors import Violation, fault_path
from engine.core.phrase import join_phrases, phrase
from engine.notation.reading import Reader
from engine.notation.terrain import read_terrain
from engine.pieces.registry import kinds

MIDDLE = 2  # the part for terrain has half the width and half the depth of the table
# Titles of kinds whose names in battle files say too little.
WORDS = {
    "cloud": phrase("dust cloud"),
    "field": phrase("field of rocks"),
    "flares": phrase("solar flares"),
}
Entries = tuple[dict[str, Any], ...]


def terrain_on(
    entries: Sequence[Mapping[str, Any]], table: tuple[float, float]
) -> list[dict[str, Any]]:
    """Return the terrain of a system for the battle file of a table of this size (MU)."""
    result: list[dict[str, Any]] = []
    for entry in entries:
        if "at" not in entry:  # it reaches the whole table
            result.append(dict(entry))
            continue
        x, y = entry["at"]
        result.append({**entry, "at": [x + table[0] / 2, y + table[1] / 2]})
    return result


def read_system_terrain(
    rows: Sequence[object], edition: str, table: tuple[float, float], where: str
) -> tuple[Entries, list[Violation]]:
    """Read the terrain of a system from a scenario file.

    Args:
        table: The size of the scenario's battles in MU.

    Returns:
        The terrain, and its faults with places under `where`.
    """
    reader = Reader()
    shifted_rows = []
    for number, row in enumerate(rows):
        shifted_rows.append(_shift_row(reader, number, row, table))
    read_terrain(
        reader,
        {"terrain": shifted_rows} if shifted_rows else {},
        edition=edition,
        options=(),
        table=table,
    )
    faults = []
    for fault in reader.faults:
        faults.append(Violation(f"{where}.{fault.where}", fault.code, fault.message))
    if faults:
        return (), faults
    entries = []
    for row in rows:
        if isinstance(row, Mapping):
            entries.append({str(key): value for key, value in row.items()})
    return tuple(entries), faults


def _shift_row(reader: Reader, number: int, row: object, table: tuple[float, float]) -> object:
    """Return a row with its position counted from the corner of the table, as battle files do.

    Reports the faults that only a system's terrain has. A row without a readable position is
    returned as it is, and the engine reports the fault.
    """
    if not isinstance(row, Mapping) or not _is_pair(row.get("at")):
        return row
    if not _is_whole(row):
        words = phrase("must be a whole number of MU")
        reader.fault(fault_path("terrain", number), "not-whole", words)
    half_width = table[0] / 2
    half_depth = table[1] / 2
    x, y = row["at"]
    radius = row.get("radius")
    if not isinstance(radius, (int, float)):
        radius = 0.0
    if abs(x) + radius > half_width / MIDDLE or abs(y) + radius > half_depth / MIDDLE:
        words = phrase(
            "must be within {:g} and {:g} MU of the middle of the table",
            half_width / MIDDLE,
            half_depth / MIDDLE,
        )
        reader.fault(f"{fault_path('terrain', number)}.at", "off-middle", words)
    return {**row, "at": [x + half_width, y + half_depth]}


def _is_whole(value: object) -> bool:
    """Return whether an entry has no fractions, which have no unique form to hash."""
    if isinstance(value, Mapping):
        return all(map(_is_whole, value.values()))
    if isinstance(value, list):
        return all(map(_is_whole, value))
    return not isinstance(value, float)


def _is_pair(value: object) -> bool:
    """Return whether a value is a list of two numbers."""
    return isinstance(value, list) and len(value) == 2 and all(map(_is_coordinate, value))


def _is_coordinate(value: object) -> bool:
    """Return whether a value is a number of reasonable size."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return abs(value) < 1e6


def system_text(scenario: Scenario, system: StarSystem) -> str:
    """Return what a scenario says of a system: its terrain, its ground targets, and its note."""
    powers = {power.id: power.name for power in scenario.factions}
    parts = (terrain_words(system.terrain), targets_words(system, powers), system.note)
    return join_phrases("; ", (words for words in parts if words))


def terrain_words(entries: Sequence[Mapping[str, Any]]) -> str:
    """Return a text of a system's terrain: "planet of 4 MU with gravity up to 9 MU"."""
    return join_phrases(", ", map(_words, entries))


def _words(entry: Mapping[str, Any]) -> str:
    """Return a text of one piece of terrain."""
    word = str(entry["kind"])
    kind = next(kind for kind in kinds() if word in kind.file_kinds)
    name = phrase(WORDS.get(word, word))
    if "radius" in entry:
        name = phrase("{} of {:g} MU", name, entry["radius"])
    return join_phrases(", ", (name, *kind.about(entry)))
