"""What a captain makes of the table and the victory conditions: asteroids, edges, prey, rams.

The agreed victory conditions give the aim: ships that must escape run for the edge, ships that must
be stopped are prey, and a side that has reached its aim goes home.
Rules: 2E "Asteroids" [2e.asteroids]; 2E "The attack on Convoy 990" [2e.convoy-990]; 2E "Mining
station Con-Am 12" [2e.con-am-12]; 2E "Collisions and ramming" [2e.ramming]; 2E "The moving table
and disengaging from battle" [2e.moving-table]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.captains.common.foes import Foe
from engine.captains.common.move_options import plain_or_hold, possible_moves
from engine.captains.common.retreat import loss_share
from engine.core.geometry import COURSES, Point, length_of, squared_length
from engine.core.kinds import FIGHTING, INSTALLATION, Fate
from engine.core.orders import HOLD, Plot
from engine.core.ship import FREE, ShipState
from engine.core.terms import NO_RAMMING, Terms
from engine.movement.edges import EDGES
from engine.movement.rams import REACH
from engine.pieces.piece import Piece, Sweep
from engine.second_edition.movement import advance
from engine.view.side_view import SideView

PREY_WEIGHT = 4.0  # factor for the weight of prey
PURSUIT_LOSS_LIMIT = 50.0  # percentage of its points a side may have lost and still pursue


def prey_of(view: SideView, foes: list[Foe]) -> tuple[str, ...]:
    """Return the contacts that a side must destroy or stop to win, as far as it knows them."""
    name = view.sides[view.side]
    ship_ids: list[str] = []
    for condition in view.terms.victory:
        if condition.winner == name and condition.fate != Fate.ESCAPED:
            ship_ids += condition.ships
    return tuple(foe.contact.id for foe in foes if foe.contact.id in ship_ids)


def runners_of(view: SideView) -> tuple[str, ...]:
    """Return a side's ships that win by escaping over its jump edge; none without such an edge."""
    name = view.sides[view.side]
    if not view.terms.jump_edge(view.side):
        return ()
    result: list[str] = []
    for condition in view.terms.victory:
        if condition.winner == name and condition.fate == Fate.ESCAPED:
            result += condition.ships
    return tuple(result)


def has_reached_aim(view: SideView) -> bool:
    """Return whether a side has reached its aim and only needs to get away."""
    name = view.sides[view.side]
    own = [condition for condition in view.terms.victory if condition.winner == name]
    return any(condition.at_end and condition.least <= 0 for condition in own)


def raise_prey_weight(foes: list[Foe], prey: tuple[str, ...]) -> None:
    """Raise the weight of prey."""
    for foe in foes:
        if foe.contact.id in prey:
            foe.weight *= PREY_WEIGHT


def takes_move_orders(ship: ShipState) -> bool:
    """Return whether a ship takes movement orders at all."""
    return ship.docking == FREE and ship.sheet.kind != INSTALLATION


def plot_for_edge(ship: ShipState, edge: str, table: Point) -> Plot:
    """Return the plot that brings a ship over an edge soonest: first course, then speed.

    Rules: 2E "The attack on Convoy 990" [2e.convoy-990]
    """
    best_score = -1e9
    best_plot = HOLD
    for turn, change in possible_moves(ship):
        score = _edge_score(ship, turn, change, EDGES[edge], table=table)
        if score > best_score + 1e-6:
            best_score = score
            best_plot = plain_or_hold(turn, change)
    return best_plot


def _edge_score(ship: ShipState, turn: int, change: int, inward: Point, table: Point) -> float:
    """Rate a move towards an edge: by nearness, by speed towards it and by keeping on the table.

    Args:
        inward: The direction from the edge to the middle of the table.
    """
    speed = ship.velocity + change
    x, y, course = _end(ship, turn, change)
    ux, uy = COURSES[course]
    nearness = -(x * inward[0] + y * inward[1])
    heading = -(ux * inward[0] + uy * inward[1])
    if inward[0]:
        position, drift, size = y, uy * speed, table[1]
    else:
        position, drift, size = x, ux * speed, table[0]
    overshoot = _outside(position + 2 * drift, size)
    return nearness + 2.0 * heading * (speed + ship.thrust) - 3.0 * overshoot


def _outside(value: float, size: float) -> float:
    """Return by how many MU a coordinate lies off a table of this size."""
    return max(-value, value - size, 0.0)


def _end(ship: ShipState, turn: int, change: int) -> tuple[float, float, int]:
    """Return where a move ends, and the course then."""
    after = ship.copy()
    advance(after, turn, change)
    return after.x, after.y, after.course


