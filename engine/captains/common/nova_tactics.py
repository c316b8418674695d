"""When a captain arms and fires a nova cannon, and how it brings its line to bear."""

from __future__ import annotations

from collections.abc import Sequence

from engine.captains.common.foes import ARC_OFFSET, MEAN_POINTS, Foe
from engine.captains.common.move_search import ScoreBonus
from engine.combat.line_of_sight import is_in_sweep, path_ahead
from engine.combat.nova import CANNON
from engine.core.geometry import COURSES, Point, arcs_of, turn_course
from engine.core.kinds import FIGHTING
from engine.core.orders import Fire, Plot
from engine.core.rolls import range_band as band_of
from engine.core.ship import FREE, ShipState
from engine.pieces.piece import Sweep
from engine.second_edition.movement import turn_limit
from engine.weapons.beams import BANDS
from engine.weapons.nova import ARMED_AT, FLARES

NOVA = Plot(nova=True)
MEAN = 3.5 * FLARES[0].dice  # damage points of the first turn
STRAIGHT = 0.4  # the chance that a foe flies on; otherwise it makes any of its moves
ARMING_COST = 1.0  # damage points that a turn without thrust costs
LINED_UP = 3.0  # worth of a foe on next turn's bow line, for the move search
LINE = 2.0  # MU beside the bow line that still count as on it


def sweep_cost(sweeps: tuple[Sweep, ...]) -> ScoreBonus:
    """Return the cost of places that nova templates will sweep."""

    def worth(x: float, y: float, _course: int, _speed: float) -> float:
        return -sum(points for path, radius, points in sweeps if is_in_sweep(x, y, path, radius))

    return worth


def has_cannon(ship: ShipState, never: tuple[str, ...]) -> bool:
    """Return whether a ship has a working nova cannon that its captain may use."""
    places = ship.profile.having.get(CANNON)
    return bool(places) and any(
        ship.alive[place] and ship.sheet.fits[place].type not in never for place in places or ()
    )


def should_arm(ship: ShipState, foes: list[Foe], own_ships: list[ShipState]) -> bool:
    """Return whether to put a ship's power into its nova cannon this turn.

    The expected hits count against what its guns would do and its screens keep off. It does not arm
    if friends may come into the sweep.

    Args:
        foes: Where they will be if they fly on.
    """
    if ship.warm or ship.dummy or ship.cover is not None or ship.docking != FREE:
        return False
    ux, uy = COURSES[ship.course]
    x, y = ship.x + ux * ship.velocity, ship.y + uy * ship.velocity
    if not _clear(ship, x, y, own_ships, ahead=True):
        return False
    path = path_ahead(x, y, ship.course, ahead=ARMED_AT, move=FLARES[0].move)
    gain = guns = exposed = 0.0
    bare = MEAN_POINTS[0] - MEAN_POINTS[ship.screens]
    for foe in foes:
        dx, dy = foe.x - x, foe.y - y
        along = dx * ux + dy * uy
        off = abs(dx * uy - dy * ux)
        if -6 < along < 36 and off < 10:
            gain += _chance(foe, path) * min(MEAN, foe.boxes_left) * foe.weight
        band = band_of((dx * dx + dy * dy) ** 0.5, BANDS)
        at = ARC_OFFSET[arcs_of(dx, dy, ship.course)]
        if band >= 0 and at >= 0:
            guns = max(guns, ship.power[at + band] * MEAN_POINTS[foe.screens] * foe.weight)
        at = ARC_OFFSET[arcs_of(-dx, -dy, foe.contact.course)]
        if band >= 0 and at >= 0:
            exposed += foe.power[at + band] * bare
    return gain > guns + exposed + ARMING_COST


def _chance(foe: Foe, path: tuple[Point, Point]) -> float:
    """Return the chance that a foe ends its move in the sweep, by any of its moves."""
    contact = foe.contact
    if contact.sheet is not None:
        thrust = contact.thrust
    else:
        thrust = 4
    ax, ay = contact.x, contact.y
    hits = moves = 0
    ux, uy = COURSES[contact.course]
    straight = is_in_sweep(
        ax + ux * contact.velocity, ay + uy * contact.velocity, path, FLARES[0].radius
    )
    for turn in range(-turn_limit(thrust), turn_limit(thrust) + 1):
        first = int(turn / 2)
        fx, fy = COURSES[turn_course(contact.course, first)]
        sx, sy = COURSES[turn_course(contact.course, turn)]
        spare = thrust - abs(turn)
        for change in dict.fromkeys((-spare, 0, spare)):
            speed = max(contact.velocity + change, 0) * 0.5
            moves += 1
            hits += is_in_sweep(
                ax + (fx + sx) * speed, ay + (fy + sy) * speed, path, FLARES[0].radius
            )
    return STRAIGHT * straight + (1 - STRAIGHT) * hits / moves


def cannon_fire(ship: ShipState, foes: list[Foe], own_ships: list[ShipState]) -> tuple[Fire, ...]:
    """Return an armed ship's fire: its first working cannon, unless a friend is in the way."""
    if not foes or not _clear(ship, ship.x, ship.y, own_ships, ahead=False):
        return ()
    place = next((place for place in ship.profile.having[CANNON] if ship.alive[place]), -1)
    if place >= 0:
        return (Fire(ship.sheet.fits[place].id, ()),)
    return ()


def _clear(ship: ShipState, x: float, y: float, own_ships: list[ShipState], *, ahead: bool) -> bool:
    """Return whether no friend is in the first two turns of a template starting at a point.

    Args:
        ahead: Friends have not moved yet, so they are taken where they will be if they fly on.
    """
    first = path_ahead(x, y, ship.course, ahead=ARMED_AT, move=FLARES[0].move)
    second = path_ahead(x, y, ship.course, ahead=ARMED_AT + FLARES[0].move, move=FLARES[1].move)
    for friend in own_ships:
        if friend is ship or friend.status != FIGHTING or friend.dummy:
            continue
        ux, uy = COURSES[friend.course]
        now = friend.velocity if ahead else 0
        margin = FLARES[0].radius + (friend.thrust * 0.75 if ahead else 0.0)
        if is_in_sweep(friend.x + ux * now, friend.y + uy * now, first, margin):
            return False
        then = now + friend.velocity
        if is_in_sweep(
            friend.x + ux * then,
            friend.y + uy * then,
            second,
            FLARES[1].radius + friend.thrust * 0.5,
        ):
            return False
    return True


def bow_line_bonus(near: Sequence[Foe]) -> ScoreBonus:
    """Return the worth of places with foes on the bow line after a further turn of flight.

    Args:
        near: The foes where they will be after this turn.
    """
    aims = []
    for f in near:
        aims.append((f.x + f.ux * f.contact.velocity, f.y + f.uy * f.contact.velocity, f.weight))
    first = ARMED_AT - FLARES[0].radius
    last = ARMED_AT + FLARES[0].move + FLARES[0].radius

    def worth(x: float, y: float, course: int, speed: float) -> float:
        total = 0.0
        ux, uy = COURSES[course]
        for fx, fy, weight in aims:
            dx, dy = fx - x, fy - y
            along = dx * ux + dy * uy - speed
            off = abs(dx * uy - dy * ux)
            if first <= along <= last and off < LINE:
                total += LINED_UP * weight * (1.0 - 0.5 * off / LINE)
        return total

    return worth
