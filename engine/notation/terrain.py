"""The terrain of a battle file, the turns of solar flares, and terrain that options place by dice.

The entries are `terrain: [{kind: cloud, at: [20, 30], radius: 6}, {kind: field, at: [40, 40],
radius: 5, course: 3, velocity: 4}]` and `flares: [2, 5]`.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.errors import fault_path
from engine.core.geometry import Point
from engine.core.phrase import phrase
from engine.core.state import BattleState
from engine.core.terms import FLARES
from engine.notation.battle_ships import read_pair
from engine.notation.reading import Reader
from engine.pieces.piece import Piece
from engine.pieces.registry import kinds
from engine.pieces.star import Star
from engine.ruleset import rules_of

TERRAIN_KEYS = ("terrain", "flares")
MOST_TERRAIN = 100


def read_terrain(
    reader: Reader,
    document: Mapping[object, object],
    edition: str,
    options: tuple[str, ...],
    table: Point,
) -> list[Piece]:
    """Return the terrain of a file; faults go to the reader.

    Rules: Continuum 17 [pc.clouds] [pc.debris]
    """
    keys = [key for key in TERRAIN_KEYS if key in document]
    if keys and not (edition and rules_of(edition).terrain):
        reader.fault(keys[0], "no-terrain", phrase("this edition has no such terrain"))
        return []
    kinds_by_word = {name: kind for kind in kinds() for name in kind.file_kinds}
    pieces: list[Piece] = []
    counts: dict[str, int] = {}
    for number, item in enumerate(reader.items(document, "terrain", default=())):
        where = fault_path("terrain", number)
        if not isinstance(item, Mapping):
            reader.fault(where, "not-a-mapping", phrase("terrain needs a kind and a position"))
            continue
        word = reader.choice(item, "kind", tuple(kinds_by_word), where)
        x, y = read_pair(reader, data=item, key="at", where=where, default=None)
        if not (0 <= x <= table[0] and 0 <= y <= table[1]):
            reader.fault(
                f"{where}.at", "off-table", phrase("({:g}, {:g}) is not on the table", x, y)
            )
        if word:
            counts[word] = counts.get(word, 0) + 1
            pieces.append(
                kinds_by_word[word].from_entry(
                    reader, item, where, name=f"{word}-{counts[word]}", at=(x, y)
                )
            )
    flare_turns = reader.items(document, "flares", default=())
    turns = [
        turn
        for turn in flare_turns
        if isinstance(turn, int) and not isinstance(turn, bool) and turn >= 1
    ]
    if len(turns) < len(flare_turns):
        reader.fault("flares", "flares", phrase("expected the numbers of the turns with a flare"))
    elif turns or FLARES in options:
        pieces.append(Star("star", 0.0, 0.0, tuple(turns)))
    return pieces


def terrain_of(state: BattleState) -> list[dict[str, object]]:
    """Return the terrain on the table as entries of a battle file."""
    return [document for piece in state.pieces if (document := piece.to_entry()) is not None]
