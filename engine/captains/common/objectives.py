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
from engine.captains.common.move_options import tried_moves
from engine.captains.common.retreat import loss_share
from engine.core.geometry import COURSES, Point
from engine.core.kinds import FIGHTING, INSTALLATION, Fate
from engine.core.orders import HOLD, Plot
from engine.core.ship import FREE, ShipState
from engine.core.terms import Terms
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
    ship_ids = []
    for c in view.terms.victory:
        if c.winner == name and c.fate != Fate.ESCAPED:
            for ship in c.ships:
                ship_ids.append(ship)
    return tuple(foe.contact.id for foe in foes if foe.contact.id in ship_ids)


def runners_of(view: SideView) -> tuple[str, ...]:
    """Return a side's ships that win by escaping over its jump edge; none without such an edge."""
    name = view.sides[view.side]
    if not view.terms.jump_edge(view.side):
        return ()
    result: list[str] = []
    for c in view.terms.victory:
        if c.winner == name and c.fate == Fate.ESCAPED:
            for ship in c.ships:
                result.append(ship)
    return tuple(result)


def has_reached_aim(view: SideView) -> bool:
    """Return whether a side has reached its aim and only needs to get away."""
    name = view.sides[view.side]
    return any(c.winner == name and c.at_end and c.least <= 0 for c in view.terms.victory)


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
    inward = EDGES[edge]
    best, best_plot = -1e9, HOLD
    for turn, change in tried_moves(ship.thrust):
        speed = ship.velocity + change
        if speed < 0 or (speed == 0 and turn):
            continue
        x, y, course = _end(ship, turn, change)
        ux, uy = COURSES[course]
        along = -(x * inward[0] + y * inward[1])
        ahead = -(ux * inward[0] + uy * inward[1])
        side = y if inward[0] else x
        drift = (uy if inward[0] else ux) * speed
        off = _outside(side + 2 * drift, table[1] if inward[0] else table[0])
        score = along + 2.0 * ahead * (speed + ship.thrust) - 3.0 * off
        if score > best + 1e-6:
            best, best_plot = score, (Plot(turn, change) if turn or change else HOLD)
    return best_plot


def _outside(value: float, size: float) -> float:
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
    best, best_plot = 100.0 * risk, plot
    for turn, change in tried_moves(ship.thrust):
        if ship.velocity + change < 0 or (ship.velocity + change == 0 and turn):
            continue
        candidate = replace(plot, turn=turn, thrust=change)
        risk, (x, y) = loss_odds(terms, ship, candidate.turn, candidate.thrust, pieces=pieces)
        score = (
            100.0 * risk + 0.1 * ((x - intended_end[0]) ** 2 + (y - intended_end[1]) ** 2) ** 0.5
        )
        if score < best - 1e-6:
            best, best_plot = score, candidate
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
        return path_loss_odds(
            terms, pieces, path=(start, start), velocity=0, thrust=ship.thrust, turns=1
        ), start
    mid = advance(after, turn, thrust)
    end = (after.x, after.y)
    risk = path_loss_odds(
        terms, pieces, path=(start, mid, end), velocity=after.velocity, thrust=after.thrust, turns=1
    )
    ux, uy = COURSES[after.course]
    on = (end[0] + ux * after.velocity, end[1] + uy * after.velocity)
    slower = max(after.velocity - after.thrust, 0)
    return risk + 0.5 * path_loss_odds(
        terms, pieces, path=(end, on), velocity=slower, thrust=after.thrust, turns=2
    ), end


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


def last_ram(ship: ShipState, foes: list[Foe]) -> Plot | None:
    """Return a ram for a nearly lost ship that can neither fight nor jump, at a larger foe, if any.

    Rules: 2E "Collisions and ramming" [2e.ramming]
    """
    boxes_left = ship.sheet.boxes - ship.damage
    jumps = ship.profile.ftl >= 0 and ship.alive[ship.profile.ftl]
    if (
        any(ship.power)
        or jumps
        or ship.thrust == 0
        or ship.dummy
        or boxes_left * 3 > ship.sheet.boxes
    ):
        return None
    for turn, change in tried_moves(ship.thrust):
        if ship.velocity + change < 0 or (ship.velocity + change == 0 and turn):
            continue
        x, y, _ = _end(ship, turn, change)
        for foe in foes:
            if foe.boxes_left > boxes_left and (foe.x - x) ** 2 + (foe.y - y) ** 2 <= REACH * REACH:
                return Plot(turn, change, ram=foe.contact.id)
    return None


def would_pursue(view: SideView, fleeing: bool) -> bool:
    """Return whether a side pursues one that leaves.

    It does unless it is leaving itself, cannot fight, or has lost too much.

    Rules: 2E "The moving table and disengaging from battle" [2e.moving-table]
    """
    able = any(
        ship.status == FIGHTING and ship.thrust and any(ship.power) for ship in view.own_ships
    )
    return able and not fleeing and loss_share(view.own_ships) < PURSUIT_LOSS_LIMIT
