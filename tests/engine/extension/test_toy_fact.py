"""A new fact about a ship needs one declared field, and is then found everywhere.

That is on the sheet, in its own side's view and log, and in the battle's document; other sides see
it where it is marked open, and nowhere else.
"""

# ruff: noqa: RUF009 -- `fact` declares a field

from __future__ import annotations

import ast
import json
from dataclasses import dataclass, fields
from pathlib import Path

import pytest

from engine.battle import Battle, start
from engine.core import notes, ship_facts
from engine.core.dice import Dice
from engine.core.facts import fact, facts_of
from engine.core.ship import ShipState
from engine.core.ship_facts import ShipRecord, ThisTurn
from engine.core.table import Table
from engine.documents import state_document, state_from
from engine.events.event import Event, Open
from engine.known_battle import known_battle
from engine.notation.files import fixture_classes
from engine.stops import side_view
from engine.view.side_log import side_log
from tools.generate import parse_module

OWN, FOE = 0, 1
ENGINE = Path(ship_facts.__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Record(ShipRecord):
    """Facts that last, with two more."""

    battle_flags: Open[int] = fact(0, phrases=("hoists {value} battle flags", "strikes its flags"))
    stowaways: int = fact(0)  # without a mark


@dataclass(frozen=True, slots=True)
class Turn(ThisTurn):
    """Facts that end with the turn, with one more."""

    whistles: Open[bool] = fact(False)


@pytest.fixture
def battle(monkeypatch: pytest.MonkeyPatch) -> Battle:
    monkeypatch.setattr(ship_facts, "ShipRecord", Record)
    monkeypatch.setattr(ship_facts, "ThisTurn", Turn)
    monkeypatch.setattr(ship_facts, "BLANK_RECORD", Record())
    monkeypatch.setattr(ship_facts, "BLANK_TURN", Turn())
    ships = {
        "red": [
            {
                "id": "r",
                "class": "Heavy Cruiser",
                "at": [10, 24],
                "course": 3,
                "velocity": 6,
                "contact": "R",
            }
        ],
        "blue": [
            {
                "id": "b",
                "class": "Heavy Cruiser",
                "at": [65, 24],
                "course": 9,
                "velocity": 6,
                "contact": "B",
            }
        ],
    }
    sides = [{"name": name, "ships": entries} for name, entries in ships.items()]
    return start({"edition": "continuum", "sides": sides}, fixture_classes("continuum"))


def test_new_fact_is_one_field(battle: Battle) -> None:
    before, events = battle.state.copy(), []

    def hear(event: Event) -> None:
        events.append(event)

    ship = battle.state.ship_by_name("r")
    table = Table(battle.state, Dice(1), hear)
    for name, number in (("battle-flags", 3), ("stowaways", 2), ("whistles", 1)):
        notes.write_fact(table, ship, name, number)

    facts = {"battle-flags": 3, "stowaways": 2, "whistles": 1}
    assert side_view(battle, OWN)["own"]["r"]["notes"] == facts
    stored = json.dumps(state_document(battle.state))
    assert json.dumps(state_document(state_from(json.loads(stored)))) == stored
    assert state_from(json.loads(stored)).ship_by_name("r").facts() == facts

    lines = [line for line in side_log(events, before, FOE) if line["ship"] == "R"]
    assert [(line["note"], line["value"]) for line in lines] == [
        ("battle-flags", 3),
        ("whistles", 1),
    ]
    assert len(side_log(events, before, OWN)) == 3
    assert side_view(battle, FOE)["contacts"][0]["notes"] == {"battle-flags": 3, "whistles": 1}
    assert "stowaways" not in json.dumps(side_view(battle, FOE)) + json.dumps(
        known_battle(battle, FOE).to_json()
    )

    for event in events:
        event.apply(before)
    assert before.ship_by_name("r").facts() == facts
    battle.state.end_turn()
    assert ship.facts() == {"battle-flags": 3, "stowaways": 2}


def test_every_stored_fact_is_declared() -> None:
    names = []
    for path in ENGINE.rglob("*.py"):
        for node in ast.walk(parse_module(path)):
            if not isinstance(node, ast.Call):
                continue
            method = isinstance(node.func, ast.Attribute)
            name = (
                node.func.attr
                if isinstance(node.func, ast.Attribute)
                else getattr(node.func, "id", "")
            )
            if name in ("write_fact", "tell_fact"):
                argument = node.args[0 if method else 2]
                names += [argument.value] if isinstance(argument, ast.Constant) else []
    assert len(names) > 15
    assert set(names) <= {*facts_of(ShipRecord), *facts_of(ThisTurn)}


def test_facts_are_never_kept_in_a_dictionary() -> None:
    types = [str(field.type) for field in fields(ShipState)]
    assert len(types) > 20
    assert [field for field in types if "dict" in field or "Mapping" in field] == []
