"""The mines that are on the table at the start of a battle: `mines: [{side: nac, at: [30, 30]}]`.

A mine with `side: null` belongs to no side of the battle and is hostile to all.

Rules: 2E "Mines" [2e.mines]; Continuum "Mines and mine racks" 6.9 [pc.mines]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.geometry import Point
from engine.core.phrase import phrase
from engine.core.state import BattleState
from engine.core.versions import MINEFIELDS, follows
from engine.notation.battle_ships import read_position
from engine.notation.reading import Reader
from engine.notation.terms import read_rules
from engine.pieces.mine import Mine
from engine.pieces.piece import NOBODY

MAX_MINES = 200
MINE_KEYS = ("side", "at")
WORDS = (phrase("expected a list of mines"), phrase("a mine needs a side and a position"))


def read_mines(
    reader: Reader, document: Mapping[object, object], names: Sequence[str], table: Point
) -> list[Mine]:
    """Return the mines of a file, active from the first turn; faults go to the reader.

    They are open markers, so every side knows where they are.

    Args:
        names: The names of the sides.
    """
    mines: list[Mine] = []
    is_open = follows(read_rules(Reader(), document), MINEFIELDS)
    everybody = (1 << len(names)) - 1
    for item, where in reader.rows(document.get("mines", []), MINE_KEYS, "mines", WORDS):
        number = _side_number(reader, item, names, where)
        x, y = read_position(reader, item, where, table)
        if number is None:
            continue
        known_to = 0 if number == NOBODY else 1 << number
        if is_open:
            known_to = everybody
        name = f"mine-{len(mines) + 1}"
        mines.append(Mine(name, number, x, y, laid_turn=0, known_to=known_to))
    return mines


def _side_number(
    reader: Reader, item: Mapping[object, object], names: Sequence[str], where: str
) -> int | None:
    """Return the number of a mine's side, NOBODY if it has none, or None with a fault."""
    if "side" in item and item["side"] is None:
        return NOBODY
    side = reader.choice(item, "side", names, where)
    return names.index(side) if side else None


def mines_of(state: BattleState) -> list[dict[str, object]]:
    """Return the mines on the table as entries of a battle file."""
    result: list[dict[str, object]] = []
    for mine in state.pieces_of(Mine):
        side = None if mine.side == NOBODY else state.sides[mine.side]
        result.append({"side": side, "at": [mine.x, mine.y]})
    return result
