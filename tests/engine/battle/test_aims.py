"""The victory conditions of a battle, as far as captains and players may know them."""

from __future__ import annotations

import json

import pytest

from engine import stops
from engine.battle import battle_from
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.known_battle import known_battle
from tests.engine.battle.test_scenarios import start_scenario


@pytest.mark.rule("2e.convoy-990")
def test_aim_advice_uses_only_known_facts() -> None:
    battle, dice = start_scenario("convoy-990"), Dice(3)
    while battle.state.stop != "over" and battle.turn <= 8:
        advice = {
            side: stops.advise(battle, side, Doctrine(), "3")
            for side in stops.awaited_sides(battle)
        }
        for side, document in advice.items():
            side_battle = battle_from(json.loads(json.dumps(known_battle(battle, side).to_json())))
            assert stops.advise(side_battle, side, Doctrine(), "3") == document
        battle, _ = stops.resolve_documents(battle, advice, dice)
    assert battle.turn > 4
