"""A battle played phase by phase through documents, as people do online."""

from __future__ import annotations

import json

import pytest

from engine import stops
from engine.battle import Battle, battle_from, start
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.order_requests.engage import FIRE_REQUEST
from tests.engine.battle.table import classes, gunship, setup
from tests.engine.battle.test_whole_battles import first_battle


def start_first_battle() -> Battle:
    return start(first_battle(), classes())


def test_captain_advice_is_valid_to_the_end() -> None:
    battle, dice = start_first_battle(), Dice(7)
    stop_names: list[str] = []
    while battle.state.stop != "over" and battle.turn <= 40:
        documents = {
            side: stops.advise(battle, side, Doctrine(), "7")
            for side in stops.awaited_sides(battle)
        }
        documents = json.loads(json.dumps(documents))
        battle = battle_from(json.loads(json.dumps(battle.to_json())))
        battle, stop = stops.resolve_documents(
            battle,
            {int(side): document for side, document in documents.items()},
            dice,
            len(stop_names),
        )
        stop_names.append(stop.kind)
    assert battle.state.stop == "over"
    assert stop_names[:4] == ["plot", "plot", "engage", "plot"], (
        "nobody is asked to fire while nothing is in reach"
    )
    assert battle.winner in ("nac", "esu", None)


def test_all_faults_of_a_side_are_named_with_their_places() -> None:
    battle = start_first_battle()
    orders, faults = stops.read_orders(
        battle, 0, {"plot": {"n1": "P5", "e1": "+2", "n2": "what"}, "engage": {}}, "mine"
    )
    assert orders is None
    assert sorted((fault.where, fault.code) for fault in faults) == [
        ("mine.engage", "unknown-key"),
        ("mine.plot.e1", "unknown-ship"),
        ("mine.plot.n1", "plot-impossible"),
        ("mine.plot.n2", "plot-unknown"),
    ]
    before = battle.to_json()
    with pytest.raises(RuleViolations, match=r"n1"):
        stops.resolve_documents(battle, {0: {"plot": {"n1": "P5"}}}, Dice(1))
    assert battle.to_json() == before


def test_foreign_ships_are_named_by_contact() -> None:
    document = setup([gunship("r1", 10, 10, "A")], [gunship("b1", 10, 20, "A", contact="x7")])
    battle, _ = stops.resolve_documents(start(document, classes()), {}, Dice(1))
    mine, target = document["sides"][0]["ships"][0]["id"], document["sides"][1]["ships"][0]["id"]
    by_contact = {"engage": {mine: [{"weapon": "battery-1", "target": "x7"}]}}
    by_id = {"engage": {mine: [{"weapon": "battery-1", "target": target}]}}
    orders, faults = stops.read_orders(battle, 0, by_contact)
    assert faults == ()
    assert orders is not None
    assert orders.of(FIRE_REQUEST).fire[0][0][1][0].targets == (target,)
    assert [fault.code for fault in stops.read_orders(battle, 0, by_id)[1]] == ["unknown-target"]


def test_finished_battle_waits_for_nobody() -> None:
    battle = start_first_battle()
    battle.state.stop = "over"
    assert stops.awaited_sides(battle) == ()
    with pytest.raises(ValueError, match="over"):
        stops.resolve_documents(battle, {}, Dice(1))
