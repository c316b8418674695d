"""Battles of a campaign use the moving table: ships that leave over one edge disengage."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import start
from engine.combat.disengaging import disengage
from engine.core.dice import ScriptedDice
from engine.core.kinds import RETURNING, Edge
from engine.core.table import Table
from engine.events.event import Event
from engine.notation.battle_file import BattleFileDocument
from engine.notation.files import fixture_classes
from tests.umpire.adjudication.test_battles import DUEL, FIELD, duel
from umpire.adjudication.battles import battle_result, battle_setup


def set_up() -> BattleFileDocument:
    return battle_setup(FIELD, duel(), DUEL, salt=b"secret")


@pytest.mark.rule("2e.moving-table")
@pytest.mark.rule("camp.battle")
def test_campaign_battle_uses_a_moving_table() -> None:
    assert set_up()["options"] == ["moving-table"]


@pytest.mark.rule("2e.moving-table")
@pytest.mark.rule("camp.battle")
@pytest.mark.parametrize(("dice", "outcome"), [([6, 1], "away"), ([1, 6], "let-go")])
def test_ship_leaving_over_an_edge_has_not_jumped(dice: list[int], outcome: str) -> None:
    document: Any = set_up()
    for side in document["sides"]:
        keys_copied = ("id", "at", "course", "velocity", "contact", "dummy")
        side["ships"] = [
            {"class": "Light Cruiser", **{key: ship[key] for key in keys_copied if key in ship}}
            for ship in side["ships"]
        ]
    battle = start(document, fixture_classes("second-edition"))
    red = battle.state.sides.index("red")
    for ship in battle.state.ships:
        if ship.owner == red:
            ship.status, ship.due, ship.edge = RETURNING, 9, Edge.LEFT
    events: list[Event] = []
    disengage(Table(battle.state, ScriptedDice({"disengage": dice}), events.append, turn=3), ())
    assert [event.to_json()["outcome"] for event in events] == [outcome]
    result = battle_result(FIELD, duel(), DUEL, battle.to_json(), "blue", 3)
    assert {end.status for end in result.ships if end.ship.startswith("red/")} == {"left"}
