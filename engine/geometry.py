"""Points, courses, arcs and ranges on the table, in MU: x to the right, y upwards, course 12 is +y.

Courses use a literal table of unit vectors, arcs dot and cross products, ranges squared distances: the same on every
machine. Within `NEAR` MU of a boundary counts as on it.
"""

from __future__ import annotations

NEAR = 1e-6
_HALF_ROOT_3 = 0.8660254037844386

# Unit vector of each course; 0 stands for 12.
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

_ON_LINE = NEAR * 1.4142135623730951


def turned(course: int, points: int) -> int:
    """The course `points` further to starboard (to port: negative), 1 to 12.

    Rules: 2E "Course determination" [2e.movement]
    """
    return (course + points - 1) % 12 + 1


def arcs_of(dx: float, dy: float, course: int) -> int:
    """The arc (bit) a target `dx`, `dy` MU away lies in; two bits where it lies on the line between two arcs.

    A target at the very same point lies on the line between fore and starboard. Rules: 2E "Fire arcs" [2e.arcs]
    """
    ux, uy = COURSES[course]
    ahead = dx * ux + dy * uy
    right = dx * uy - dy * ux
    wide = abs(right)
    if ahead - wide > _ON_LINE:
        return FORE
    if -ahead - wide > _ON_LINE:
        return AFT
    if wide - abs(ahead) > _ON_LINE:
        return STARBOARD if right > 0 else PORT
    return (FORE if ahead >= 0 else AFT) | (STARBOARD if right >= 0 else PORT)


def within(distance_squared: float, limit: float) -> bool:
    """Whether a squared distance is within `limit` MU; exactly on it is."""
    reach = limit + NEAR
    return distance_squared <= reach * reach
