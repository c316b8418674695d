"""Defensive systems: screens, holofields, reflex fields, stealth and cloaks.

Rules: 2E "Defensive screens" [2e.screens]; Continuum "Defensive systems" 7 [pc.screens]; Continuum
"Holofield" 7.17 [pc.holofield]; Continuum "Reflex field" 7.25 [pc.reflex-field]; Continuum "Stealth
hull" 7.4, "Stealth fields" 7.5 [pc.stealth-hull]; Continuum "Cloaking device" 7.20, "Cloaking
field" 7.21, "Tuffley cloak" 7.22 [pc.cloaks]
"""

from __future__ import annotations

from functools import cache

from engine.core.kinds import CloakKind
from engine.core.phrase import phrase
from engine.core.sheet import Sheet
from engine.prices.system_price import CORE, SystemSpec

SCREENS = (
    SystemSpec(
        "screen",
        variant="",
        title=phrase("Screen generator"),
        mass=3,
        points=25,
        rule="2e.screens",
        most=3,
        civil=True,
        most_on_merchant=1,
        group=CORE,
    ),
)

HIGHEST_SCREEN = 3

# Damage points of a beam die against each level of screens; index 0 is unused.
BEAM_POINTS: tuple[tuple[int, ...], ...] = (
    #  1  2  3  4  5  6
    (0, 0, 0, 0, 1, 1, 2),  # unscreened
    (0, 0, 0, 0, 0, 1, 2),  # level 1
    (0, 0, 0, 0, 0, 1, 1),  # level 2
    (0, 0, 0, 0, 0, 0, 1),  # level 3
)

CLEAR_WITHIN = 6.0  # MU up to which a holofield has no effect

# The effect of a reflex field on damage by energy weapons, by its die (index 0 is unused): the
# share that the target takes and the share that returns to the attacker, in halves.
REFLEX: tuple[tuple[int, int], ...] = ((2, 0), (2, 0), (1, 0), (0, 0), (0, 0), (0, 1), (0, 2))
FULL_SHARE = 2
REFLEX_BURNS = 5  # the die from which attacking craft are hit by what returns

MAX_STEALTH = 2  # levels of hull and fields together

# The factor by which range bands shrink, by level of stealth: (5, 6) is five sixths. Measured
# ranges grow by its inverse instead.
SHRINKS: tuple[tuple[int, int], ...] = ((1, 1), (5, 6), (2, 3))

# The hull rows (from 1) whose loss costs a level of a stealth hull, by its original level.
MARKERS: dict[int, tuple[int, ...]] = {0: (), 1: (2,), 2: (1, 3)}

# MU at which FireCons can aim; the shorter one is for a ship that keeps level 2 by passive sensors.
FIRECON_REACH, PASSIVE_REACH = 54.0, 24.0

FASTEST = 24  # velocity above which a cloaking device has no effect
FARTHER = 2.0  # factor for the range to a ship under a cloaking device
CLOAK_MODIFIER = -2  # to every die against it, and to re-rolls

# The two ways in which a cloak hides its ship.
DEVICE, FIELD = CloakKind

# How each cloak works with this many boxes left (index 0: none). A damaged cloaking field still
# works as a device.
WORKS_AS: dict[str, tuple[str, ...]] = {
    "cloaking-device": ("", DEVICE),
    "cloaking-field": ("", DEVICE, FIELD),
    "tuffley-cloak": ("", FIELD),
}
CLOAKS = tuple(WORKS_AS)


def beam_points(level: int) -> tuple[int, ...]:
    """Return the damage points by beam die through a level of screens (0 to 3).

    Rules: 2E "Defensive screens" [2e.screens]
    """
    return BEAM_POINTS[level]


# Continuum: the limits for a ship's own screens, for all screens around it, and for advanced ones
# among them, which reduce damage dice; then the MU that area screens cover.
MAX_OWN, MAX_LAYERS, MAX_ADVANCED = 2, 3, 2
SCREEN_REACH = 3.0
ADVANCED_SCREEN, PLAIN_AREA, ADVANCED_AREA = (
    "advanced-screen",
    "area-screen",
    "advanced-area-screen",
)
PROJECTORS = (PLAIN_AREA, ADVANCED_AREA)


