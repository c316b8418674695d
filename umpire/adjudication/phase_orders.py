"""The orders of factions in a phase of a battle: combined by side, and their legal part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from engine.battle import Battle
from engine.core.errors import StoredFault, Violation, faults_stored
from engine.core.orders import OrdersDocument
from engine.sequences import asks_at
from engine.stops import read_orders


def merge_by_side(
    engine_battle: Battle, sides: Sequence[Sequence[str]], sealed: Mapping[str, Mapping[str, Any]]
) -> dict[int, OrdersDocument]:
    """Combine the orders of factions by side."""
    by_side = []
    for factions in sides:
        by_side.append([sealed[key] for key in factions if key in sealed])
    result: dict[int, Any] = {}
    for ask in asks_at(engine_battle.state):
        for side, entries in enumerate(by_side):
            if entries:
                result.setdefault(side, {}).update(ask.merge_allies(entries))
    return result


def valid_part(
    engine_battle: Battle, side: int, document: Mapping[str, Any]
) -> tuple[OrdersDocument, list[StoredFault]]:
    """Return the part of a side's orders that is legal, and the faults of the rest.

    Ships with illegal orders hold.
    """
    _, faults = read_orders(engine_battle, side, document)
    if not faults:
        return cast(OrdersDocument, dict(document)), []
    entries = [ask.key for ask in asks_at(engine_battle.state)]
    rest = {}
    for key, value in document.items():
        if key not in entries and not _faults(engine_battle, side, {key: value}):
            rest[key] = value
    valid = {}
    for index, entry in enumerate(entries):
        if index == 0 or entry in document:  # the first entry is always given
            orders = document.get(entry, {})
            valid[entry] = _valid_entry(engine_battle, side, entry, orders)
    return cast(OrdersDocument, valid | rest), faults_stored(faults)


def _valid_entry(engine_battle: Battle, side: int, entry: str, orders: Any) -> Any:
    """Return the legal part of an entry, given by ship or as rows of [ship, orders]."""
    if isinstance(orders, Mapping):
        result = {}
        for name, ship_orders in orders.items():
            if not _faults(engine_battle, side, {entry: {name: ship_orders}}):
                result[name] = ship_orders
        return result
    valid, names = [], []
    for row in orders:
        if not _faults(engine_battle, side, {entry: [row]}) and row[0] not in names:
            valid.append(row)
            names.append(row[0])
    return valid


def _faults(engine_battle: Battle, side: int, document: Mapping[str, Any]) -> tuple[Violation, ...]:
    """Return the faults of a side's orders."""
    return read_orders(engine_battle, side, document)[1]
