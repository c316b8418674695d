"""The moving table: where the whole battle drifts off an edge, the table goes with it.

Rules: 2E "The moving table and disengaging from battle" [2e.moving-table]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.continuum.legs import motion
from engine.core.geometry import NEAR
from engine.core.orders import HOLD, Plot
from engine.core.ship import FIGHTING, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.battle import TableMoved
from engine.movement.edges import Point, crosses_over, edge_crossed
from engine.pieces.piece import in_order


def shift_or_leave(table: Table, plots: Mapping[str, Plot]) -> None:
    """After all movement: who is off the table and ordered to leave it leaves; for others the table moves along, where
    all that stays fits on it then; else they leave too.

    Rules: 2E "The moving table and disengaging from battle" [2e.moving-table]; Continuum "Moving table" 16.4
    [pc.disengaging]
    """
    state = table.state
    off = [ship for ship in state.ships if ship.status == FIGHTING and _outside(state, ship)]
    if not off:
        return
    leaving = [ship for ship in off if plots.get(ship.id, HOLD).leave]
    if len(leaving) < len(off):
        by = _shift(state, leaving)
        if by is None:
            leaving = off
        else:
            gone = move_table(state, *by)
            table.tell(TableMoved, by[0], by[1], gone)
    for ship in leaving:
        if _outside(state, ship):
            edge, at = _edge(state, ship)
            crosses_over(table, ship, edge, at)


def _outside(state: BattleState, piece: ShipState) -> bool:
    width, height = state.table
    return not (-NEAR <= piece.x <= width + NEAR and -NEAR <= piece.y <= height + NEAR)


def _shift(state: BattleState, leaving: list[ShipState]) -> Point | None:
    """How far the table's contents go so that every ship and group that stays is on it; None where they do not fit.

    Along an axis on which anything is off the table the whole is brought to the middle; else nothing moves that way.
    """
    staying = [(s.x, s.y) for s in state.ships if s.status == FIGHTING and s not in leaving]
    staying += [(piece.x, piece.y) for piece in state.pieces if piece.flies_along]
    by = []
    for axis, size in enumerate(state.table):
        low, high = min(point[axis] for point in staying), max(point[axis] for point in staying)
        if high - low > size + NEAR:
            return None
        by.append(0.0 if low >= -NEAR and high <= size + NEAR else (size - low - high) / 2)
    return by[0], by[1]


def move_table(state: BattleState, by_x: float, by_y: float) -> tuple[str, ...]:
    """Move all that is on the table in place; pieces that lie there and fall off it are left behind."""
    state.shift(by_x, by_y)
    gone = tuple(piece.id for piece in in_order(state.pieces) if not piece.flies_along and piece.off(state.table))
    state.remove(gone)
    return gone


def _edge(state: BattleState, ship: ShipState) -> tuple[str, Point]:
    """Over which edge a ship left, and where: on the second half of its move, else where it went out before."""
    dx, dy = motion(ship)
    mid = ship.x - dx * 0.5, ship.y - dy * 0.5
    found = edge_crossed(mid, (ship.x, ship.y), state.table)
    assert found is not None  # it is outside
    return found
