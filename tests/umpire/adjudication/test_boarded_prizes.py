"""A ship that is boarded and taken in battle becomes a prize; boarders still aboard take nothing."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.rules.codec import decode, encode
from campaign.rules.world import World
from engine.battle import Battle, resolve_stop, start
from engine.core.dice import Dice, KeyedDice
from engine.core.kinds import CAPTURED
from engine.order_requests.base import TurnOrders
from tests.umpire.adjudication.test_core_damage import DUEL, HEX, WAR, world
from umpire.adjudication.battles import battle_result, battle_setup
from umpire.adjudication.week import resolve

pytestmark = pytest.mark.rule("pc.boarding", "camp.prizes")


def play_boarding(before: World, *, shot_up: bool) -> Battle:
    """Fight the duel in which the ESU has three marines aboard the NAC's cruiser, to its end or one
    turn.

    Args:
        shot_up: The cruiser has two boxes left.
    """
    document: dict[str, Any] = dict(battle_setup(WAR, before, DUEL, salt=b"salt"))
    document["options"] = [*document.get("options", ()), "boarding"]
    (esu, nac) = sorted(document["sides"], key=lambda side: str(side["name"]))
    boxes = start(document).state.ship_by_name("nac/s1").sheet.boxes
    nac["ships"][0] |= {
        "boarders": {esu["name"]: {"marines": 3}},
        "damage": boxes - 2 if shot_up else 0,
    }
    battle = start(document)
    while battle.turn == 1 and battle.state.stop != "over":
        battle, _ = resolve_stop(battle, TurnOrders(), Dice(3))
    return battle


def apply_result(before: World, ended: Battle) -> World:
    result = battle_result(WAR, before, DUEL, ended.to_json(), ended.winner, ended.turn)
    world_after = resolve(
        WAR, before, {}, {DUEL.key: result}, KeyedDice(b"x" * 32, ("battles",))
    ).world
    assert decode(World, encode(world_after)) == world_after
    return world_after


def test_boarding_takes_a_prize() -> None:
    before = world()
    battle = play_boarding(before, shot_up=True)
    assert battle.state.ship_by_name("nac/s1").status == CAPTURED
    assert battle.state.stop == "over"
    world_after = apply_result(before, battle)
    (prize,) = [ship for ship in world_after.ships if ship.laid_up]
    assert (prize.faction, prize.cls) == ("esu", "Warden Heavy Cruiser")
    assert next(fleet for fleet in world_after.fleets if fleet.key == prize.fleet).hex == HEX
    assert [(loss.ship.key, loss.cause) for loss in world_after.losses] == [("nac/s1", "captured")]
    assert "nac/s1" not in {ship.key for ship in world_after.ships}


def test_unfinished_boarding_takes_nothing() -> None:
    before = world()
    battle = play_boarding(before, shot_up=False)
    battle.state.stop = "over"
    world_after = apply_result(before, battle)
    assert [(ship.key, ship.faction, ship.laid_up) for ship in world_after.ships] == [
        ("esu/s1", "esu", False),
        ("nac/s1", "nac", False),
    ]
