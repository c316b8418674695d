"""Ordnance that goes off at a point and hurts all about it: plasma bolts, and the warheads of
antimatter missiles.

Rules: Continuum "Antimatter missiles" 6.6 [pc.antimatter-missile]; Continuum "Plasma bolt
launchers" 6.8 [pc.plasma-bolts]
"""

from __future__ import annotations

from collections.abc import Callable
from math import dist

from engine.continuum.explosions import exposed, scorch, scorch_others
from engine.core.geometry import Point
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.pieces.marker import Marker, OrdnanceBurst, cause_of
from engine.weapons.guard import Quarry

SHOT_DOWN = reason("shot-down", "shot down before it went off")

# How many dice a blast has for a ship, by the MU between it and the centre.
Dice = Callable[[ShipState, float], int]


def bursting(state: BattleState) -> list[Marker]:
    """The ordnance that will go off where it lies and not at a target, in the order of its
    numbers.
    """
    return [
        marker
        for marker in state.of(Marker)
        if not marker.target and marker.row(state).bursts is not None
    ]


def reached(state: BattleState, marker: Marker) -> list[ShipState]:
    """The ships that a marker would hurt if it went off now, whole, friends too, in file order."""
    burst = marker.row(state).bursts
    assert burst is not None
    left = marker.strength - marker.killed
    return [
        ship
        for ship in exposed(state)
        if burst(left, dist((marker.x, marker.y), (ship.x, ship.y))) > 0
    ]


def burst_all(table: Table, dice_of: Callable[[Table, Marker], Dice]) -> None:
    """Phase 10 begins, in place: what point defence has left of such ordnance goes off, in the
    order of its numbers, but for what an earlier blast has destroyed. `dice_of`: how many dice each
    has for whom.

    Rules: Continuum "Sequence of play" 2.6 [pc.sequence]
    """
    for marker in bursting(table.state):
        left = marker.strength - marker.killed
        if left <= 0:
            marker.perish(table, SHOT_DOWN)
        elif any(piece is marker for piece in table.state.pieces):
            go_off(table, marker, (marker.x, marker.y), left, dice_of(table, marker))


def undefended(table: Table, marker: Marker) -> Dice:
    """The dice of a blast that nothing weakens but what shot at it."""
    burst = marker.row(table.state).bursts
    assert burst is not None
    left = marker.strength - marker.killed
    return lambda _, away: burst(left, away)


def go_off(table: Table, marker: Marker, at: Point, left: int, dice: Dice) -> None:
    """A marker goes off at a point with so much `left` of it: what it does to every ship about it,
    to craft, and to ordnance and mines on the table.

    Plain damage; each level of screens of either kind, two at most, takes one off each die.
    Rules: Continuum "Antimatter missiles" 6.6, "Plasma bolt launchers" 6.8 [pc.plasma-bolts]
    """
    state = table.state
    row = marker.row(state)
    assert row.bursts is not None
    state.take_off(marker)
    table.tell(OrdnanceBurst, marker.id, at, left)
    cause = cause_of(state, marker)
    for ship in exposed(state):
        number = dice(ship, dist(at, (ship.x, ship.y)))
        if number > 0:
            scorch(table, ship, number, marker.id, cause)
    bursts = row.bursts
    boats = row.quarry is Quarry.PLASMA_BOLT
    scorch_others(
        table,
        at,
        lambda away: bursts(left, away),
        marker.id,
        cause,
        mines=row.clears_mines,
        boats=boats,
    )
