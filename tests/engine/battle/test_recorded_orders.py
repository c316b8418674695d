"""What is recorded of a battle's orders is enough to fight it again, without its captains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.battle import Battle, ResolvedStop, fight, start
from engine.core.dice import KeyedDice
from engine.core.state import OVER, BattleState
from engine.core.terms import ADVANCED_SENSORS
from engine.core.versions import NEWEST, RANDOM_MOUNTS
from engine.notation.battles import fire_names_of
from engine.notation.fire import FireNames
from engine.notation.reading import Reader
from engine.order_requests.base import TurnOrders
from engine.order_requests.board import BOARDER_REQUEST
from engine.order_requests.engage import FIRE_REQUEST
from engine.order_requests.order_of_others import ORDER_OF_OTHERS_REQUEST, OthersOrders
from engine.pieces.group import Group
from engine.sequences import asks_at, resolve_orders
from engine.stops import awaited_sides, resolve_documents
from tests.engine.frozen.fighting import TURNS, Case, cases, document, is_placed_by_sides
from tests.engine.frozen.making import Document
from tests.engine.frozen.ordering import Orderer

# With pursuits, fighters, boarders, launches, places of a set-up and orders that are refused.
BATTLES = (
    "second-edition/orders-132",
    "core-rules/captains-1",
    "shuttles/captains-4",
    "carriers/captains-14",
    "placing/captains-1",
    "officers/orders-4",
)


def read_record(state: BattleState, inputs: Mapping[str, Any], pursue: Sequence[str]) -> TurnOrders:
    """Return the orders of a stop from its record."""
    asks = asks_at(state)
    keys = {ask.key for ask in asks}
    by_request = dict(inputs) if len(asks) > 1 and set(inputs) <= keys else {asks[0].key: inputs}
    reader = Reader()
    names = _names(state)
    orders: dict[str, Any] = {}
    for ask in asks:
        logged = by_request.get(ask.key, {})
        if ask is FIRE_REQUEST:
            rows = [row for side in logged.values() for row in side]
            read = FIRE_REQUEST.parse(
                reader, {"engage": rows, "pursue": list(pursue)}, "", names, state.sides
            )
            given = {state.sides.index(side) for side in logged}
            fire = {side: rows for side, rows in read.fire.items() if side in given}
            orders[ask.key] = replace(read, fire=fire)
        elif ask is BOARDER_REQUEST:
            merged = BOARDER_REQUEST.no_orders()
            for ship, by_side in logged.items():
                for side, count in by_side.items():
                    number = state.sides.index(side) if side else -1
                    merged[number, ship] = count
            orders[ask.key] = merged
        elif ask is ORDER_OF_OTHERS_REQUEST:
            standing = {state.sides.index(side): tuple(order) for side, order in logged.items()}
            orders[ask.key] = OthersOrders(standing)
        else:
            orders[ask.key] = ask.parse(reader, {ask.key: logged}, "", names, state.sides)
    assert reader.faults == [], reader.faults
    return TurnOrders(orders)


def _names(state: BattleState) -> FireNames:
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


def battle_file(name: str) -> tuple[Case, Document]:
    """Return a battle of the frozen battery, by the newest rules."""
    (case,) = [case for case in cases() if case.name == name]
    return case, {**document(case), "rules": NEWEST}


def fought(name: str, dice: KeyedDice) -> tuple[Battle, list[ResolvedStop]]:
    """Return a battle of the frozen battery before its first stop, and its stops."""
    case, file = battle_file(name)
    battle = start(file, None, dice, asks_set_up=is_placed_by_sides(case))
    stops: list[ResolvedStop] = []
    if case.captains:
        fight(battle, {}, dice, name, TURNS, stops.append)
        return battle, stops
    first = battle
    orderer = Orderer(Random(name), file)
    while battle.state.stop != OVER and battle.turn <= TURNS:
        orders = {side: orderer.orders(battle, side) for side in awaited_sides(battle)}
        battle, stop = resolve_documents(battle, orders, dice)
        stops.append(stop)
    return first, stops


@pytest.mark.parametrize("name", BATTLES)
def test_battle_is_fought_again_from_its_record(name: str) -> None:
    first, stops = fought(name, KeyedDice(b"recorded", [name]))
    dice = KeyedDice(b"recorded", [name])
    case, file = battle_file(name)
    battle = start(file, None, dice, asks_set_up=is_placed_by_sides(case))
    assert battle.to_json() == first.to_json()
    state = battle.state
    for stop in stops:
        events: list[Any] = []
        state = resolve_orders(
            state, read_record(state, stop.inputs, stop.pursue), dice, events.append
        )
        while state.stop not in (OVER, stop.after.stop):
            state = resolve_orders(state, TurnOrders(), dice, events.append)
        assert [event.to_json() for event in events] == [event.to_json() for event in stop.events]
