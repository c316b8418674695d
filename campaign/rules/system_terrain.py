"""What lies in a star system, and so on the table of every battle there: planets, clouds, fields of
rocks.

A scenario gives it as a battle file gives its terrain, but for its places, which are counted from
the middle of the table: `{kind: planet, at: [0, 0], radius: 4, gravity: [9, 7]}`. It keeps to the
middle half of the table, wherever it drifts at first, for the fleets begin in the rest.
Rules: Continuum "Terrain" 17 [pc.planets] [pc.clouds]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from campaign.rules.ground_targets import targets_words
from campaign.rules.scenario import Scenario, StarSystem
from engine.core.errors import Violation, place
from engine.core.phrase import join_phrases, phrase
from engine.notation.reading import Reader
from engine.notation.terrain import read_terrain
from engine.pieces.registry import kinds

MIDDLE = 2  # the table is so many times as wide and as deep as the part where bodies may lie
WORDS = {
    "cloud": phrase("dust cloud"),
    "field": phrase("field of rocks"),
}  # where the word of battle files says too little
Entries = tuple[dict[str, Any], ...]


def terrain_on(
    entries: Sequence[Mapping[str, Any]], table: tuple[float, float]
) -> list[dict[str, Any]]:
    """The terrain of a system as a battle file on a table of that size (MU) has it."""
    return [
        {**entry, "at": [entry["at"][0] + table[0] / 2, entry["at"][1] + table[1] / 2]}
        for entry in entries
    ]


def read_system_terrain(
    rows: Sequence[object], edition: str, table: tuple[float, float], where: str
) -> tuple[Entries, list[Violation]]:
    """The terrain of a system as a scenario file gives it, and its faults, each with its place
    under `where`.

    `table`: the size of the scenario's battles, in MU.
    """
    reader = Reader()
    half = (table[0] / 2, table[1] / 2)
    shifted_rows: list[object] = []
    for number, row in enumerate(rows):
        pair = row.get("at") if isinstance(row, Mapping) else None
        if not isinstance(row, Mapping) or pair is None or not _is_pair(pair):
            shifted_rows.append(row)  # the engine says what it lacks
            continue
        if not _is_whole(row):
            reader.fault(
                place("terrain", number), "not-whole", phrase("a scenario counts in whole MU")
            )
        x, y = pair
        radius = row.get("radius")
        far = radius if isinstance(radius, (int, float)) else 0.0
        if abs(x) + far > half[0] / MIDDLE or abs(y) + far > half[1] / MIDDLE:
            words = phrase(
                "it must lie within {:g} and {:g} MU of the middle of the table",
                half[0] / MIDDLE,
                half[1] / MIDDLE,
            )
            reader.fault(f"{place('terrain', number)}.at", "off-middle", words)
        shifted_rows.append({**row, "at": [x + half[0], y + half[1]]})
    read_terrain(reader, {"terrain": shifted_rows} if shifted_rows else {}, edition, (), table)
    faults = [
        Violation(f"{where}.{fault.where}", fault.code, fault.message) for fault in reader.faults
    ]
    entries = [
        {str(key): value for key, value in row.items()} for row in rows if isinstance(row, Mapping)
    ]
    return () if faults else tuple(entries), faults


def _is_whole(value: object) -> bool:
    """Whether there is no fraction in an entry: scenarios are hashed, and fractions have no one
    form.
    """
    if isinstance(value, Mapping):
        return all(map(_is_whole, value.values()))
    return all(map(_is_whole, value)) if isinstance(value, list) else not isinstance(value, float)


def _is_pair(value: object) -> bool:
    """Whether it is two numbers."""
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(
            isinstance(number, (int, float)) and not isinstance(number, bool) and abs(number) < 1e6
            for number in value
        )
    )


def system_text(scenario: Scenario, system: StarSystem) -> str:
    """What a scenario says of a system beside who holds it: what lies there, what is on its
    planets, and its note.
    """
    powers = {power.id: power.name for power in scenario.factions}
    parts = (terrain_words(system.terrain), targets_words(system, powers), system.note)
    return join_phrases("; ", (words for words in parts if words))


def terrain_words(entries: Sequence[Mapping[str, Any]]) -> str:
    """What lies in a system, in words for pages: "planet of 4 MU with gravity up to 9 MU"."""
    return join_phrases(", ", map(_words, entries))


def _words(entry: Mapping[str, Any]) -> str:
    word = str(entry["kind"])
    kind = next(kind for kind in kinds() if word in kind.file_kinds)
    name = phrase(WORDS.get(word, word))
    name = phrase("{} of {:g} MU", name, entry["radius"]) if "radius" in entry else name
    return join_phrases(", ", (name, *kind.about(entry)))
