"""Course, velocity and thrust: turns are split between the start and the mid-point of a move.

Rules: 2E "Movement" [2e.movement]
"""

from __future__ import annotations

from engine.core.geometry import COURSES, turn_course
from engine.core.kinds import CLOAKED, FIGHTING, RETURNING
from engine.core.orders import Plot
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState


def turn_limit(thrust: int) -> int:
    """Return the points of course change a thrust rating allows in a turn: half of it, rounded up.

    Rules: 2E "Thrust ratings" [2e.movement]
    """
    return (thrust + 1) // 2


def limits(_: BattleState, ship: ShipState) -> tuple[int, int]:
    """Return the turn and thrust points that a ship may plot; at rest it turns freely."""
    return (6 if not ship.velocity else turn_limit(ship.thrust)), ship.thrust


def away_fault(ship: ShipState, plot: Plot) -> str:
    """Return why a ship on or off the table cannot come back, stay away or move; "" if it can.

    Rules: 2E "Ships leaving the table" [2e.leaving-table]
    """
    if plot.enter is not None and ship.status != RETURNING:
        return reason("only-ship-left-table", "only a ship that left the table can enter it")
    if plot.stay and ship.status != RETURNING:
        return reason("only-ship-off-table", "only a ship off the table can stay away")
    if ship.status not in (FIGHTING, CLOAKED) and (plot.steers() or plot.ftl):
        return reason("ship-off-table-cannot-make", "a ship off the table cannot make another move")
    return ""


def ftl_fault(ship: ShipState, plot: Plot) -> str:
    """Return why a ship cannot warm up its FTL drive, or move so while it is warm; "" if it can.

    Rules: 2E "Leaving the table under FTL drive" [2e.ftl-exit]; Continuum "FTL exit" 11.4
    [pc.ftl-exit]
    """
    if plot.ftl:
        if ship.profile.ftl < 0 or not ship.alive[ship.profile.ftl]:
            return reason("no-working-ftl-drive", "it has no working FTL drive")
        if plot.steers():
            return reason(
                "ship-warms-up-ftl-drive", "a ship that warms up its FTL drive cannot use thrust"
            )
        return ""
    if ship.warm and plot.steers():
        return reason(
            "about-to-jump-no-thrust", "its FTL drive is about to engage: it cannot use thrust"
        )
    return ""


def plot_fault(ship: ShipState, plot: Plot) -> str:
    """Return why a ship cannot carry out a plot, or "" if it can.

    A ship at rest may rotate to any course, without thrust and without moving.
    Rules: 2E "Movement orders" [2e.movement]
    """
    fault = away_fault(ship, plot)
    if fault or ship.status != FIGHTING:
        return fault
    fault = ftl_fault(ship, plot)
    if fault or plot.ftl:
        return fault
    points = abs(plot.turn)
    if ship.velocity == 0 and plot.thrust == 0:
        return ""
    if points > turn_limit(ship.thrust):
        return reason(
            "turns-points-but-thrust",
            "turns {} points; with thrust {} the limit is {}",
            points,
            ship.thrust,
            turn_limit(ship.thrust),
        )
    used = points + abs(plot.thrust)
    if used > ship.thrust:
        return reason("uses-thrust", "uses {} thrust; the limit is {}", used, ship.thrust)
    if ship.velocity + plot.thrust < 0:
        return reason(
            "velocity-cannot-fall",
            "velocity {} cannot be reduced by {}",
            ship.velocity,
            -plot.thrust,
        )
    return ""


def advance(ship: ShipState, turn: int, thrust: int) -> tuple[float, float]:
    """Move a ship by a legal order, and return the mid-point of its path.

    The smaller half of a turn is made at the start, the larger at the mid-point; an odd velocity is
    halved exactly.
    Rules: 2E "Making course changes" [2e.movement]
    """
    velocity = ship.velocity + thrust
    ship.velocity = velocity
    half = velocity * 0.5
    course = ship.course
    if turn:
        first = turn // 2 if turn > 0 else -(-turn // 2)
        if first:
            course = turn_course(course, first)
        ux, uy = COURSES[course]
        mid = (ship.x + ux * half, ship.y + uy * half)
        course = turn_course(course, turn - first)
        ship.course = course
        ux, uy = COURSES[course]
    else:
        ux, uy = COURSES[course]
        mid = (ship.x + ux * half, ship.y + uy * half)
    ship.x = mid[0] + ux * half
    ship.y = mid[1] + uy * half
    return mid


def path_ahead(ship: ShipState, share: float) -> tuple[tuple[float, float], ...]:
    """Return the straight path ahead of a ship for a share of a turn's move."""
    ux, uy = COURSES[ship.course]
    distance = ship.velocity * share
    return (ship.x, ship.y), (ship.x + ux * distance, ship.y + uy * distance)


def path_behind(ship: ShipState, share: float) -> tuple[tuple[float, float], ...]:
    """Return the straight path behind a ship for a share of a turn's move."""
    ux, uy = COURSES[ship.course]
    distance = ship.velocity * share
    return (ship.x - ux * distance, ship.y - uy * distance), (ship.x, ship.y)
