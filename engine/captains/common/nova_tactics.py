"""When a captain arms and fires a nova cannon, and how it brings its line to bear."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

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


UNKNOWN_THRUST = 4  # the assumed thrust of a bogey
ARMING_COST = 1.0  # damage points that a turn without thrust costs
LINED_UP = 3.0  # worth of a foe on next turn's bow line, for the move search
LINE = 2.0  # MU beside the bow line that still count as on it


# MU along and beside the bow line within which a foe may be hit.
HIT_FROM = -6.0
HIT_TO = 36.0
HIT_ASIDE = 10.0


def sweep_cost(sweeps: tuple[Sweep, ...]) -> ScoreBonus:
    """Return the cost of places that nova templates will sweep."""

    def cost(x: float, y: float, _course: int, _speed: float) -> float:
        return -sum(points for path, radius, points in sweeps if is_in_sweep(x, y, path, radius))

    return cost


def has_cannon(ship: ShipState, never: tuple[str, ...]) -> bool:
    """Return whether a ship has a working nova cannon that its captain may use."""
    for place in ship.profile.having.get(CANNON, ()):
        if ship.alive[place] and ship.sheet.fits[place].type not in never:
            return True
    return False


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
    if not _is_clear(ship, x, y, own_ships, ahead=True):
        return False
    path = path_ahead(x, y, ship.course, ahead=ARMED_AT, move=FLARES[0].move)
    cannon_points = gun_points = points_feared = 0.0
    screened_off = MEAN_POINTS[0] - MEAN_POINTS[ship.screens]
    for foe in foes:
        dx, dy = foe.x - x, foe.y - y
        along = dx * ux + dy * uy
        if HIT_FROM < along < HIT_TO and abs(dx * uy - dy * ux) < HIT_ASIDE:
            cannon_points += _chance(foe, path) * min(MEAN, foe.boxes_left) * foe.weight
        own_dice = _dice_at(ship.power, dx, dy, ship.course)
        gun_points = max(gun_points, own_dice * MEAN_POINTS[foe.screens] * foe.weight)
        points_feared += _dice_at(foe.power, -dx, -dy, foe.contact.course) * screened_off
    return cannon_points > gun_points + points_feared + ARMING_COST


def _dice_at(power: tuple[int, ...], dx: float, dy: float, course: int) -> int:
    """Return the beam dice that bear on a point `dx`, `dy` MU away; 0 out of arc or range."""
    band = band_of(sqrt(dx * dx + dy * dy), BANDS)
    offset = ARC_OFFSET[arcs_of(dx, dy, course)]
    if band < 0 or offset < 0:
        return 0
    return power[offset + band]


def _chance(foe: Foe, path: tuple[Point, Point]) -> float:
    """Return the chance that a foe ends its move in the sweep, by any of its moves."""
    contact = foe.contact
    thrust = contact.thrust if contact.sheet is not None else UNKNOWN_THRUST
    x, y = contact.x, contact.y
    hits = moves = 0
    ux, uy = COURSES[contact.course]
    straight = is_in_sweep(
        x + ux * contact.velocity, y + uy * contact.velocity, path, FLARES[0].radius
    )
    for turn in range(-turn_limit(thrust), turn_limit(thrust) + 1):
        first_turn = int(turn / 2)
        first_x, first_y = COURSES[turn_course(contact.course, first_turn)]
        last_x, last_y = COURSES[turn_course(contact.course, turn)]
        spare = thrust - abs(turn)
        for change in dict.fromkeys((-spare, 0, spare)):
            half_speed = max(contact.velocity + change, 0) * 0.5
            moves += 1
            hits += is_in_sweep(
                x + (first_x + last_x) * half_speed,
                y + (first_y + last_y) * half_speed,
                path,
                FLARES[0].radius,
            )
    return STRAIGHT * straight + (1 - STRAIGHT) * hits / moves


def cannon_fire(ship: ShipState, foes: list[Foe], own_ships: list[ShipState]) -> tuple[Fire, ...]:
    """Return an armed ship's fire: its first working cannon, unless a friend is in the way."""
    if not foes or not _is_clear(ship, ship.x, ship.y, own_ships, ahead=False):
        return ()
    for place in ship.profile.having[CANNON]:
        if ship.alive[place]:
            return (Fire(ship.sheet.fits[place].id, ()),)
    return ()


def _is_clear(
    ship: ShipState, x: float, y: float, own_ships: list[ShipState], *, ahead: bool
) -> bool:
    """Return whether no friend is in the first two turns of a template starting at a point.

    Args:
        ahead: Friends have not moved yet, so they are taken where they will be if they fly on.
    """
    first_path = path_ahead(x, y, ship.course, ahead=ARMED_AT, move=FLARES[0].move)
    second_path = path_ahead(
        x, y, ship.course, ahead=ARMED_AT + FLARES[0].move, move=FLARES[1].move
    )
    for friend in own_ships:
        if friend is ship or friend.status != FIGHTING or friend.dummy:
            continue
        ux, uy = COURSES[friend.course]
        first_step = friend.velocity if ahead else 0
        radius = FLARES[0].radius + (friend.thrust * 0.75 if ahead else 0.0)
        if is_in_sweep(friend.x + ux * first_step, friend.y + uy * first_step, first_path, radius):
            return False
        second_step = first_step + friend.velocity
        if is_in_sweep(
            friend.x + ux * second_step,
            friend.y + uy * second_step,
            second_path,
            FLARES[1].radius + friend.thrust * 0.5,
        ):
            return False
    return True


def bow_line_bonus(foes: Sequence[Foe]) -> ScoreBonus:
    """Return the worth of places with foes on the bow line after a further turn of flight.

    Args:
        foes: The nearest foes where they will be after this turn.
    """
    aims = []
    for foe in foes:
        speed = foe.contact.velocity
        aims.append((foe.x + foe.ux * speed, foe.y + foe.uy * speed, foe.weight))
    nearest = ARMED_AT - FLARES[0].radius
    farthest = ARMED_AT + FLARES[0].move + FLARES[0].radius

    def worth(x: float, y: float, course: int, speed: float) -> float:
        total = 0.0
        ux, uy = COURSES[course]
        for foe_x, foe_y, weight in aims:
            dx, dy = foe_x - x, foe_y - y
            along = dx * ux + dy * uy - speed
            beside = abs(dx * uy - dy * ux)
            if nearest <= along <= farthest and beside < LINE:
                total += LINED_UP * weight * (1.0 - 0.5 * beside / LINE)
        return total

    return worth
