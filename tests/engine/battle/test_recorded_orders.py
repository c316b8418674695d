"""What is recorded of a battle's orders is enough to fight it again, without its captains."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.battle import Battle, ResolvedStop, fight, start
from engine.core.dice import KeyedDice
from engine.core.state import OVER
from engine.core.versions import NEWEST
from engine.order_requests.base import TurnOrders
from engine.recorded_orders import read_recorded_orders
from engine.sequences import resolve_orders
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
            state, read_recorded_orders(state, stop.inputs, stop.pursue), dice, events.append
        )
        while state.stop not in (OVER, stop.after.stop):
            state = resolve_orders(state, TurnOrders(), dice, events.append)
        assert [event.to_json() for event in events] == [event.to_json() for event in stop.events]
