"""Ships of a battle file that go together because one of their keys says the same: sections of a
whole, a stand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.ship import ShipState
from engine.notation.reading import Reader, ship_entries

ShipsByKey = dict[
    tuple[int, str], list[tuple[str, ShipState]]
]  # by side and name: places in the file, and ships


def ships_by_key(
    reader: Reader, document: Mapping[object, object], key: str, ships: Sequence[ShipState]
) -> ShipsByKey:
    """The ships of each side whose `key` names the same, in file order; faults of the names go to
    the reader.
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
