"""Ordnance that explodes at a point: plasma bolts and antimatter warheads.

Rules: Continuum "Antimatter missiles" 6.6 [pc.antimatter-missile]; Continuum "Plasma bolt
launchers" 6.8 [pc.plasma-bolts]
"""

from __future__ import annotations

from collections.abc import Callable

from engine.continuum.explosions import burn_craft_and_pieces, burn_ship, ships_exposed
from engine.core.geometry import Point, dist
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.pieces.marker import Marker, OrdnanceBurst, cause_of
from engine.weapons.guard import PointDefenceTarget

SHOT_DOWN = reason("shot-down", "shot down before it went off")

# Returns the number of dice that a blast rolls against a ship at a distance in MU.
Dice = Callable[[ShipState, float], int]


def pending_blasts(state: BattleState) -> list[Marker]:
    """Return the ordnance that will explode at its own place, in numerical order."""
    blasts: list[Marker] = []
    for marker in state.pieces_of(Marker):
        if not marker.target and marker.row(state).bursts is not None:
            blasts.append(marker)
    return blasts


def ships_in_blast(state: BattleState, marker: Marker) -> list[ShipState]:
    """Return the ships, friends included, that a marker at full strength would hit now."""
    burst = marker.row(state).bursts
    assert burst is not None
    remaining = marker.strength - marker.destroyed
    result: list[ShipState] = []
    for ship in ships_exposed(state):
        if burst(remaining, dist((marker.x, marker.y), (ship.x, ship.y))) > 0:
            result.append(ship)
    return result


def resolve_blasts(table: Table, blast_dice_of: Callable[[Table, Marker], Dice]) -> None:
    """Explode the ordnance that point defence left, at the start of phase 10.

    Markers explode in numerical order, except those that an earlier blast destroyed.

    Args:
        blast_dice_of: Returns the dice function of a marker's blast.

    Rules: Continuum "Sequence of play" 2.6 [pc.sequence]
    """
    for marker in pending_blasts(table.state):
        remaining = marker.strength - marker.destroyed
        if remaining <= 0:
            marker.destroy(table, SHOT_DOWN)
        elif any(piece is marker for piece in table.state.pieces):
            detonate(
                table,
                marker,
                at=(marker.x, marker.y),
                remaining=remaining,
                dice=blast_dice_of(table, marker),
            )


def full_blast_dice(table: Table, marker: Marker) -> Dice:
    """Return the dice function of a blast weakened only by point defence."""
    burst = marker.row(table.state).bursts
    assert burst is not None
    remaining = marker.strength - marker.destroyed
    return lambda _, away: burst(remaining, away)


def detonate(table: Table, marker: Marker, at: Point, remaining: int, dice: Dice) -> None:
    """Explode a marker at a point and damage ships, craft, ordnance and mines nearby.

    The damage is normal. Each level of screens of either kind, up to two, subtracts one from each
    die.

    Args:
        remaining: The strength left after point defence.
        dice: Returns the number of dice for a ship at a distance.

    Rules: Continuum "Antimatter missiles" 6.6, "Plasma bolt launchers" 6.8 [pc.plasma-bolts]
    """
    state = table.state
    row = marker.row(state)
    assert row.bursts is not None
    state.take_off(marker)
    table.tell(OrdnanceBurst, marker=marker.id, at=at, remaining=remaining)
    cause = cause_of(state, marker)
    for ship in ships_exposed(state):
        number = dice(ship, dist(at, (ship.x, ship.y)))
        if number > 0:
            burn_ship(table, ship, number=number, of=marker.id, cause=cause)
    bursts = row.bursts
    boats = row.defence_target is PointDefenceTarget.PLASMA_BOLT
    burn_craft_and_pieces(
        table,
        at,
        number=lambda away: bursts(remaining, away),
        of=marker.id,
        cause=cause,
        mines=row.clears_mines,
        boats=boats,
    )
