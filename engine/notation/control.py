"""Orders at damage control, by ship: `{"repairs": [{"system": "firecon-1", "parties": 2}], "dump": true}`.

Rules: Continuum "Damage control parties" 10.4 [pc.damage-control]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.errors import place
from engine.core.orders import Control, Repair
from engine.notation.reading import Reader

CONTROL_KEYS = ("repairs", "dump", "abandon")
REPAIR_KEYS = ("system", "parties")


def read_control(reader: Reader, data: object, where: str, ships: Mapping[str, Any]) -> dict[str, Control]:
    """Damage control by ship (`ships`: those that take orders); every fault goes to the reader."""
    if not isinstance(data, Mapping):
        reader.fault(where, "not-a-mapping", 'damage control is {"repairs": [{system, parties}]} by ship')
        return {}
    orders: dict[str, Control] = {}
    for name, item in data.items():
        spot = f"{where}.{name}"
        if name not in ships:
            reader.fault(spot, "unknown-ship", f"no ship has the id '{name}'")
        elif not isinstance(item, Mapping):
            reader.fault(spot, "not-a-mapping", "a ship's damage control has repairs, and may say dump or abandon")
        else:
            reader.keys(item, CONTROL_KEYS, spot)
            repairs = _repairs(reader, item, spot)
            orders[name] = Control(repairs, reader.flag(item, "dump", spot), reader.flag(item, "abandon", spot))
    return orders


def _repairs(reader: Reader, item: Mapping[object, object], where: str) -> tuple[Repair, ...]:
    found = []
    for number, job in enumerate(reader.items(item, "repairs", where, default=())):
        spot = f"{where}.{place('repairs', number)}"
        if not isinstance(job, Mapping):
            reader.fault(spot, "not-a-mapping", "a repair is {system, parties}")
            continue
        reader.keys(job, REPAIR_KEYS, spot)
        found.append(Repair(reader.text(job, "system", spot), reader.number(job, "parties", spot)))
    return tuple(found)
