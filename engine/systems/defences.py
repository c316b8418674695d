"""Defences as systems: screens, holofields and reflex fields, stealth, cloaks.

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
from engine.prices.system_price import SystemSpec

SCREENS = (
    SystemSpec(
        "screen",
        "",
        phrase("Screen generator"),
        3,
        25,
        "2e.screens",
        most=3,
        civil=True,
        most_on_merchant=1,
    ),
)

HIGHEST_SCREEN = 3

# Damage points of a beam die against each level of screens; place 0 is no die.
BEAM_POINTS: tuple[tuple[int, ...], ...] = (
    #  1  2  3  4  5  6
    (0, 0, 0, 0, 1, 1, 2),  # unscreened
    (0, 0, 0, 0, 0, 1, 2),  # level 1
    (0, 0, 0, 0, 0, 1, 1),  # level 2
    (0, 0, 0, 0, 0, 0, 1),  # level 3
)

CLEAR_WITHIN = 6.0  # MU at and within which a holofield blurs nothing

# What a reflex field makes of the damage of energy weapons, by its die (place 0 is no die): the
# share the target takes and the share that goes back to whoever fired, in halves.
REFLEX: tuple[tuple[int, int], ...] = ((2, 0), (2, 0), (1, 0), (0, 0), (0, 0), (0, 1), (0, 2))
FULL_SHARE = 2
REFLEX_BURNS = 5  # the die from which craft that hit burn in what comes back

MOST_STEALTH = 2  # levels that hull and fields make together

# What a range band shrinks to, by level: (5, 6) is five sixths. Whoever measures a range counts it
# as so much longer.
SHRINKS: tuple[tuple[int, int], ...] = ((1, 1), (5, 6), (2, 3))

# Rows of hull (from 1) that each cost a level of a stealth hull once they are gone, by the level it
# was built with.
MARKERS: dict[int, tuple[int, ...]] = {0: (), 1: (2,), 2: (1, 3)}

# MU out to which FireCons aim; so near only while a ship keeps level 2 by using its sensors
# passively.
FIRECON_REACH, PASSIVE_REACH = 54.0, 24.0

FASTEST = 24  # velocity above which a cloaking device hides nothing
FARTHER = 2.0  # a ship under a cloaking device seems so many times as far away
CLOAK_MODIFIER = -2  # to every die at it, re-rolls too

# How a cloak hides its ship.
DEVICE, FIELD = CloakKind

# How each cloak works with so many of its boxes left (place 0: none); a damaged cloaking field
# still makes a device.
WORKS_AS: dict[str, tuple[str, ...]] = {
    "cloaking-device": ("", DEVICE),
    "cloaking-field": ("", DEVICE, FIELD),
    "tuffley-cloak": ("", FIELD),
}
CLOAKS = tuple(WORKS_AS)


def beam_points(level: int) -> tuple[int, ...]:
    """Damage points by beam die through screens of a level (0 to 3).

    Rules: 2E "Defensive screens" [2e.screens]
    """
    return BEAM_POINTS[level]


# Continuum: levels of a ship's own screens that count, levels of all screens around it, how many of
# them weaken dice of damage (advanced ones), and MU from a projector of area screens to whoever it
# covers.
MOST_OWN, MOST_LAYERS, MOST_ADVANCED = 2, 3, 2
SCREEN_REACH = 3.0
ADVANCED_SCREEN, PLAIN_AREA, ADVANCED_AREA = (
    "advanced-screen",
    "area-screen",
    "advanced-area-screen",
)
PROJECTORS = (PLAIN_AREA, ADVANCED_AREA)


@cache
def screen_levels(own: int, own_advanced: int, area: int, area_advanced: int) -> tuple[int, int]:
    """Levels that cover a ship, and how many of them are advanced: its own up to two, with area
    screens up to three.

    The third level only stops re-rolls (`engine.core.rolls`).
    Rules: Continuum "Area screens" 7.16 [pc.area-screens]; Continuum "Advanced screens" 7.3
    [pc.advanced-screens]
    """
    levels = min(min(own, MOST_OWN) + area, MOST_LAYERS)
    return levels, min(min(own_advanced, MOST_OWN) + area_advanced, MOST_ADVANCED)


def is_blurred(true_distance: float) -> bool:
    """Whether a holofield blurs fire over so many MU.

    Rules: Continuum "Holofield" 7.17 [pc.holofield]
    """
    return true_distance > CLEAR_WITHIN


def _share(points: int, halves: int) -> int:
    return (points * halves + 1) // FULL_SHARE


def reflect(points: int, die: int) -> tuple[int, int]:
    """The points of so many that the target takes, and those that go back; halves are rounded up.

    Rules: Continuum "Reflex field" 7.25 [pc.reflex-field]
    """
    taken_halves, returned_halves = REFLEX[die]
    return _share(points, taken_halves), _share(points, returned_halves)


def hull_level(sheet: Sheet, damage: int) -> int:
    """The level a stealth hull has left: level 1 goes with its second row, level 2 with its first
    and its third.

    Rules: Continuum "Stealth hull" 7.4 [pc.stealth-hull]
    """
    ends = [sum(sheet.rows[:row]) for row in MARKERS[sheet.stealth] if row <= len(sheet.rows)]
    return sheet.stealth - sum(damage >= end for end in ends)


def stealth_level(hull: int, fields: int, active: bool) -> int:
    """The level of stealth of hull and working fields together: 2 at most, and no more than 1 while
    sensors scan actively.

    Rules: Continuum "Stealth fields" 7.5 [pc.stealth-field]
    """
    return min(hull + fields, 1 if active else MOST_STEALTH)


def effective_range(distance: float, stealth: int) -> float:
    """The MU that count for range bands at a target of a level of stealth: bands shrink, so the
    distance grows.

    Rules: Continuum "Stealth hull" 7.4 [pc.stealth-hull]
    """
    part, whole = SHRINKS[stealth]
    return distance * whole / part


def shrink_range(reach: float, stealth: int) -> float:
    """A reach in MU (a band, a lock-on radius) against a level of stealth.

    Rules: Continuum 7.4 [pc.stealth-hull]
    """
    part, whole = SHRINKS[stealth]
    return reach * part / whole


def aiming_range(stealth: int) -> float:
    """MU out to which a ship of a level of stealth aims its own weapons.

    Rules: Continuum 7.4 [pc.stealth-hull]
    """
    return PASSIVE_REACH if stealth == MOST_STEALTH else FIRECON_REACH


def cloak_mode(type_: str, boxes: int) -> str:
    """The kind of a cloak with so many boxes left: DEVICE, FIELD, or not at all.

    Rules: Continuum "Cloaking field" 7.21, "Tuffley cloak" 7.22 [pc.cloaks]
    """
    return WORKS_AS[type_][boxes]


def is_too_fast_to_cloak(velocity: int) -> bool:
    """Whether a ship is too fast for a cloaking device.

    Rules: Continuum "Cloaking device" 7.20 [pc.cloaks]
    """
    return velocity > FASTEST