@cache
def screen_levels(own: int, own_advanced: int, area: int, area_advanced: int) -> tuple[int, int]:
    """Return the levels that cover a ship, and how many of them are advanced.

    Its own screens count up to two levels, together with area screens up to three. The third level
    only prevents re-rolls (`engine.core.rolls`).

    Rules: Continuum "Area screens" 7.16 [pc.area-screens]; Continuum "Advanced screens" 7.3
    [pc.advanced-screens]
    """
    levels = min(min(own, MAX_OWN) + area, MAX_LAYERS)
    return levels, min(min(own_advanced, MAX_OWN) + area_advanced, MAX_ADVANCED)


def is_blurred(true_distance: float) -> bool:
    """Return whether a holofield affects fire at this distance in MU.

    Rules: Continuum "Holofield" 7.17 [pc.holofield]
    """
    return true_distance > CLEAR_WITHIN


def _share(points: int, halves: int) -> int:
    """Return this many halves of some points, rounded up."""
    return (points * halves + 1) // FULL_SHARE


def reflect(points: int, die: int) -> tuple[int, int]:
    """Return the points that the target takes, and those that return; halves are rounded up.

    Rules: Continuum "Reflex field" 7.25 [pc.reflex-field]
    """
    taken_halves, returned_halves = REFLEX[die]
    return _share(points, taken_halves), _share(points, returned_halves)


def hull_level(sheet: Sheet, damage: int) -> int:
    """Return the remaining level of a stealth hull.

    Level 1 is lost with the second row; level 2 loses one with the first row and one with the
    third.

    Rules: Continuum "Stealth hull" 7.4 [pc.stealth-hull]
    """
    ends = []
    for row in MARKERS[sheet.stealth]:
        if row <= len(sheet.rows):
            ends.append(sum(sheet.rows[:row]))
    return sheet.stealth - sum(damage >= end for end in ends)


def stealth_level(hull: int, fields: int, active: bool) -> int:
    """Return the stealth level of hull and working fields together.

    It is at most 2, and at most 1 while sensors scan actively.

    Rules: Continuum "Stealth fields" 7.5 [pc.stealth-field]
    """
    return min(hull + fields, 1 if active else MAX_STEALTH)


def effective_range(distance: float, stealth: int) -> float:
    """Return the distance in MU that counts for range bands at a stealthy target.

    Range bands shrink, so the distance grows instead.

    Rules: Continuum "Stealth hull" 7.4 [pc.stealth-hull]
    """
    part, whole = SHRINKS[stealth]
    return distance * whole / part


def shrink_range(reach: float, stealth: int) -> float:
    """Return a range in MU (a band, a lock-on radius) reduced by a level of stealth.

    Rules: Continuum 7.4 [pc.stealth-hull]
    """
    part, whole = SHRINKS[stealth]
    return reach * part / whole


def aiming_range(stealth: int) -> float:
    """Return the MU at which a ship with this level of stealth can aim its own weapons.

    Rules: Continuum 7.4 [pc.stealth-hull]
    """
    if stealth == MAX_STEALTH:
        return PASSIVE_REACH
    return FIRECON_REACH


def cloak_mode(type_: str, boxes: int) -> str:
    """Return how a cloak works with this many boxes left: DEVICE, FIELD, or "" for not at all.

    Rules: Continuum "Cloaking field" 7.21, "Tuffley cloak" 7.22 [pc.cloaks]
    """
    return WORKS_AS[type_][boxes]


def is_too_fast_to_cloak(velocity: int) -> bool:
    """Return whether a ship is too fast for a cloaking device.

    Rules: Continuum "Cloaking device" 7.20 [pc.cloaks]
    """
    return velocity > FASTEST
