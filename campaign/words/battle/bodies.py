"""The names of asteroids and other bodies that sides place before a battle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from engine.core.deployment import OpenBody
from engine.core.phrase import phrase
from engine.pieces.registry import kinds

# Kinds of terrain in battle files that are not named like a kind of piece.
OTHER_WORDS: Final[Mapping[str, str]] = {
    "field": phrase("field"),
    "flares": phrase("solar flare"),
}


def body_name(key: str) -> str:
    """Return the name of a body by its id, such as `rock-3`; of other things their id."""
    kind, _, number = key.rpartition("-")
    words = {**{piece.kind: piece.word for piece in kinds()}, **OTHER_WORDS}
    return phrase("{} {}", words[kind], number) if kind in words else key


def body_names(bodies: Iterable[OpenBody], ships: Iterable[str]) -> dict[str, str]:
    """Return the names of bodies by id, without those that are ships.

    Args:
        ships: The ids of all ships.
    """
    ids = frozenset(ships)
    return {body.id: body_name(body.id) for body in bodies if body.id not in ids}
