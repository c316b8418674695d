"""A hunter's helm: it matches the motion of its prey and keeps it before the bow, rather than fly past it once.

Rules: 2E "The attack on Convoy 990" [2e.convoy-990]; 2E "Mining station Con-Am 12" [2e.con-am-12]
"""

from __future__ import annotations

from engine.captains.estimate import ARC_AT, MEAN_POINTS, Foe
from engine.captains.helm import moves
from engine.captains.ordnance import mean_points, stand_of
from engine.core.geometry import COURSES, FORE, arcs_of
from engine.core.orders import HOLD, Plot
from engine.core.ship import ShipState
from engine.second_edition.movement import advance
from engine.weapons.beams import BANDS as REACHES

CLOSE = 6.0  # MU: nearer than this a hunter need not come
OFF = 0.5  # a MU beyond it, this turn and the next
APART = 0.7  # a MU of velocity apart from the prey's that thrust cannot mend in two turns
BRAKE = 0.1  # a MU by which it would shoot past its prey before it could match its motion
BOW = 3.0  # prey in the fore arc, where tubes and most batteries bear
EDGE = 10.0  # a MU beyond the edge of the table
DRIFT = 0.3  # a MU beyond it, where it is heading


def hunt(ship: ShipState, prey: list[Foe], table: tuple[float, float]) -> Plot:
    """The plot that keeps the nearest prey in reach, this turn and the next."""
    best, found = -1e9, HOLD
    game = min(prey, key=lambda foe: (foe.x - ship.x) ** 2 + (foe.y - ship.y) ** 2)
    if ship.velocity == 0 and ship.thrust == 0:
        return HOLD
    for turn, change in moves(ship.thrust):
        if ship.velocity + change < 0 or (ship.velocity + change == 0 and turn):
            continue
        score = _worth(ship, turn, change, game, table)
        if score > best + 1e-6:
            best, found = score, (Plot(turn, change) if turn or change else HOLD)
    return found


def _worth(ship: ShipState, turn: int, change: int, game: Foe, table: tuple[float, float]) -> float:
    """How good a move is: fire at the end of it, nearness now and next turn, and a motion like the prey's."""
    after = ship.copy()
    advance(after, turn, change)
    ux, uy = COURSES[after.course]
    vx, vy = ux * after.velocity, uy * after.velocity
    contact = game.contact
    gx, gy = (part * contact.velocity for part in COURSES[contact.course])
    dx, dy = game.x - after.x, game.y - after.y
    now = (dx * dx + dy * dy) ** 0.5
    later = ((dx + gx - vx) ** 2 + (dy + gy - vy) ** 2) ** 0.5
    apart = ((gx - vx) ** 2 + (gy - vy) ** 2) ** 0.5
    score = _fire(after, dx, dy, now) * MEAN_POINTS[game.screens] + _bolts(after, game.screens, dx, dy, now)
    score -= OFF * (max(now - CLOSE, 0.0) + max(later - CLOSE - after.thrust, 0.0))
    score -= BRAKE * max(apart * apart / (2 * max(after.thrust, 1)) - now - CLOSE, 0.0)
    score -= APART * max(apart - 2 * after.thrust, 0.0) * (1.0 if now < 40.0 else 0.3)
    if now < 24.0 and arcs_of(dx, dy, after.course) & FORE:
        score += BOW
    glide = 0.5 + after.velocity / max(after.thrust, 1) * 0.35
    for at, part, size in ((after.x, vx, table[0]), (after.y, vy, table[1])):
        ahead = at + part * glide
        score -= EDGE * max(-at, at - size, 0.0) + DRIFT * max(-ahead, ahead - size, 0.0)
    return float(score)


def _bolts(ship: ShipState, screens: int, dx: float, dy: float, distance: float) -> float:
    """Mean damage points of its tubes that would bear."""
    tubes = [tube for tube in stand_of(ship.profile, ship.sheet).tubes if ship.alive[tube.place]]
    if not tubes:
        return 0.0
    arcs = arcs_of(dx, dy, ship.course)
    return sum(mean_points(tube, screens, distance) for tube in tubes if tube.bears & arcs)


def _fire(ship: ShipState, dx: float, dy: float, distance: float) -> float:
    """Dice of its batteries that would bear."""
    at = ARC_AT[arcs_of(dx, dy, ship.course)]
    band = next((band for band, limit in enumerate(REACHES) if distance <= limit), -1)
    return ship.power[at + band] if at >= 0 and band >= 0 and ship.power else 0
