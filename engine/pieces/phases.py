"""The part of pieces in a turn: each phase asks every kind of which something is on the table, in the order of kinds.

Movement and fire come here alone; they name no kind.
"""

from __future__ import annotations

from engine.core.geometry import Point
from engine.core.ship import FIGHTING, ShipState
from engine.core.table import Table
from engine.pieces.piece import Harm, Met, Piece


def drift(table: Table, met: Met) -> None:
    """What moves before the ships do. Rules: 2E "Sequence of play" [2e.sequence]"""
    for kind in _there(table):
        kind.drift(table, met)


def meet(table: Table, ship: ShipState, path: tuple[Point, ...], met: Met) -> None:
    """What a ship meets along its path beside bodies."""
    _on_the_way(table, ship, path, met, body=False)


def run_into(table: Table, ship: ShipState, path: tuple[Point, ...], met: Met) -> None:
    """The bodies that a ship's path meets; they come last, for what it did on its way counts though it is lost."""
    _on_the_way(table, ship, path, met, body=True)


def before_fire(table: Table, harm: Harm | None = None) -> None:
    """What pieces do at the start of the firing part of a turn."""
    for kind in _there(table):
        kind.before_fire(table, harm)


def _on_the_way(table: Table, ship: ShipState, path: tuple[Point, ...], met: Met, *, body: bool) -> None:
    if not table.state.pieces or not path:
        return
    for kind in _there(table):
        if kind.body is body and ship.status == FIGHTING:
            kind.in_the_way(table, ship, path, met)


def _there(table: Table) -> list[type[Piece]]:
    """The kinds of which anything is on the table."""
    return sorted({type(piece) for piece in table.state.pieces}, key=lambda kind: kind.order)
