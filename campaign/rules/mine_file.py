"""Reading of the mines that a scenario file places in its systems.

Rules: 2E "Mines" [camp.minefields]
"""

from __future__ import annotations

from typing import Any

from campaign.rules.scenario import PlacedMine
from campaign.rules.scenario_pieces import ScenarioParts, Table
from campaign.rules.system_mines import MAX_MINES
from campaign.rules.system_terrain import is_in_middle, middle_words
from engine.core.phrase import phrase
from engine.notation.reading import join_place


def read_placed_mines(
    parts: ScenarioParts, row: Table, table: tuple[float, float], where: str
) -> tuple[PlacedMine, ...]:
    """Return the mines of a system in a scenario file; faults go to the reader.

    Args:
        table: The size of the scenario's battles in MU.
    """
    mines = []
    for spot, item in parts.rows("mines", ("faction", "at"), row, where):
        faction = parts.power(item, "faction", spot)
        place: Any = item.get("at")
        if not _is_place(place):
            words = phrase("expected two whole numbers of MU from the middle of the table")
            parts.reader.fault(f"{spot}.at", "not-a-pair", words)
        elif not is_in_middle(place[0], place[1], table):
            parts.reader.fault(f"{spot}.at", "off-middle", middle_words(table))
        else:
            mines.append(PlacedMine(faction, (place[0], place[1])))
    if len(mines) > MAX_MINES:
        words = phrase("a system can have at most {} mines", MAX_MINES)
        parts.reader.fault(join_place(where, "mines"), "too-many", words)
    return tuple(mines)


def _is_place(value: Any) -> bool:
    """Return whether a value is a list of two whole numbers."""
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        return False
    return all(isinstance(number, int) and not isinstance(number, bool) for number in value)
