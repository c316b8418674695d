"""The pieces that a side sees on the table, each as far as its kind says that the side may know it.

Rules: 2E "Sensors and target identification" [2e.sensors]; Continuum "Information" 2.6 [pc.open-book]
"""

from __future__ import annotations

from engine.core.state import BattleState
from engine.pieces.piece import Piece


def seen_pieces(state: BattleState, side: int) -> list[tuple[str, Piece]]:
    """The pieces that a side sees, each by its true id, which is for the umpire alone, in the order it is shown them.

    Where their order on the table would tell something, its own come first, then the others in the order of what it
    sees of them.
    """
    pieces = state.pieces
    if not pieces:
        return []
    names = state.names_of_units(side)
    found = []
    for place, piece in enumerate(pieces):
        seen = piece.seen_by(side, names)
        if seen is not None:
            foreign = not piece.in_order and piece.owner != side
            found.append(((foreign, *((seen.id, seen.x, seen.y) if foreign else (place,))), piece.id, seen))
    found.sort(key=lambda one: one[0])
    return [(id_, seen) for _, id_, seen in found]
