"""Defensive screens: one generator a level, each a system by itself, three at most."""

from __future__ import annotations

from engine.ruleset import SystemSpec

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
