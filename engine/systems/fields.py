"""Fields of their own kind: holofields, which only near fire sees through, and reflex fields, which give fire back.

Rules: Continuum "Holofield" 7.17 [pc.holofield]; Continuum "Reflex field" 7.25 [pc.reflex-field]
"""

from __future__ import annotations

CLEAR_WITHIN = 6.0  # MU at and within which a holofield blurs nothing

# What a reflex field makes of the damage of energy weapons, by its die (place 0 is no die): the share the target takes
# and the share that goes back to whoever fired, in halves.
REFLEX: tuple[tuple[int, int], ...] = ((2, 0), (2, 0), (1, 0), (0, 0), (0, 0), (0, 1), (0, 2))
WHOLE = 2


def blurs(true_distance: float) -> bool:
    """Whether a holofield blurs fire over so many MU. Rules: Continuum "Holofield" 7.17 [pc.holofield]"""
    return true_distance > CLEAR_WITHIN


def _share(points: int, halves: int) -> int:
    return (points * halves + 1) // WHOLE


def reflect(points: int, die: int) -> tuple[int, int]:
    """What the target takes of so many points, and what goes back; halves are rounded up.

    Rules: Continuum "Reflex field" 7.25 [pc.reflex-field]
    """
    taken, returned = REFLEX[die]
    return _share(points, taken), _share(points, returned)
