"""Points, courses, arcs and ranges on the table, in MU: x to the right, y upwards, course 12 is +y.

Results are the same on every machine, because only operations are used whose results IEEE 754
defines: + - * / and square roots. `**`, `sum` of floats, `math.dist` and the trigonometric
functions depend on the C library or the version of Python. Courses use a fixed table of unit
vectors, arcs use dot and cross products, ranges use squared distances. Anything within `NEAR` MU of
a boundary counts as on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt

Point = tuple[float, float]  # x and y in MU

NEAR = 1e-6  # MU
MILLI = 1000  # places are stored in thousandths of a MU
_HALF_ROOT_3 = 0.8660254037844386
_TANGENT_OF_15 = 0.2679491924311227
_SPLITTER = 134217729.0  # 2**27 + 1: multiplied by it, a float splits into two halves (Dekker)

# Unit vector of each course; 0 is the same as 12.
COURSES: tuple[tuple[float, float], ...] = (
    (0.0, 1.0),
    (0.5, _HALF_ROOT_3),
    (_HALF_ROOT_3, 0.5),
    (1.0, 0.0),
    (_HALF_ROOT_3, -0.5),
    (0.5, -_HALF_ROOT_3),
    (0.0, -1.0),
    (-0.5, -_HALF_ROOT_3),
    (-_HALF_ROOT_3, -0.5),
    (-1.0, 0.0),
    (-_HALF_ROOT_3, 0.5),
    (-0.5, _HALF_ROOT_3),
    (0.0, 1.0),
)

# The four arcs as bits, in the order of the second edition's arc list.
FORE, STARBOARD, AFT, PORT = 1, 2, 4, 8
ARC_BITS: dict[str, int] = {"F": FORE, "S": STARBOARD, "A": AFT, "P": PORT}
ARC_NAMES: dict[int, str] = {bit: name for name, bit in ARC_BITS.items()}

# Where ahead and sideways differ by at most this, a point is within NEAR of the 45-degree line.
_ON_LINE = NEAR * 1.4142135623730951

# The six arcs of Continuum as bits, in the order of its arc list.
FORE_6, FS_6, AS_6, AFT_6, AP_6, FP_6 = 1, 2, 4, 8, 16, 32
SIX_ARC_BITS: dict[str, int] = {
    "F": FORE_6,
    "FS": FS_6,
    "AS": AS_6,
    "A": AFT_6,
    "AP": AP_6,
    "FP": FP_6,
}
SIX_ARC_NAMES: dict[int, str] = {bit: name for name, bit in SIX_ARC_BITS.items()}


def turn_course(course: int, points: int) -> int:
    """Return the course `points` further to starboard (negative: to port), 1 to 12.

    Rules: 2E "Course determination" [2e.movement]
    """
    return (course + points - 1) % 12 + 1


def arcs_of(dx: float, dy: float, course: int) -> int:
    """Return the arc (a bit) of a target `dx`, `dy` MU away.

    A target on the line between two arcs is in both, which is two bits. A target at the very same
    point is on the line between fore and starboard.

    Rules: 2E "Fire arcs" [2e.arcs]
    """
    ux, uy = COURSES[course]
    ahead = dx * ux + dy * uy
    right = dx * uy - dy * ux
    sideways = abs(right)
    if ahead - sideways > _ON_LINE:
        return FORE
    if -ahead - sideways > _ON_LINE:
        return AFT
    if sideways - abs(ahead) > _ON_LINE:
        if right > 0:
            return STARBOARD
        return PORT
    return (FORE if ahead >= 0 else AFT) | (STARBOARD if right >= 0 else PORT)


def six_arcs_of(dx: float, dy: float, course: int, beta: bool = False) -> int:
    """Return the sixth (a bit) of a target `dx`, `dy` MU away.

    The fore arc reaches 30 degrees to both sides of the bow. A target on the line between two arcs
    is in both, which is two bits. A target at the very same point is on the line between fore and
    fore starboard.

    Args:
        beta: All arcs are turned 30 degrees to starboard.

    Rules: Continuum "Fire arcs" 4.2 [pc.arcs]
    """
    ux, uy = COURSES[course]
    ahead = dx * ux + dy * uy
    right = dx * uy - dy * ux
    if beta:
        ahead, right = ahead * _HALF_ROOT_3 + right * 0.5, right * _HALF_ROOT_3 - ahead * 0.5
    # Above 0 within 30 degrees of bow or stern, 0 on the line between two arcs.
    near_axis = abs(ahead) * 0.5 - abs(right) * _HALF_ROOT_3
    if near_axis > NEAR:
        return FORE_6 if ahead > 0 else AFT_6
    if right >= 0:
        forward_side, after_side = FS_6, AS_6
    else:
        forward_side, after_side = FP_6, AP_6
    if near_axis >= -NEAR:
        return FORE_6 | forward_side if ahead >= 0 else AFT_6 | after_side
    if abs(ahead) <= NEAR:
        return forward_side | after_side
    return forward_side if ahead > 0 else after_side


def course_towards(start: Point, end: Point, otherwise: int) -> int:
    """Return the course nearest to the line between two points, or `otherwise` if they coincide."""
    dx = end[0] - start[0]
    dy = end[1] - start[1]
    if dx * dx + dy * dy < NEAR:
        return otherwise
    points = _points_from_axis(abs(dx), abs(dy))
    if dy < 0:
        points = 6 - points
    return (points if dx >= 0 else -points) % 12 or 12


def _points_from_axis(across: float, along: float) -> int:
    """Return the points of the clock (0 to 3) between the line from 6 to 12 and a direction.

    A diagonal is as near to 1 point as to 2, and counts as 2.
    """
    if across < along * _TANGENT_OF_15:
        return 0
    if along < across * _TANGENT_OF_15:
        return 3
    return 1 if along - across > NEAR else 2


def squared_length(dx: float, dy: float) -> float:
    """Return the square of the length of a vector."""
    return dx * dx + dy * dy


def length_of(dx: float, dy: float) -> float:
    """Return the length of a vector. Its last digit may differ from that of `dist`."""
    return sqrt(dx * dx + dy * dy)


def dist(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the distance of two points, rounded correctly.

    It gives what `math.dist` of CPython 3.11 gives (compared for a million pairs), but in every
    version and on every machine: what each square and their sum lose is added up, and one step of
    Newton's method corrects the square root by it.
    """
    dx = a[0] - b[0]
    dy = a[1] - b[1]
    smaller, larger = sorted((dx * dx, dy * dy))
    square = smaller + larger
    if square == 0.0:
        return 0.0
    length = sqrt(square)
    rest = square - length * length
    rest += (larger - square) + smaller
    rest += _lost_by_square(dx) + _lost_by_square(dy) - _lost_by_square(length)
    return length + rest / (2.0 * length)


