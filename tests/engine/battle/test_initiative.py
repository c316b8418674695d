"""The winner of the initiative decides in which order the other sides act."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine import stops
from engine.battle import Battle, battle_from, start
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.core.state import ENGAGE
from engine.documents import replay
from engine.known_battle import known_battle
from engine.order_requests.order_of_others import may_order_others
from engine.view.side_log import side_log
from tests.engine.battle import table
from tests.engine.battle.table import events_of, scripted
from tests.engine.guns.duels import play, ship

pytestmark = pytest.mark.rule("pc.initiative-order")

TARGETS = {"a1": "b1", "b1": "c1", "c1": "a1"}


def three_sides(**more: Any) -> dict[str, Any]:
    """Return three sides of a ship each, all with a target in range and in arc."""
    places = (("a", 60, 12), ("b", 64, 12), ("c", 62, 6))
    sides = [
        {
            "name": name,
            "ships": [ship(f"{name}1", x, 64 if name == "c" else 60, "beam:1@ALL", course)],
        }
        for name, x, course in places
    ]
    return {"edition": "continuum", "table": [120, 120], "sides": sides, **more}


def everyone_fires() -> dict[str, Any]:
    return {name: [{"weapon": "beam-1", "target": target}] for name, target in TARGETS.items()}


def fire_order(battle: Battle) -> list[tuple[str, ...]]:
    return [event.order for event in events_of(battle, "initiative")]


@pytest.mark.parametrize(
    ("chosen", "rules", "dice", "order"),
    [
        ({"b": ["a", "c"]}, "1.1", [3, 5, 4], ("b", "a", "c")),
        ({"b": ["a", "c"]}, "1.0", [3, 5, 4], ("b", "c", "a")),
        ({"a": ["c", "b"]}, "1.1", [3, 5, 4], ("b", "c", "a")),  # a did not win
        ({}, "1.1", [3, 5, 4], ("b", "c", "a")),
        ({"b": ["a"]}, "1.1", [3, 5, 4], ("b", "c", "a")),  # not all others: dice
        (
            {"b": ["a", "c"]},
            "1.1",
            [3, 6, 3],
            ("b", "a", "c"),
        ),  # the tie of the others is not rolled
        ({"b": ["a", "c"]}, "1.1", [6, 6, 3, 1, 2], ("b", "a", "c")),  # a tie of the winners is
    ],
)
def test_winner_decides_the_order_of_the_others(
    chosen: dict[str, list[str]], rules: str, dice: list[int], order: tuple[str, ...]
) -> None:
    turn = {"initiative": chosen, "engage": everyone_fires()}
    battle = play(three_sides(rules=rules), [turn], initiative=dice, beam=[1] * 3, arc=[1] * 3)
    assert fire_order(battle) == [order]


def test_choice_of_one_turn_does_not_stay() -> None:
    first = {"initiative": {"b": ["a", "c"]}, "engage": everyone_fires()}
    second = {"engage": everyone_fires()}
    battle = play(
        three_sides(), [first, second], initiative=[3, 5, 4] * 2, beam=[1] * 6, arc=[1] * 6
    )
    assert fire_order(battle) == [("b", "a", "c"), ("b", "c", "a")]


def test_unknown_winner_is_a_fault() -> None:
    document = three_sides(turns=[{"initiative": {"x": ["a", "c"], "a": 3}, "lets": []}])
    with pytest.raises(RuleViolations) as refused:
        start(document)
    faults = {(fault.where, fault.code) for fault in refused.value.violations}
    assert faults == {
        ("turns[0].initiative.x", "unknown-side"),
        ("turns[0].initiative.a", "not-a-list"),
        ("turns[0].lets", "unknown-key"),
    }


def at_engage(**more: Any) -> Battle:
    battle = start(three_sides(**more))
    while battle.state.stop != ENGAGE:
        battle, _ = stops.resolve_documents(battle, {}, Dice(1))
    return battle


def test_standing_order_stays_and_only_its_side_knows_it() -> None:
    battle = at_engage()
    dice = scripted(initiative=[3, 5, 4], beam=[1] * 3, arc=[1] * 3)
    orders: dict[int, Any] = {}
    for side, name in enumerate(TARGETS):
        orders[side] = {"engage": {name: everyone_fires()[name]}}
    orders[1]["lets"] = ["a", "c"]
    after, stop = stops.resolve_documents(battle, orders, dice)
    assert fire_order(after) == [("b", "a", "c")]
    told = [
        [line["order"] for line in side_log(stop.events, stop.before, side)
         if line["event"] == "order-of-others"]
        for side in range(3)
    ]  # fmt: skip
    assert told == [[], [["a", "c"]], []]
    assert replay(stop.before, stop.events).lets == {1: ("a", "c")}
    again = battle_from(json.loads(json.dumps(after.to_json())))
    assert [known_battle(again, side).state.lets for side in range(3)] == [{}, {1: ("a", "c")}, {}]


def test_captain_lets_the_largest_foe_act_last() -> None:
    document = three_sides()
    first = document["sides"][0]["ships"][0]
    document["sides"][0]["ships"].append({**first, "id": "a2", "at": [58, 60]})
    battle = start(document)
    while battle.state.stop != ENGAGE:
        battle, _ = stops.resolve_documents(battle, {}, Dice(1))
    for side, order in ((1, ["c", "a"]), (2, ["b", "a"])):
        advice: Any = stops.advise(battle, side, Doctrine(), "seed")
        assert advice["lets"] == order
    assert "lets" not in stops.advise(at_engage(rules="1.0"), 1, Doctrine(), "seed")


@pytest.mark.parametrize(
    ("lets", "more", "code"),
    [
        (["a"], {}, "lets"),
        (["a", "a"], {}, "lets"),
        (["a", "c"], {"rules": "1.0"}, "lets"),
        ("a", {}, "not-a-list"),
        ([], {}, ""),
        (["c", "a"], {}, ""),
    ],
)
def test_standing_order_names_all_others(lets: object, more: dict[str, Any], code: str) -> None:
    _, faults = stops.read_orders(at_engage(**more), 1, {"engage": {}, "lets": lets})
    assert [(fault.where, fault.code) for fault in faults] == ([("lets", code)] if code else [])


def test_second_edition_has_no_order_of_the_others() -> None:
    sides = [[table.gunship(name, 10 * n, 20, "A")] for n, name in enumerate("rbg")]
    assert not may_order_others(start(table.setup(*sides)).state)
    assert may_order_others(start(three_sides()).state)
