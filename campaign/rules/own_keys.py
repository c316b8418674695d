"""Ids of a faction's fleets and ships on pages, and the faults of unknown keys.

A key of another faction's ship and one that does not exist get the same fault.
"""

from __future__ import annotations

from engine.core.errors import Violation
from engine.core.reason import reason


def unknown_ship(where: str, key: str) -> Violation:
    """Return the fault of a ship's key that the faction does not have."""
    return Violation(where, "unknown-ship", reason("you-no-ship", "you have no ship '{}'", key))


def unknown_fleet(where: str, key: str) -> Violation:
    """Return the fault of a fleet's key that the faction does not have."""
    return Violation(where, "unknown-fleet", reason("you-no-fleet", "you have no fleet '{}'", key))


def page_id(kind: str, key: object) -> str:
    """Return the id of a fleet or ship on a page: `fleet-nac-f1` for the fleet `nac/f1`."""
    return f"{kind}-{str(key).replace('/', '-')}"
