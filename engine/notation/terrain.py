"""The terrain of a battle file, the turns of solar flares, and terrain that options place by dice.

The entries are `terrain: [{kind: cloud, at: [20, 30], radius: 6}, {kind: field, at: [40, 40],
radius: 5, course: 3, velocity: 4}]` and `flares: [2, 5]`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from engine.core.errors import fault_path
from engine.core.geometry import Point
from engine.core.phrase import phrase
from engine.core.state import BattleState
from engine.core.terms import FLARES
from engine.notation.battle_ships import read_position
from engine.notation.reading import Reader
from engine.pieces.piece import Piece
from engine.pieces.registry import kinds
from engine.pieces.star import NO_TURNS, STAR, Star, is_turn
from engine.ruleset import rules_of

TERRAIN_KEYS = ("terrain", "flares")
MAX_TERRAIN = 100


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
    pieces = _terrain_pieces(reader, document, table)
    flare_turns = reader.items(document, "flares", default=())
    turns = [turn for turn in flare_turns if is_turn(turn)]
    if len(turns) < len(flare_turns):
        reader.fault("flares", "flares", NO_TURNS)
    elif turns or FLARES in options:
        pieces.append(Star(STAR, 0.0, 0.0, tuple(turns)))
    return pieces


def _terrain_pieces(reader: Reader, document: Mapping[object, object], table: Point) -> list[Piece]:
    """Return the pieces that a file lists, each named by its kind and a number."""
    kinds_by_word: dict[str, type[Piece]] = {}
    for kind in kinds():
        kinds_by_word |= dict.fromkeys(kind.file_kinds, kind)
    pieces: list[Piece] = []
    counts: Counter[str] = Counter()
    for number, item in enumerate(reader.items(document, "terrain", default=())):
        where = fault_path("terrain", number)
        if not isinstance(item, Mapping):
            reader.fault(where, "not-a-mapping", phrase("terrain needs a kind and a position"))
            continue
        word = reader.choice(item, "kind", tuple(kinds_by_word), where)
        if not word:
            read_position(reader, item, where, table)
            continue
        kind = kinds_by_word[word]
        at = (0.0, 0.0)
        if kind.needs_place or "at" in item or "radius" in item:
            at = read_position(reader, item, where, table)
        counts[word] += 1
        name = f"{word}-{counts[word]}"
        pieces.append(kind.from_entry(reader, item, where, name=name, at=at))
    return pieces


def terrain_of(state: BattleState) -> list[dict[str, object]]:
    """Return the terrain on the table as entries of a battle file."""
    entries = [piece.to_entry() for piece in state.pieces]
    return [entry for entry in entries if entry is not None]
