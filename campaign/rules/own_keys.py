"""Keys of a faction's own fleets and ships: their ids on pages, and the faults of keys that are not
its own.

A key of another faction's ship and one that does not exist get the same fault.
"""

from __future__ import annotations

from engine.core.errors import Violation
from engine.core.reason import reason


def unknown_ship(where: str, key: str) -> Violation:
    """The fault of a ship's key at that place."""
    return Violation(where, "unknown-ship", reason("you-no-ship", "you have no ship '{}'", key))


def unknown_fleet(where: str, key: str) -> Violation:
    """The fault of a fleet's key at that place."""
    return Violation(where, "unknown-fleet", reason("you-no-fleet", "you have no fleet '{}'", key))


def page_id(kind: str, key: object) -> str:
    """Return the id on a page of a fleet or ship: `fleet-nac-f1` for the fleet `nac/f1`."""
    return f"{kind}-{str(key).replace('/', '-')}"
