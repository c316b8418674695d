"""Defensive screens: one generator a level, each a system by itself; those of Continuum may cover friends nearby."""

from __future__ import annotations

from engine.pricelists.ware import SystemSpec

SCREENS = (SystemSpec("screen", "", "Screen generator", 3, 25, "2e.screens", most=3, civil=True, most_on_merchant=1),)

HIGHEST_LEVEL = 3

# Damage points of a beam die against each level of screens; place 0 is no die.
BEAM_POINTS: tuple[tuple[int, ...], ...] = (
    #  1  2  3  4  5  6
    (0, 0, 0, 0, 1, 1, 2),  # unscreened
    (0, 0, 0, 0, 0, 1, 2),  # level 1
    (0, 0, 0, 0, 0, 1, 1),  # level 2
    (0, 0, 0, 0, 0, 0, 1),  # level 3
)


def beam_points(level: int) -> tuple[int, ...]:
    """Damage points by beam die through screens of a level (0 to 3). Rules: 2E "Defensive screens" [2e.screens]"""
    return BEAM_POINTS[level]


# Continuum: levels of a ship's own screens that count, levels of all screens around it, how many of them weaken dice of
# damage (advanced ones), and MU from a projector of area screens to whoever it covers.
MOST_OWN, MOST_LAYERS, MOST_ADVANCED = 2, 3, 2
AREA_REACH = 3.0
ADVANCED_SCREEN, PLAIN_AREA, ADVANCED_AREA = "advanced-screen", "area-screen", "advanced-area-screen"
PROJECTORS = (PLAIN_AREA, ADVANCED_AREA)


def layers(own: int, own_advanced: int, area: int, area_advanced: int) -> tuple[int, int]:
    """Levels that cover a ship, and how many of them are advanced: its own up to two, with area screens up to three.

    The third level only stops re-rolls (`engine.core.rolls`).
    Rules: Continuum "Area screens" 7.16 [pc.area-screens]; Continuum "Advanced screens" 7.3 [pc.advanced-screens]
    """
    levels = min(min(own, MOST_OWN) + area, MOST_LAYERS)
    return levels, min(min(own_advanced, MOST_OWN) + area_advanced, MOST_ADVANCED)
