"""Ships under a cloaking field: they fly by their orders where nobody sees them, and come out where these took them.

Rules: Continuum "Cloaking field" 7.21, "Tuffley cloak" 7.22 [pc.cloaks]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.combat.veils import BATTLE_OVER, DAMAGED, TIME, cloaking, marker, show
from engine.dice import Dice
from engine.events import Moved, Sink
from engine.events_hull import Noted
from engine.movement.edges import crosses_over, edge_crossed
from engine.movement.manoeuvre import fly
from engine.notes import CLOAKED, UNREAD
from engine.orders import HOLD, Plot
from engine.state import UNSEEN, BattleState, ShipState
from engine.systems.cloaks import FIELD


def fly_unseen(state: BattleState, plots: Mapping[str, Plot], turn: int, sink: Sink | None) -> None:
    """Phase 5 for ships under a cloaking field: nothing is in their way, no edge stops them.

    Rules: Continuum "Cloaking field" 7.21 [pc.cloaks]
    """
    for ship in state.ships:
        if ship.status != UNSEEN:
            continue
        start = (ship.x, ship.y)
        mid = fly(ship, plots.get(ship.id, HOLD))
        if sink is not None:
            sink(Moved(turn, ship.id, (start, mid, (ship.x, ship.y)), ship.course, ship.velocity))


def fields_end(state: BattleState, turn: int, dice: Dice, sink: Sink | None) -> None:
    """The end of ship movement for cloaking fields: whose time is over comes out, over an edge if it has flown so far.

    A ship that came out in an earlier turn has moved in the open since: its velocity is known again.
    Rules: Continuum "Cloaking field" 7.21 [pc.cloaks]; Continuum "Information" 2.6 [pc.open-book]
    """
    for ship in state.ships:
        if ship.notes.get(UNREAD, turn) < turn:
            del ship.notes[UNREAD]
            if sink is not None:
                sink(Noted(turn, ship.id, UNREAD, 0))
        if ship.status == UNSEEN and turn >= ship.notes[CLOAKED]:
            _come_out(state, ship, TIME, turn, dice, sink)


def fields_fail(state: BattleState, turn: int, dice: Dice, sink: Sink | None) -> None:
    """The end of a turn uncovers ships whose cloaking field is whole no more. Rules: Continuum 7.21 [pc.cloaks]"""
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
    left_at = marker(ship)
    show(ship, why, turn, sink)
    crossed = edge_crossed(_inside(left_at, state.table), (ship.x, ship.y), state.table)
    if crossed is not None:
        crosses_over(state, ship, *crossed, turn, dice, sink)


def _inside(at: tuple[float, float], table: tuple[float, float]) -> tuple[float, float]:
    """The point of the table nearest to where a marker lies, which rounding may have put a hair beyond the edge."""
    return min(max(at[0], 0.0), table[0]), min(max(at[1], 0.0), table[1])
