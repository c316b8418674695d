"""The mines that are on the table at the start of a battle: `mines: [{side: nac, at: [30, 30]}]`.

Rules: 2E "Mines" [2e.mines]; Continuum "Mines and mine racks" 6.9 [pc.mines]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.geometry import Point
from engine.core.phrase import phrase
from engine.core.state import BattleState
from engine.notation.battle_ships import read_position
from engine.notation.reading import Reader
from engine.pieces.mine import Mine
from engine.pieces.piece import NOBODY

MAX_MINES = 200
MINE_KEYS = ("side", "at")
WORDS = (phrase("expected a list of mines"), phrase("a mine needs a side and a position"))


def read_mines(
    reader: Reader, document: Mapping[object, object], names: Sequence[str], table: Point
) -> list[Mine]:
    """Return the mines of a file, active from the first turn; faults go to the reader.

    Args:
        names: The names of the sides.
    """
    mines: list[Mine] = []
    for item, where in reader.rows(document.get("mines", []), MINE_KEYS, "mines", WORDS):
        side = reader.choice(item, "side", names, where)
        x, y = read_position(reader, item, where, table)
        if side:
            number = names.index(side)
            mine = Mine(f"mine-{len(mines) + 1}", number, x, y, laid_turn=0, known_to=1 << number)
            mines.append(mine)
    return mines


def mines_of(state: BattleState) -> list[dict[str, object]]:
    """Return the mines on the table as entries of a battle file, without those of no side."""
    result: list[dict[str, object]] = []
    for mine in state.pieces_of(Mine):
        if mine.side != NOBODY:
            result.append({"side": state.sides[mine.side], "at": [mine.x, mine.y]})
    return result
