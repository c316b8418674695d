"""Faults of orders that name a ship or a fleet by a key which is none of the faction's own, said alike for what is
another's and for what does not exist.
"""

from __future__ import annotations

from engine.core.errors import Violation
from engine.core.phrase import phrase


def unknown_ship(where: str, key: str) -> Violation:
    """The fault of a ship's key at that place."""
    return Violation(where, "unknown-ship", phrase("you have no ship '{}'", key))


def unknown_fleet(where: str, key: str) -> Violation:
    """The fault of a fleet's key at that place."""
    return Violation(where, "unknown-fleet", phrase("you have no fleet '{}'", key))
