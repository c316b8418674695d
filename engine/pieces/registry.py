"""The kinds of pieces by name; a new kind is added to KINDS and needs no other change.

No other module names a kind: documents, views and pages work from this list. In each phase of a
turn every kind with a piece on the table acts, in the order of kinds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from engine.core.errors import RuleViolations, Violation
from engine.core.geometry import Point
from engine.core.kinds import FIGHTING
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.pieces.asteroid import Asteroid
from engine.pieces.cloud import Cloud
from engine.pieces.debris import Debris
from engine.pieces.flak import Flak
from engine.pieces.gate import Gate
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.pieces.mine import Mine
from engine.pieces.nova import Nova
from engine.pieces.piece import Encounters, Harm, Piece
from engine.pieces.planet import Planet
from engine.pieces.section import Section
from engine.pieces.site import Site
from engine.pieces.star import Star

KINDS: tuple[type[Piece], ...] = (
    Group,
    Marker,
    Asteroid,
    Mine,
    Nova,
    Cloud,
    Debris,
    Star,
    Section,
    Planet,
    Gate,
    Flak,
    Site,
)

_KINDS: dict[str, type[Piece]] = {kind.kind: kind for kind in KINDS}


def kinds() -> tuple[type[Piece], ...]:
    """Return every kind of piece, in the order in which kinds act and are listed."""
    return tuple(sorted(_KINDS.values(), key=lambda kind: kind.order))


@contextmanager
def temporary_kinds(*new: type[Piece]) -> Iterator[None]:
    """Add kinds for the duration of a with block.

    Raises:
        ValueError: A kind with the same name exists.
    """
    duplicates = [kind.kind for kind in new if kind.kind in _KINDS]
    if duplicates:
        raise ValueError(f"there are such pieces already: {', '.join(duplicates)}")
    _KINDS.update({kind.kind: kind for kind in new})
    try:
        yield
    finally:
        for kind in new:
            del _KINDS[kind.kind]


def piece_json(piece: Piece) -> dict[str, Any]:
    """Return the complete document of a piece, with its kind."""
    return {"kind": piece.kind, **piece.to_json()}


def piece_from(document: Mapping[str, Any]) -> Piece:
    """Return the piece that `piece_json` wrote.

    Raises:
        RuleViolations: There is no such kind.
        TypeError: The document has other keys.
    """
    fields = dict(document)
    kind = fields.pop("kind")
    if kind not in _KINDS:
        raise RuleViolations(
            [
                Violation(
                    "pieces",
                    "unknown-piece",
                    reason("unknown-piece", "there is no piece of kind '{}'", kind),
                )
            ]
        )
    return _KINDS[kind].from_json(fields)


def piece_lists(pieces: Iterable[Piece], side: int) -> dict[str, list[dict[str, Any]]]:
    """Return the lists of pieces in a view's document, with the pieces as `side` sees them."""
    lists: dict[str, list[dict[str, Any]]] = {}
    for kind in kinds():
        if kind.listed_empty:
            lists |= {key: [] for key in kind.view_keys}
    for piece in pieces:
        key = piece.view_keys[0 if piece.owner == side else -1]
        lists.setdefault(key, []).append(piece.document_for(side))
    return lists


def drift_pieces(table: Table, encounters: Encounters) -> None:
    """Move the pieces that move before the ships do.

    Rules: 2E "Sequence of play" [2e.sequence]
    """
    for kind in _kinds_on_table(table):
        kind.drift(table, encounters)


def meet_pieces(
    table: Table, ship: ShipState, path: tuple[Point, ...], encounters: Encounters
) -> None:
    """Apply the pieces on a ship's path that are not bodies."""
    _meet_on_path(table, ship, path, encounters, body=False)


def meet_bodies(
    table: Table, ship: ShipState, path: tuple[Point, ...], encounters: Encounters
) -> None:
    """Apply the bodies on a ship's path.

    They come last, because what a ship did on its way counts even if it is lost.
    """
    _meet_on_path(table, ship, path, encounters, body=True)


def after_moves(table: Table) -> None:
    """Let pieces act once all ships have moved."""
    for kind in _kinds_on_table(table):
        kind.after_moves(table)


def before_fire(table: Table, harm: Harm | None = None) -> None:
    """Let pieces act at the start of the fire phase of a turn."""
    for kind in _kinds_on_table(table):
        kind.before_fire(table, harm)


def _meet_on_path(
    table: Table, ship: ShipState, path: tuple[Point, ...], encounters: Encounters, *, body: bool
) -> None:
    """Apply the kinds of pieces that are bodies, or those that are not, to a ship on its path."""
    if not table.state.pieces or not path:
        return
    for kind in _kinds_on_table(table):
        if kind.body is body and ship.status == FIGHTING:
            kind.meet_on_path(table, ship, path, encounters)


def _kinds_on_table(table: Table) -> list[type[Piece]]:
    """Return the kinds with a piece on the table."""
    present = {*map(type, table.state.pieces)}
    if len(present) > 1:
        return sorted(present, key=lambda kind: kind.order)
    return [*present]
