"""Groups ships of a battle file that share the value of a key, such as a section or a stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.ship import ShipState
from engine.notation.reading import Reader, ship_entries

# (side, name): (place in the file, ship).
ShipsByKey = dict[tuple[int, str], list[tuple[str, ShipState]]]


def ships_by_key(
    reader: Reader, document: Mapping[object, object], key: str, ships: Sequence[ShipState]
) -> ShipsByKey:
    """Return the ships of each side by the name under `key`, in file order.

    Faults go to the reader.
    """
    by_id: dict[str, ShipState] = {ship.id: ship for ship in ships}
    result: ShipsByKey = {}
    for spot, item in ship_entries(document):
        if key not in item:
            continue
        name = reader.text(item, key, spot)
        ship = by_id.get(str(item.get("id")))
        if ship is not None and name:
            result.setdefault((ship.owner, name), []).append((spot, ship))
    return result
