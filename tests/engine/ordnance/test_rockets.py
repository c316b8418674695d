"""Rocket pods: fired at a ship in range, rolled for at once, intercepted like missiles, D3 each."""

from __future__ import annotations

from typing import Any

import pytest

from engine import stops
from engine.battle import Battle
from engine.captains.common.doctrine import Doctrine
from tests.engine.battle.table import replays
from tests.engine.defences.battles import facing, log_lines, play_turns, ship_of, start_battle
from tests.engine.ordnance.test_missiles import FORE, defend_with

POD = f"rocket-pod@{FORE}"
pytestmark = pytest.mark.rule("pc.rocket-pods")


def launch_pods(*pods: str, target: str = "b1", **more: Any) -> dict[str, Any]:
    return {"launch": {"r1": [{"weapon": pod, "target": target, **more} for pod in pods]}}


def faults(battle: Battle, orders: dict[str, Any]) -> list[tuple[str, str]]:
    _, violations = stops.read_orders(battle, 0, {"plot": {}, **orders})
    return [(fault.where, fault.code) for fault in violations]


@pytest.mark.parametrize(
    ("distance", "needed"), [(6.0, 2), (6.1, 3), (12.0, 3), (12.1, 4), (18.0, 4)]
)
def test_two_rockets_hit_by_range(distance: float, needed: int) -> None:
    dice = [needed, needed - 1]
    battle = play_turns(
        facing(POD, "", distance), launch_pods("rocket-pod-1"), to_hit=dice, damage=[6]
    )
    (line,) = log_lines(battle, "rockets-launched")
    assert (line["needed"], line["dice"], line["marker"]) == (needed, dice, "marker-1")
    assert [
        (entry["through"], entry["points"]) for entry in log_lines(battle, "ordnance-struck")
    ] == [(1, 3)]
    assert ship_of(battle, "b1").damage == 3
    assert ship_of(battle, "r1").stock[ship_of(battle, "r1").profile.index_of["rocket-pod-1"]] == 0


def test_missed_pod_leaves_no_marker_and_is_used_up() -> None:
    battle = play_turns(
        facing(POD, "", 18.0),
        launch_pods("rocket-pod-1"),
        launch_pods("rocket-pod-1"),
        to_hit=[3, 3],
    )
    assert [line["marker"] for line in log_lines(battle, "rockets-launched")] == [""]
    assert [line["reason_text"] for line in log_lines(battle, "shot-refused")] == [
        "it has already been fired"
    ]


def test_impossible_targets() -> None:
    battle = start_battle(facing(f"{POD} rocket-pod@A+AS+AP", "", 18.1))
    assert faults(battle, launch_pods("rocket-pod-1")) == [("launch.r1[0]", "launch")]
    near = start_battle(facing(f"{POD} rocket-pod@A+AS+AP", "", 12.0))
    assert faults(near, launch_pods("rocket-pod-1")) == []
    assert faults(near, launch_pods("rocket-pod-2")) == [("launch.r1[0]", "launch")]
    assert faults(near, launch_pods("rocket-pod-1", target="r1")) == [("launch.r1[0]", "launch")]
    assert faults(near, launch_pods("rocket-pod-1", target="x9")) == [
        ("launch.r1[0].target", "unknown-target")
    ]
    assert faults(near, {"launch": {"r1": [{"weapon": "rocket-pod-1", "at": [60, 40]}]}}) == [
        ("launch.r1[0]", "launch")
    ]


def test_no_firecon_is_needed() -> None:
    document = facing(POD, "", 6.0, r={"lost": ["firecon-1", "firecon-2"]})
    battle = start_battle(document)
    assert ship_of(battle, "r1").firecons == 0
    assert faults(battle, launch_pods("rocket-pod-1")) == []


def test_rockets_are_engaged_like_missiles_without_a_sure_hit() -> None:
    orders = launch_pods("rocket-pod-1") | defend_with(("pds-1", "marker-1"))
    battle = play_turns(
        facing(POD, "pds", 6.0), orders, to_hit=[2, 6], point_defence=[6], re_roll=[1]
    )
    assert [line["through"] for line in log_lines(battle, "ordnance-struck")] == [0]
    assert ship_of(battle, "b1").damage == 0


def test_each_hit_is_separate_and_advanced_screens_reduce_it() -> None:
    armoured = facing(POD, "", 6.0, b={"armour": [[9, 0]]})
    battle = play_turns(armoured, launch_pods("rocket-pod-1"), to_hit=[2, 2], damage=[5, 5])
    assert (ship_of(battle, "b1").armour, ship_of(battle, "b1").damage) == (((5, 0),), 2)
    screened = play_turns(
        facing(POD, "advanced-screen", 6.0),
        launch_pods("rocket-pod-1"),
        to_hit=[2, 2],
        damage=[1, 6],
    )
    assert [line["points"] for line in log_lines(screened, "ordnance-struck")] == [2]


def test_rockets_arrive_in_the_arc_of_their_launch() -> None:
    """b1 turns away from rockets fired at its bow: its guns astern do not bear on them."""
    fore, aft = "ads@FP+F+FS", "ads@AS+A+AP"
    document = facing(POD, f"{fore} {aft}", 12.0, b={"thrust": 6})
    orders = launch_pods("rocket-pod-1") | {"plot": {"b1": "S3"}}
    orders |= defend_with(("ads-2", "marker-1"))
    battle = play_turns(document, orders, to_hit=[3, 3], damage=[1, 1])
    (line,) = log_lines(battle, "rockets-launched")
    assert line["bearing"] == 12
    assert [entry["reason_text"] for entry in log_lines(battle, "shot-refused")] == [
        "it cannot fire toward where the attack comes from"
    ]
    ahead = (
        launch_pods("rocket-pod-1") | {"plot": {"b1": "S3"}} | defend_with(("ads-1", "marker-1"))
    )
    battle = play_turns(document, ahead, to_hit=[3, 3], point_defence=[4, 4])
    assert log_lines(battle, "shot-refused") == []
    assert replays(start_battle(document), battle)


def test_captains_fire_rockets_at_near_ships() -> None:
    near, far = (
        stops.advise(start_battle(facing(POD, "", distance)), 0, Doctrine(), "x").get("launch", {})
        for distance in (11.0, 17.0)
    )
    assert near == {"r1": [{"weapon": "rocket-pod-1", "target": "b1"}]}
    assert far == {}
