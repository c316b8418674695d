"""Captains of Continuum: legal orders with any weapon, reproducible, and sensible."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine import stops
from engine.battle import begin, fight, start
from engine.captains.common.doctrine import STYLES, TARGETS, Doctrine
from engine.core.dice import Dice
from engine.known_battle import known_battle
from engine.notation.battles import read_battle
from engine.view.worded_log import worded_line
from tests.engine.battle.test_anything_continuum import battle as any_battle

# What a captain cannot foresee when ordering fire: ships destroyed before another ship's turn, with
# effects on FireCons, turrets and sensors set to the next in the list; boarders already sent by
# another weapon.
UNFORESEEN = (
    *("no target", "within 15 degrees of the bow", "all working FireCons", "its turret is trained"),
    *(
        "none of its ship's sensors",
        "it has nobody left",
        "it has no marines left",
        "it does not find its target",
    ),
)


def doctrine(luck: Random) -> Doctrine:
    return Doctrine(
        range=luck.choice([None, 12]), targets=luck.choice(TARGETS), break_off=luck.choice([100, 60, 30]),
        flee=luck.random() < 0.1, style=STYLES[0],
    )  # fmt: skip


@pytest.mark.rule("pc.sequence")
@pytest.mark.parametrize("seed", range(8))
def test_captains_give_valid_orders_in_random_battles(seed: int) -> None:
    luck = Random(seed)
    file = read_battle(any_battle(luck), {})
    doctrines = {side: doctrine(luck) for side in file.state.sides}
    ended = fight(begin(file), doctrines, Dice(seed), str(seed), 12)
    assert not [event.to_json() for event in ended.events if event.kind == "order-refused"]
    refused = [
        worded_line(event.to_json()) for event in ended.events if event.kind == "shot-refused"
    ]
    assert not [line for line in refused if not line["reason_text"].startswith(UNFORESEEN)]


@pytest.mark.parametrize("seed", range(100, 104))
def test_advice_is_valid_and_depends_only_on_the_sides_view(
    seed: int,
) -> None:
    luck = Random(seed)
    battle = begin(read_battle(any_battle(luck), {}))
    captain_doctrine = doctrine(luck)
    dice = Dice(seed)
    for number in range(12):
        documents = {}
        for side in stops.awaited_sides(battle):
            documents[side] = stops.advise(battle, side, captain_doctrine, "seed")
            assert documents[side] == stops.advise(battle, side, captain_doctrine, "seed")
            assert documents[side] == stops.advise(
                known_battle(battle, side), side, captain_doctrine, "seed"
            )
            assert stops.read_orders(battle, side, documents[side])[1] == ()
        if not documents:
            break
        battle, _ = stops.resolve_documents(battle, documents, dice, number)


@pytest.mark.rule("pc.squadrons")
@pytest.mark.parametrize("break_off", [100, 1])
def test_squadron_is_led_by_plots_that_all_can_follow(break_off: int) -> None:
    """A fast leader and a slow ship are in formation, and the captain that takes over gives legal
    orders.
    """
    fleet = [("b0", 6, 40), ("b1", 2, 38), ("b2", 4, 42)]
    sides = [
        {"name": "blue", "ships": [_ship(name, thrust, [30, y], 3) for name, thrust, y in fleet]},
        {"name": "red", "ships": [_ship("r0", 4, [60, 30], 9)]},
    ]
    battle = start({"edition": "continuum", "table": [96, 80], "seed": 1, "sides": sides})
    dice = Dice(1)
    joined: dict[int, Any] = {0: {"plot": {"b1": "squadron b0", "b2": "squadron b0"}}}
    captain_doctrine = Doctrine(break_off=break_off)
    log_lines = []
    while battle.turn <= 5 and battle.state.stop != "over":
        turn_orders = joined if battle.turn == 1 and battle.state.stop == "plot" else {}
        for side in stops.awaited_sides(battle):
            turn_orders = {
                side: stops.advise(battle, side, captain_doctrine, "seed"),
                **turn_orders,
            }
            assert stops.read_orders(battle, side, turn_orders[side])[1] == ()
        battle, stop = stops.resolve_documents(battle, turn_orders, dice)
        log_lines += [event.to_json() for event in stop.events]
    assert [line["reason_text"] for line in log_lines if line["event"] == "order-refused"] == []
    led = [line["ship"] for line in log_lines if line["event"] == "squadron"]
    assert led[:2] == ["b1", "b2"]
    moved = {
        line["ship"]: line["path"]
        for line in log_lines
        if line["event"] == "moved" and line["turn"] == 2
    }
    if break_off == 100:
        assert led == ["b1", "b2"], "nobody leaves"
        assert moved["b0"][0] != moved["b0"][-1]


def _ship(name: str, thrust: int, at: list[int], course: int) -> dict[str, Any]:
    design = {
        "class": f"Of thrust {thrust}", "edition": "continuum", "kind": "warship", "mass": 40, "thrust": thrust,
        "hull": {"boxes": 10, "rows": 4}, "ftl": "none",
        "systems": [{"type": "firecon"}, {"type": "beam", "class": 2, "arcs": ["FP", "F", "FS"]}],
    }  # fmt: skip
    return {"id": name, "at": at, "course": course, "velocity": 6, "design": design}
