"""The end of a turn for regenerative armour.

Rules: Continuum "Regenerative armour" 7.8 [pc.armour]
"""

from __future__ import annotations

from engine.core.notes import SCARRED, note
from engine.core.ship import IN_PLAY
from engine.core.table import Table
from engine.events.damage import Regenerated
from engine.systems.armour import regenerate


def regenerate_armour(table: Table) -> None:
    """A die for every damaged box that may still close, the innermost layer first.

    Rules: Continuum "Regenerative armour" 7.8 [pc.armour]
    """
    for ship in table.state.ships:
        if ship.status not in IN_PLAY or ship.armour == ship.sheet.armour:
            continue
        thrown: list[int] = []
        layers: list[tuple[int, int]] = []
        scarred: list[int] = []
        for place, (standard, boxes) in enumerate(ship.armour):
            beyond = ship.notes.get(note(SCARRED, str(place)), 0)
            damaged = ship.sheet.armour[place][1] - boxes - beyond
            rolled, closed, lost = regenerate(damaged, table.dice, f"{ship.id}/armour-{place}")
            thrown += rolled
            layers.append((standard, boxes + closed))
            scarred.append(beyond + lost)
        if thrown:
            ship.regenerate(tuple(layers), tuple(scarred))
            if table.listens:
                table.tell(Regenerated, ship.id, tuple(thrown), tuple(layers), tuple(scarred))
