"""Movement of a hunter: it matches its prey's motion and keeps it ahead, rather than pass it once.

Rules: 2E "The attack on Convoy 990" [2e.convoy-990]; 2E "Mining station Con-Am 12" [2e.con-am-12]
"""

from __future__ import annotations

from math import sqrt

from engine.captains.common.foes import Foe, own_armament
from engine.captains.common.move_options import plain_or_hold, possible_moves
from engine.captains.common.move_search import fire_worth
from engine.captains.common.range_tables import Armament
from engine.core.geometry import COURSES, FORE, Point, arcs_of, length_of, squared_length
from engine.core.orders import HOLD, Plot
from engine.core.ship import ShipState
from engine.second_edition.movement import advance

CLOSE = 6.0  # MU to the prey at which a hunter is close enough
DISTANCE_COST = 0.5  # per MU beyond that, this turn and the next
# Per MU of difference to the prey's velocity that thrust cannot remove in two turns
VELOCITY_COST = 0.7
OVERSHOOT_COST = 0.1  # per MU by which it would overshoot its prey before it could match its motion
BOW_BONUS = 3.0  # for prey in the fore arc, where torpedo tubes and most batteries bear
EDGE_COST = 10.0  # per MU beyond the edge of the table
DRIFT_COST = 0.3  # per MU beyond the edge, where it is heading


def hunt(ship: ShipState, prey: list[Foe], table: Point, never: tuple[str, ...]) -> Plot:
    """Return the plot that keeps the nearest prey in reach, this turn and the next."""
    if ship.velocity == 0 and ship.thrust == 0:
        return HOLD
    target = min(prey, key=lambda foe: squared_length(foe.x - ship.x, foe.y - ship.y))
    armament = own_armament(ship, never)
    best_score = -1e9
    best_plot = HOLD
    for turn, change in possible_moves(ship):
        score = _score(ship, turn, change, target, armament=armament, table=table)
        if score > best_score + 1e-6:
            best_score = score
            best_plot = plain_or_hold(turn, change)
    return best_plot


def _score(
    ship: ShipState, turn: int, change: int, target: Foe, armament: Armament, table: Point
) -> float:
    """Rate a move by fire at its end, distance now and next turn, and a motion like the prey's."""
    after = ship.copy()
    advance(after, turn, change)
    thrust = max(after.thrust, 1)
    ux, uy = COURSES[after.course]
    vx, vy = ux * after.velocity, uy * after.velocity
    contact = target.contact
    gx, gy = (part * contact.velocity for part in COURSES[contact.course])
    dx, dy = target.x - after.x, target.y - after.y
    distance = sqrt(dx * dx + dy * dy)
    next_distance = length_of(dx + gx - vx, dy + gy - vy)
    velocity_gap = length_of(gx - vx, gy - vy)
    score = fire_worth(
        armament.table(target.defence, target.armour_ratio),
        dx,
        dy,
        facing=(ux, uy),
        slope=armament.compass.slope,
        range_factor=target.range_factor,
    )
    too_far = max(distance - CLOSE, 0.0)
    too_far_next = max(next_distance - CLOSE - after.thrust, 0.0)
    score -= DISTANCE_COST * (too_far + too_far_next)
    braking_distance = velocity_gap * velocity_gap / (2 * thrust)
    score -= OVERSHOOT_COST * max(braking_distance - distance - CLOSE, 0.0)
    urgency = 1.0 if distance < 40.0 else 0.3
    score -= VELOCITY_COST * max(velocity_gap - 2 * after.thrust, 0.0) * urgency
    if distance < 24.0 and arcs_of(dx, dy, after.course) & FORE:
        score += BOW_BONUS
    glide = 0.5 + after.velocity / thrust * 0.35
    for at, speed, size in ((after.x, vx, table[0]), (after.y, vy, table[1])):
        ahead = at + speed * glide
        score -= EDGE_COST * max(-at, at - size, 0.0) + DRIFT_COST * max(-ahead, ahead - size, 0.0)
    return float(score)
