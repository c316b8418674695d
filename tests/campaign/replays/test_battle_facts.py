"""What decided a battle, from the log of one side: losses by turn, turning point, best ship."""

from __future__ import annotations

from typing import Any

from campaign.replays.battle_facts import BattleFacts, ShipScore, ShipWorth, TurnLosses, facts_of
from engine.core.kinds import DESTROYED, HULK, ShipStatus

WORTHS = {
    "red/s1": ShipWorth(points=100, boxes=10, is_own=True),
    "red/s2": ShipWorth(points=60, boxes=6, is_own=True),
    "51a8": ShipWorth(points=80, boxes=8, is_own=False),
    "b74f": ShipWorth(points=40, boxes=0, is_own=False),
}


def shot(ship: str, target: str, hits: int) -> dict[str, Any]:
    return {
        "event": "shot",
        "turn": 1,
        "ship": ship,
        "weapon": "battery-1",
        "target": target,
        "range": 6.0,
        "arc": "F",
        "screens": 0,
        "dice": [4] * hits,
        "hits": hits,
    }


def damaged(ship: str, points: int) -> dict[str, Any]:
    return {
        "event": "damaged",
        "turn": 1,
        "ship": ship,
        "cause": "",
        "points": points,
        "total": points,
        "die": 0,
    }


def facts(*phases: tuple[int, list[dict[str, Any]], dict[str, ShipStatus]]) -> BattleFacts:
    return facts_of(
        [{"turn": turn, "log": log} for turn, log, _ in phases],
        WORTHS,
        [ends for _, _, ends in phases],
        {DESTROYED, HULK},
    )


def test_damage_and_losses_count_by_points_once() -> None:
    found = facts(
        (1, [shot("red/s1", "51a8", 4), damaged("51a8", 4), damaged("red/s2", 3)], {}),
        (2, [shot("red/s2", "51a8", 9), damaged("51a8", 9)], {"51a8": DESTROYED}),
        (2, [], {"51a8": DESTROYED, "b74f": HULK}),
    )
    assert found.turns == (
        TurnLosses(1, own=30, theirs=40),
        TurnLosses(2, own=0, theirs=80, their_ships=2),
    )
    assert found.turning_point == found.turns[1]
    assert (found.own_points, found.their_points) == (30, 120)


def test_best_ship_has_most_hits_and_own_craft_count_for_their_carrier() -> None:
    log = [shot("red/s1", "51a8", 3), shot("51a8", "red/s1", 8), shot("red/s2", "b74f", 3)]
    found = facts((1, log, {"b74f": DESTROYED}))
    assert found.best_ship == ShipScore("red/s2", hits=3, destroyed=1)
    assert facts((1, [shot("51a8", "red/s1", 8)], {})).best_ship is None
    assert facts((1, [], {})).turning_point is None
