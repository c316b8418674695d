"""Movement of a hunter: it matches its prey's motion and keeps it ahead, rather than pass it once.

Rules: 2E "The attack on Convoy 990" [2e.convoy-990]; 2E "Mining station Con-Am 12" [2e.con-am-12]
"""

from __future__ import annotations

from engine.captains.common.foes import Foe, own_armament
from engine.captains.common.move_options import tried_moves
from engine.captains.common.move_search import fire_worth
from engine.captains.common.range_tables import Armament
from engine.core.geometry import COURSES, FORE, Point, arcs_of
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
    best, best_plot = -1e9, HOLD
    target = min(prey, key=lambda foe: (foe.x - ship.x) ** 2 + (foe.y - ship.y) ** 2)
    if ship.velocity == 0 and ship.thrust == 0:
        return HOLD
    fires = own_armament(ship, never)
    for turn, change in tried_moves(ship.thrust):
        if ship.velocity + change < 0 or (ship.velocity + change == 0 and turn):
            continue
        score = _worth(ship, turn, change, target, fires=fires, table=table)
        if score > best + 1e-6:
            best, best_plot = score, (Plot(turn, change) if turn or change else HOLD)
    return best_plot


def _worth(
    ship: ShipState, turn: int, change: int, target: Foe, fires: Armament, table: Point
) -> float:
    """Rate a move by fire at its end, distance now and next turn, and a motion like the prey's."""
    after = ship.copy()
    advance(after, turn, change)
    ux, uy = COURSES[after.course]
    vx, vy = ux * after.velocity, uy * after.velocity
    contact = target.contact
    gx, gy = (part * contact.velocity for part in COURSES[contact.course])
    dx, dy = target.x - after.x, target.y - after.y
    now = (dx * dx + dy * dy) ** 0.5
    later = ((dx + gx - vx) ** 2 + (dy + gy - vy) ** 2) ** 0.5
    velocity_gap = ((gx - vx) ** 2 + (gy - vy) ** 2) ** 0.5
    score = fire_worth(
        fires.table(target.defence, target.shell),
        dx,
        dy,
        facing=(ux, uy),
        slope=fires.compass.slope,
        stretch=target.stretch,
    )
    score -= DISTANCE_COST * (max(now - CLOSE, 0.0) + max(later - CLOSE - after.thrust, 0.0))
    score -= OVERSHOOT_COST * max(
        velocity_gap * velocity_gap / (2 * max(after.thrust, 1)) - now - CLOSE, 0.0
    )
    score -= (
        VELOCITY_COST * max(velocity_gap - 2 * after.thrust, 0.0) * (1.0 if now < 40.0 else 0.3)
    )
    if now < 24.0 and arcs_of(dx, dy, after.course) & FORE:
        score += BOW_BONUS
    glide = 0.5 + after.velocity / max(after.thrust, 1) * 0.35
    for at, part, size in ((after.x, vx, table[0]), (after.y, vy, table[1])):
        ahead = at + part * glide
        score -= EDGE_COST * max(-at, at - size, 0.0) + DRIFT_COST * max(-ahead, ahead - size, 0.0)
    return float(score)