def avoid_hazards(terms: Terms, ship: ShipState, plot: Plot, pieces: Sequence[Piece]) -> Plot:
    """Return the plot, or one near it that is less at risk from asteroids this turn and the next.

    Rules: 2E "Asteroids" [2e.asteroids]
    """
    if ship.warm or plot.ftl:
        return plot
    risk, intended_end = loss_odds(terms, ship, plot.turn, plot.thrust, pieces=pieces)
    if not risk:
        return plot
    best_cost = 100.0 * risk
    best_plot = plot
    for turn, change in possible_moves(ship):
        risk, (x, y) = loss_odds(terms, ship, turn, change, pieces=pieces)
        detour = length_of(x - intended_end[0], y - intended_end[1])
        cost = 100.0 * risk + 0.1 * detour
        if cost < best_cost - 1e-6:
            best_cost = cost
            best_plot = replace(plot, turn=turn, thrust=change)
    return best_plot


def loss_odds(
    terms: Terms, ship: ShipState, turn: int, thrust: int, pieces: Sequence[Piece]
) -> tuple[float, Point]:
    """Return the chance of loss to an asteroid, and where the move ends.

    The chance is that of this turn, plus half of the next turn's if the ship flies on.
    """
    after = ship.copy()
    start = (ship.x, ship.y)
    if ship.velocity == 0 and thrust == 0:
        odds = path_loss_odds(
            terms, pieces, path=(start, start), velocity=0, thrust=ship.thrust, turns=1
        )
        return odds, start
    mid = advance(after, turn, thrust)
    end = (after.x, after.y)
    odds = path_loss_odds(
        terms, pieces, path=(start, mid, end), velocity=after.velocity, thrust=after.thrust, turns=1
    )
    ux, uy = COURSES[after.course]
    next_end = (end[0] + ux * after.velocity, end[1] + uy * after.velocity)
    next_odds = path_loss_odds(
        terms,
        pieces,
        path=(end, next_end),
        velocity=max(after.velocity - after.thrust, 0),
        thrust=after.thrust,
        turns=2,
    )
    return odds + 0.5 * next_odds, end


def path_loss_odds(
    terms: Terms,
    pieces: Sequence[Piece],
    path: tuple[Point, ...],
    velocity: int,
    thrust: int,
    turns: int,
) -> float:
    """Return the chance of loss on a path, with the pieces drifted for so many turns."""
    return sum(piece.loss_chance(terms, path, velocity, thrust, turns=turns) for piece in pieces)


def dangerous_pieces(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces of kinds that can destroy a ship."""
    result: list[Piece] = []
    for piece in pieces:
        if type(piece).loss_chance is not Piece.loss_chance:
            result.append(piece)
    return result


def coming_sweeps(pieces: Sequence[Piece]) -> tuple[Sweep, ...]:
    """Return what pieces will sweep at the start of the next fire phase, and the mean damage."""
    all_sweeps = (piece.next_sweep() for piece in pieces)
    return tuple(sweep for sweep in all_sweeps if sweep is not None)


def last_ram(terms: Terms, ship: ShipState, foes: list[Foe]) -> Plot | None:
    """Return a ram for a nearly lost ship that can neither fight nor jump, at a larger foe, if any.

    Rules: 2E "Collisions and ramming" [2e.ramming]
    """
    if NO_RAMMING in terms.options or not _can_only_ram(ship):
        return None
    boxes_left = ship.sheet.boxes - ship.damage
    larger_foes = [foe for foe in foes if foe.boxes_left > boxes_left]
    for turn, change in possible_moves(ship):
        x, y, _ = _end(ship, turn, change)
        for foe in larger_foes:
            if squared_length(foe.x - x, foe.y - y) <= REACH * REACH:
                return Plot(turn, change, ram=foe.contact.id)
    return None


def _can_only_ram(ship: ShipState) -> bool:
    """Return whether all that a ship can still do is ram.

    It can steer, but has no weapon left, cannot jump, and has a third of its hull boxes or less.
    """
    if ship.dummy or ship.thrust == 0 or any(ship.power):
        return False
    can_jump = ship.profile.ftl >= 0 and ship.alive[ship.profile.ftl]
    boxes_left = ship.sheet.boxes - ship.damage
    return not can_jump and boxes_left * 3 <= ship.sheet.boxes


def would_pursue(view: SideView, fleeing: bool) -> bool:
    """Return whether a side pursues one that leaves.

    It does unless it is leaving itself, cannot fight, or has lost too much.

    Rules: 2E "The moving table and disengaging from battle" [2e.moving-table]
    """
    able = False
    for ship in view.own_ships:
        if ship.status == FIGHTING and ship.thrust and any(ship.power):
            able = True
    return able and not fleeing and loss_share(view.own_ships) < PURSUIT_LOSS_LIMIT
