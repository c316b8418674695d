"""Which ship a fault belongs to, in orders that name several."""

from __future__ import annotations

import re

_SHIP = re.compile(r"^ships\[([0-9]+)\]")


def named_ship(item: object, rest: str) -> object:
    """Return the ship at the place `ships[n]` of a stored order, or None for another place."""
    match = _SHIP.match(rest)
    ships = item.get("ships") if isinstance(item, dict) else None
    if match is None or not isinstance(ships, list) or int(match[1]) >= len(ships):
        return None
    found: object = ships[int(match[1])]
    return found
