"""A battle played stop by stop through documents, as people do online."""

from __future__ import annotations

import json

import pytest

from engine import stops
from engine.asks.engage import ENGAGEMENTS
from engine.battle import Battle, battle_from, start
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from tests.engine.battle.table import classes, gunship, setup
from tests.engine.battle.test_whole_battles import first_battle


def begun() -> Battle:
    return start(first_battle(), classes())


def test_captains_advice_is_orders_that_can_be_read_and_resolved_to_the_end() -> None:
    battle, dice = begun(), Dice(7)
    seen: list[str] = []
    while battle.state.stop != "over" and battle.turn <= 40:
        documents = {
            side: stops.advise(battle, side, Doctrine(), "7") for side in stops.waiting(battle)
        }
        documents = json.loads(json.dumps(documents))
        battle = battle_from(json.loads(json.dumps(battle.to_json())))
        battle, stop = stops.resolve(
            battle, {int(side): document for side, document in documents.items()}, dice, len(seen)
        )
        seen.append(stop.kind)
    assert battle.state.stop == "over"
    assert seen[:4] == ["plot", "plot", "engage", "plot"], (
        "nobody is asked to fire while nothing is in reach"
    )
    assert battle.winner in ("nac", "esu", None)


def test_all_faults_of_a_side_are_named_at_once_with_their_places() -> None:
    battle = begun()
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
        stops.resolve(battle, {0: {"plot": {"n1": "P5"}}}, Dice(1))
    assert battle.to_json() == before


def test_foreign_ships_are_named_by_contact_alone() -> None:
    document = setup([gunship("r1", 10, 10, "A")], [gunship("b1", 10, 20, "A", contact="x7")])
    battle, _ = stops.resolve(start(document, classes()), {}, Dice(1))
    mine, target = document["sides"][0]["ships"][0]["id"], document["sides"][1]["ships"][0]["id"]
    by_contact = {"engage": {mine: [{"weapon": "battery-1", "target": "x7"}]}}
    by_id = {"engage": {mine: [{"weapon": "battery-1", "target": target}]}}
    orders, faults = stops.read_orders(battle, 0, by_contact)
    assert faults == ()
    assert orders is not None
    assert orders.of(ENGAGEMENTS).fire[0][0][1][0].targets == (target,)
    assert [fault.code for fault in stops.read_orders(battle, 0, by_id)[1]] == ["unknown-target"]


def test_a_battle_that_is_over_waits_for_nobody() -> None:
    battle = begun()
    battle.state.stop = "over"
    assert stops.waiting(battle) == ()
    with pytest.raises(ValueError, match="over"):
        stops.resolve(battle, {}, Dice(1))
