"""The orders of a stop, read from the record of a battle.

Records name everything by its id and hold the orders of all sides (`engine.battle.orders_json`).
They were legal when they were given, so they are read without checking what a side may know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.continuum.boarding import ANY_SIDE
from engine.core.errors import RuleViolations
from engine.core.state import BattleState
from engine.core.terms import ADVANCED_SENSORS
from engine.core.versions import RANDOM_MOUNTS
from engine.notation.battles import fire_names_of
from engine.notation.fire import FireNames
from engine.notation.reading import Reader
from engine.order_requests.base import OrderRequest, TurnOrders
from engine.order_requests.board import BOARDER_REQUEST
from engine.order_requests.engage import FIRE_REQUEST
from engine.order_requests.order_of_others import ORDER_OF_OTHERS_REQUEST, OthersOrders
from engine.pieces.group import Group
from engine.sequences import asks_at


def read_recorded_orders(
    state: BattleState, inputs: Mapping[str, Any], pursue: Sequence[str]
) -> TurnOrders:
    """Return the orders of a stop.

    Args:
        state: The battle at that stop.
        inputs: What `orders_json` wrote.
        pursue: The names of the sides that pursue.

    Raises:
        RuleViolations: The record cannot be orders of this stop.
    """
    asks = asks_at(state)
    keys = {ask.key for ask in asks}
    is_by_request = len(asks) > 1 and set(inputs) <= keys
    by_request = dict(inputs) if is_by_request else {asks[0].key: inputs}
    reader = Reader()
    names = _names_of(state)
    orders = {}
    for ask in asks:
        logged = by_request.get(ask.key, {})
        orders[ask.key] = _read(ask, reader, logged, pursue, names=names, sides=state.sides)
    if reader.faults:
        raise RuleViolations(reader.faults)
    return TurnOrders(orders)


def _read(
    ask: OrderRequest[Any],
    reader: Reader,
    logged: Mapping[str, Any],
    pursue: Sequence[str],
    *,
    names: FireNames,
    sides: Sequence[str],
) -> Any:
    """Return the orders for one request. Three of them are recorded by side."""
    if ask is FIRE_REQUEST:
        return _read_fire(reader, logged, pursue, names, sides)
    if ask is BOARDER_REQUEST:
        boarders = BOARDER_REQUEST.no_orders()
        for ship, by_side in logged.items():
            for side, count in by_side.items():
                number = sides.index(side) if side else ANY_SIDE
                boarders[number, ship] = count
        return boarders
    if ask is ORDER_OF_OTHERS_REQUEST:
        standing = {}
        for side, order in logged.items():
            standing[sides.index(side)] = tuple(order)
        return OthersOrders(standing)
    return ask.parse(reader, {ask.key: logged}, "", names, sides)


def _read_fire(
    reader: Reader,
    logged: Mapping[str, Any],
    pursue: Sequence[str],
    names: FireNames,
    sides: Sequence[str],
) -> Any:
    """Return the fire of all sides; a side that ordered none is left out."""
    rows = []
    for side_rows in logged.values():
        rows += side_rows
    document: dict[object, object] = {FIRE_REQUEST.key: rows, "pursue": list(pursue)}
    read = FIRE_REQUEST.parse(reader, document, "", names, sides)
    ordering = {sides.index(side) for side in logged}
    return replace(read, fire={side: fire for side, fire in read.fire.items() if side in ordering})


def _names_of(state: BattleState) -> FireNames:
    """Return all ids that recorded orders may contain."""
    closed = ADVANCED_SENSORS in state.terms.options and state.terms.follows(RANDOM_MOUNTS)
    names = replace(fire_names_of(state.ships, closed_sheets=closed), sheets={})
    groups = dict(names.groups)
    for group in state.pieces_of(Group):
        groups[group.id] = state.ship_by_name(group.ship)
    targets = dict(names.targets)
    for piece in state.pieces:
        targets[piece.id] = piece.id
    bodies = () if state.set_up is None else tuple([body.id for body in state.set_up.bodies])
    return replace(names, groups=groups, targets=targets, bodies=bodies)