def _lost_by_square(number: float) -> float:
    """Return the difference between the true square of a number and its rounded one (Dekker)."""
    shifted = number * _SPLITTER
    high = shifted - (shifted - number)
    low = number - high
    return ((high * high - number * number) + 2.0 * high * low) + low * low


def path_length(path: Sequence[Point]) -> float:
    """Return the length of a path in MU.

    The legs are added one by one: `sum` rounds floats in another way since Python 3.12.
    """
    total = 0.0
    for a, b in pairwise(path):
        total += dist(a, b)
    return total


def is_within(distance_squared: float, limit: float) -> bool:
    """Return whether a squared distance is at most `limit` MU."""
    return distance_squared <= squared_limit(limit)


def squared_limit(limit: float) -> float:
    """Return the square of the greatest distance that counts as `limit` MU."""
    widest = limit + NEAR
    return widest * widest


def round_point(point: Point) -> Point:
    """Return a point rounded to thousandths of a MU, as documents store it."""
    return round(point[0] * MILLI) / MILLI, round(point[1] * MILLI) / MILLI


def rotate_offset(centre: Point, offset: Point, points: int) -> Point:
    """Return the table point of an offset from `centre` after a rotation to starboard.

    Args:
        offset: MU from the centre.
        points: Points of the clock (30 degrees each).
    """
    sine, cosine = COURSES[points % 12]
    x, y = offset
    return centre[0] + x * cosine + y * sine, centre[1] - x * sine + y * cosine


def velocity_and_drift(
    start: tuple[float, float], end: tuple[float, float]
) -> tuple[int, tuple[float, float]]:
    """Return the velocity of a straight move in whole MU, and the drift vector of that length.

    Rules: Continuum "Moving ships under the vector system" 12.12 [pc.vector]
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = sqrt(dx * dx + dy * dy)
    velocity = int(length + 0.5 + NEAR)
    if not velocity:
        return 0, (0.0, 0.0)
    return velocity, (dx * velocity / length, dy * velocity / length)


def initial_drift(course: int, velocity: int) -> tuple[float, float]:
    """Return the drift of a vector-movement ship that has so far flown the way it faces."""
    ux, uy = COURSES[course]
    return ux * velocity, uy * velocity


def distance_to_path(x: float, y: float, a: tuple[float, float], b: tuple[float, float]) -> float:
    """Return the distance in MU at which a straight path from `a` to `b` passes a point."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    if length == 0:
        share = 0.0
    else:
        share = min(max(((x - a[0]) * dx + (y - a[1]) * dy) / length, 0.0), 1.0)
    px, py = a[0] + dx * share - x, a[1] + dy * share - y
    return sqrt(px * px + py * py)


def along_orbit(point: int) -> int:
    """Return the course along an orbit at a point of the clock.

    Args:
        point: 1 to 12 if the ship orbits to starboard, negative if it orbits to port.

    Rules: Continuum "Medium scale" 17.8 [pc.planets]
    """
    return turn_course(abs(point), 3 if point > 0 else -3)
