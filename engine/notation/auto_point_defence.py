"""Reads which ships of a battle file start with automatic point defence.

The key is `officers`: true for all ships of a side, or a list of ship ids.

Rules: Continuum "Point defense" 8.8 [pc.point-defence]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.errors import fault_path
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.notation.reading import Reader
from engine.order_requests.auto_point_defence import AUTO_POINT_DEFENCE
from engine.ruleset import ruleset


def read_auto_point_defence(
    reader: Reader, document: Mapping[object, object], edition: str, ships: Sequence[ShipState]
) -> None:
    """Turn automatic point defence on for the ships that a battle file lists.

    Changes the ships in place. Faults go to the reader.
    """
    sides = document.get("sides")
    for number, side in enumerate(sides if isinstance(sides, list) else ()):
        if not isinstance(side, Mapping) or AUTO_POINT_DEFENCE not in side:
            continue
        where = f"{fault_path('sides', number)}.{AUTO_POINT_DEFENCE}"
        if not _has_point_defence_orders(edition):
            reader.fault(
                where,
                AUTO_POINT_DEFENCE,
                phrase("this edition has no point defence orders to automate"),
            )
            continue
        own_ships = {str(ship.id): ship for ship in ships if ship.owner == number}
        for name in _names(reader, side[AUTO_POINT_DEFENCE], where, own_ships):
            own_ships[name].write_fact(AUTO_POINT_DEFENCE, 1)


def _names(
    reader: Reader, value: object, where: str, own_ships: Mapping[str, ShipState]
) -> list[str]:
    """Return the ships of a side that a value names: all, none, or those of a list."""
    if isinstance(value, bool):
        return list(own_ships) if value else []
    if not isinstance(value, list):
        reader.fault(
            where,
            AUTO_POINT_DEFENCE,
            phrase("officers must be true, false or a list of the side's ships"),
        )
        return []
    names = []
    for row, name in enumerate(value):
        if isinstance(name, str) and name in own_ships:
            names.append(name)
        else:
            reader.fault(
                fault_path(where, row),
                "unknown-ship",
                phrase("this side has no ship with the id {!r}", name),
            )
    return names


def _has_point_defence_orders(edition: str) -> bool:
    """Return whether the edition asks ships for point defence orders."""
    for phase in ruleset(edition, ()).sequence.phases:
        if any(ask.key == AUTO_POINT_DEFENCE for ask in phase.asks):
            return True
    return False
