"""Cloaks that end: a ship under a cloaking field comes out where its orders took it, unseen by anybody.

Rules: Continuum "Cloaking field" 7.21, "Tuffley cloak" 7.22 [pc.cloaks]
"""

from __future__ import annotations

from engine.continuum.defence_orders import BATTLE_OVER, DAMAGED, TIME, cloaking, devices_end, devices_fail, show
from engine.core.notes import CLOAKED, UNREAD, marker_of
from engine.core.ship import UNSEEN, ShipState
from engine.core.table import Table
from engine.core.written_notes import pencil
from engine.movement.edges import crosses_over, edge_crossed
from engine.systems.cloaks import FIELD


def cloaks_end(table: Table) -> None:
    """The end of ship movement: whose time under a cloak is over comes out, over an edge if a field took it so far.

    A ship that came out in an earlier turn has moved in the open since: its velocity is known again.
    Rules: Continuum "Cloaking field" 7.21 [pc.cloaks]; Continuum "Information" 2.6 [pc.open-book]
    """
    devices_end(table)
    for ship in table.state.ships:
        if ship.notes.get(UNREAD, table.turn) < table.turn:
            pencil(table, ship, UNREAD, 0)
        if ship.status == UNSEEN and table.turn >= ship.notes[CLOAKED]:
            _come_out(table, ship, TIME)


def cloaks_fail(table: Table) -> None:
    """The end of a turn uncovers ships whose cloak was hit, or is whole no more.

    Rules: Continuum "Cloaking device" 7.20, "Cloaking field" 7.21 [pc.cloaks]
    """
    devices_fail(table)
    for ship in table.state.ships:
        if ship.status == UNSEEN and cloaking(ship) != FIELD:
            _come_out(table, ship, DAMAGED)


def uncover_all(table: Table) -> None:
    """The battle is over: whoever is still under a cloaking field is where it has flown.

    Rules: Continuum "Cloaking field" 7.21 [pc.cloaks]
    """
    for ship in table.state.ships:
        if ship.status == UNSEEN:
            show(table, ship, BATTLE_OVER)


def _come_out(table: Table, ship: ShipState, why: str) -> None:
    """A ship comes out of its field; one that is off the table then has left it between its marker and there."""
    left_at = marker_of(ship.notes)
    show(table, ship, why)
    crossed = edge_crossed(left_at, (ship.x, ship.y), table.state.table)
    if crossed is not None:
        crosses_over(table, ship, *crossed)
