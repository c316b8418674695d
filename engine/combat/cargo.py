"""Spaces for cargo, passengers and troops: which are crossed off, and what share of a ship's room is left.

Rules: Continuum "Cargo and passenger space" 10.6 [pc.cargo]
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

from engine.core.sheet import Fit
from engine.core.ship import ShipState

# Of each kind as many are crossed off as fail a check, the largest first; whatever was in one is gone.
SPACES = ("hold", "passengers", "troops")
CARGO = ("hold", "passengers")  # what a merchant's load is in


def crossed_off(ship: ShipState, failed: Sequence[int]) -> list[int]:
    """What a check loses (places in `fits`, in canonical order): what failed, but of each kind of space as many as
    failed, the largest first.

    Rules: Continuum "Cargo and passenger space" 10.6 [pc.cargo]
    """
    fits = ship.sheet.fits
    lost = [index for index in failed if fits[index].type not in SPACES]
    for type_ in SPACES:
        gone = sum(fits[index].type == type_ for index in failed)
        left = [index for index in ship.rig.places.get(type_, ()) if ship.alive[index]]
        lost += sorted(left, key=lambda index: (-fits[index].size, index))[:gone]
    return sorted(lost)


def room_left(fits: Sequence[Fit], lost: Collection[str]) -> Fraction | None:
    """The share of a ship's room for cargo and passengers that is left without its lost systems, None without any.

    Rules: Continuum "Cargo and passenger space" 10.6 [pc.cargo]
    """
    rooms = [(fit.id, fit.size) for fit in fits if fit.type in CARGO]
    whole = sum(size for _, size in rooms)
    return Fraction(sum(size for name, size in rooms if name not in lost), whole) if whole else None
