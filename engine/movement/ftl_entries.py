"""Ships that enter a battle under FTL: where they come out, and the blast they cause.

Rules: 2E "Entering battle under FTL drive" [2e.ftl-entry]
"""

from __future__ import annotations

from math import prod

from engine.core.dice import Dice
from engine.core.geometry import COURSES, NEAR, Point
from engine.core.kinds import FIGHTING, INBOUND, LEFT_TABLE
from engine.core.ship import BERTHED, ShipState
from engine.core.table import Table
from engine.core.terms import FTL_SCATTER
from engine.events.movement import FtlArrival
from engine.pieces.piece import Encounters
from engine.pieces.registry import meet_bodies
from engine.second_edition.damage import mark_damage
from engine.second_edition.ftl import is_in_danger, pieces_in_danger

AGAIN = 6  # a die of 6 is multiplied by another die


def arrive(table: Table) -> list[str]:
    """Bring in the ships due this turn, in file order, then resolve their blasts.

    Returns:
        The ids of the ships that arrived; arriving was their move.

    Rules: 2E "Entering battle under FTL drive" [2e.ftl-entry]
    """
    due = []
    for ship in table.state.ships:
        if ship.status == INBOUND and ship.due <= table.turn:
            due.append(ship)
    for ship in due:
        place_arrival(table, ship)
    for ship in due:
        if ship.status != LEFT_TABLE:
            _resolve_blast(table, ship)
    encounters: Encounters = []
    for ship in due:
        if ship.status == FIGHTING:
            meet_bodies(table, ship, ((ship.x, ship.y), (ship.x, ship.y)), encounters)
    return [ship.id for ship in due]


def place_arrival(table: Table, ship: ShipState, *, strays: bool = True) -> None:
    """Put a ship where it comes out of FTL: a D12 gives the direction of its scatter, a D6 the
    distance.

    With the option for it, a 6 is multiplied by another die. A ship that comes out beyond the edge
    is out of the battle.

    Args:
        strays: Whether the ship scatters; an advanced drive does not.

    Rules: 2E "Entering battle under FTL drive" [2e.ftl-entry]; Continuum "FTL entry" 11.3, 11.5
    [pc.ftl-entry]
    """
    state = table.state
    intended = (ship.x, ship.y)
    direction = 0
    distance_rolls = []
    if strays:
        direction = table.dice.roll("direction", ship.id, sides=12)
        distance_rolls = [table.dice.roll("distance", ship.id)]
        if distance_rolls[0] == AGAIN and FTL_SCATTER in state.terms.options:
            distance_rolls.append(table.dice.roll("distance", ship.id))
    scatter_mu = prod(distance_rolls) if distance_rolls else 0
    ux, uy = COURSES[direction]
    at = intended[0] + ux * scatter_mu, intended[1] + uy * scatter_mu
    on_table = -NEAR <= at[0] <= state.table[0] + NEAR and -NEAR <= at[1] <= state.table[1] + NEAR
    ship.drop_out(at, on_table=on_table)
    if table.listens:
        table.tell(
            FtlArrival,
            ship=ship.id,
            intended=intended,
            direction=direction,
            dice=tuple(distance_rolls),
            at=at,
            course=ship.course,
            velocity=ship.velocity,
            on_table=on_table,
        )


def _resolve_blast(table: Table, ship: ShipState) -> None:
    """Damage a ship that arrived within 6 MU of other units, and those units, by a die each.

    A 6 is multiplied by another die. Ships come first, in file order, then fighter groups, then
    asteroids. Screens do not help.
    Rules: 2E "Entering battle under FTL drive" [2e.ftl-entry]
    """
    state = table.state
    arrival = (ship.x, ship.y)
    ships = [other for other in state.ships if _is_reached(arrival, other)]
    pieces = pieces_in_danger(state, arrival)
    if not pieces and all(other is ship for other in ships):
        return
    cause = f"ftl:{ship.id}"
    for other in ships:
        points = _roll_blast_damage(f"{ship.id}>{other.id}", table.dice)
        mark_damage(table, other, points=points, cause=cause, die=points)
    for piece in pieces:
        if piece.commanded or piece.has_boxes:
            points = _roll_blast_damage(f"{ship.id}>{piece.id}", table.dice)
            piece.take_damage(table, points, cause, points)


def _is_reached(arrival: Point, ship: ShipState) -> bool:
    """Return whether the blast of an arrival reaches a ship: on the table and not inside a bay."""
    if ship.status != FIGHTING or ship.docking == BERTHED:
        return False
    return is_in_danger(arrival, ship.x, ship.y)


def _roll_blast_damage(subject: str, dice: Dice) -> int:
    """Roll the damage of a blast: a die; a 6 is multiplied by another die."""
    die = dice.roll("damage", subject)
    if die == AGAIN:
        return die * dice.roll("damage", subject)
    return die
