"""Stealth: hulls and fields that shorten the range bands of whoever fires at them.

Rules: Continuum "Stealth hull" 7.4, "Stealth fields" 7.5 [pc.stealth-hull]
"""

from __future__ import annotations

from engine.core.sheet import Sheet

MOST = 2  # levels that hull and fields make together

# What a range band shrinks to, by level: (5, 6) is five sixths. Whoever measures a range counts it as so much longer.
SHRINKS: tuple[tuple[int, int], ...] = ((1, 1), (5, 6), (2, 3))

# Rows of hull (from 1) that each cost a level of a stealth hull once they are gone, by the level it was built with.
MARKERS: dict[int, tuple[int, ...]] = {0: (), 1: (2,), 2: (1, 3)}

# MU out to which FireCons aim; so near only while a ship keeps level 2 by using its sensors passively.
FIRECON_REACH, PASSIVE_REACH = 54.0, 24.0


def hull_level(sheet: Sheet, damage: int) -> int:
    """The level a stealth hull has left: level 1 goes with its second row, level 2 with its first and its third.

    Rules: Continuum "Stealth hull" 7.4 [pc.stealth-hull]
    """
    ends = [sum(sheet.rows[:row]) for row in MARKERS[sheet.stealth] if row <= len(sheet.rows)]
    return sheet.stealth - sum(damage >= end for end in ends)


def level(hull: int, fields: int, active: bool) -> int:
    """What hull and working fields make together: 2 at most, and no more than 1 while sensors scan actively.

    Rules: Continuum "Stealth fields" 7.5 [pc.stealth-field]
    """
    return min(hull + fields, 1 if active else MOST)


def seems(distance: float, stealth: int) -> float:
    """The MU that count for range bands at a target of a level of stealth: bands shrink, so the distance grows.

    Rules: Continuum "Stealth hull" 7.4 [pc.stealth-hull]
    """
    part, whole = SHRINKS[stealth]
    return distance * whole / part


def shrunk(reach: float, stealth: int) -> float:
    """A reach in MU (a band, a lock-on radius) against a level of stealth. Rules: Continuum 7.4 [pc.stealth-hull]"""
    part, whole = SHRINKS[stealth]
    return reach * part / whole


def aims_to(stealth: int) -> float:
    """MU out to which a ship of a level of stealth aims its own weapons. Rules: Continuum 7.4 [pc.stealth-hull]"""
    return PASSIVE_REACH if stealth == MOST else FIRECON_REACH
