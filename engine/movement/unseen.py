"""Cloaks that end: a ship under a cloaking field comes out where its orders took it, unseen by anybody.

Rules: Continuum "Cloaking field" 7.21, "Tuffley cloak" 7.22 [pc.cloaks]
"""

from __future__ import annotations

from engine.combat.veils import BATTLE_OVER, DAMAGED, TIME, cloaking, devices_end, devices_fail, show
from engine.dice import Dice
from engine.events.event import Sink
from engine.movement.edges import crosses_over, edge_crossed
from engine.notes import CLOAKED, UNREAD, marker_of
from engine.pencil import pencil
from engine.ship import UNSEEN, ShipState
from engine.state import BattleState
from engine.systems.cloaks import FIELD


def cloaks_end(state: BattleState, turn: int, dice: Dice, sink: Sink | None) -> None:
    """The end of ship movement: whose time under a cloak is over comes out, over an edge if a field took it so far.

    A ship that came out in an earlier turn has moved in the open since: its velocity is known again.
    Rules: Continuum "Cloaking field" 7.21 [pc.cloaks]; Continuum "Information" 2.6 [pc.open-book]
    """
    devices_end(state, turn, sink)
    for ship in state.ships:
        if ship.notes.get(UNREAD, turn) < turn:
            pencil(ship, UNREAD, 0, turn, sink)
        if ship.status == UNSEEN and turn >= ship.notes[CLOAKED]:
            _come_out(state, ship, TIME, turn, dice, sink)


def cloaks_fail(state: BattleState, turn: int, dice: Dice, sink: Sink | None) -> None:
    """The end of a turn uncovers ships whose cloak was hit, or is whole no more.

    Rules: Continuum "Cloaking device" 7.20, "Cloaking field" 7.21 [pc.cloaks]
    """
    devices_fail(state, turn, sink)
    for ship in state.ships:
        if ship.status == UNSEEN and cloaking(ship) != FIELD:
            _come_out(state, ship, DAMAGED, turn, dice, sink)


def uncover_all(state: BattleState, turn: int, sink: Sink | None) -> None:
    """The battle is over: whoever is still under a cloaking field is where it has flown.

    Rules: Continuum "Cloaking field" 7.21 [pc.cloaks]
    """
    for ship in state.ships:
        if ship.status == UNSEEN:
            show(ship, BATTLE_OVER, turn, sink)


def _come_out(state: BattleState, ship: ShipState, why: str, turn: int, dice: Dice, sink: Sink | None) -> None:
    """A ship comes out of its field; one that is off the table then has left it between its marker and there."""
    left_at = marker_of(ship.notes)
    show(ship, why, turn, sink)
    crossed = edge_crossed(left_at, (ship.x, ship.y), state.table)
    if crossed is not None:
        crosses_over(state, ship, *crossed, turn, dice, sink)
