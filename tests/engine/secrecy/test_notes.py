"""Facts, marks and magazine contents of a ship that red may not look into."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.battle import start
from engine.core.facts import FactKind, facts_of
from engine.core.ship_facts import ShipRecord, ThisTurn, find_fact
from engine.known_battle import known_battle
from engine.notation.files import fixture_classes
from engine.stops import side_view

RED, BLUE = 0, 1
NAMES = (*facts_of(ShipRecord), *facts_of(ThisTurn))
OPEN = tuple(name for name in NAMES if find_fact(name).is_open)
VISIBLE = (
    *OPEN,
    "decloaked-turn",
)  # a ship just out of a cloaking field hides its velocity, visibly
SECRET = tuple(name for name in NAMES if name not in VISIBLE)
SAMPLES: dict[FactKind, Any] = {
    FactKind.NUMBER: 1,
    FactKind.FLAG: True,
    FactKind.SYSTEMS: frozenset({"beam-2-1"}),
    FactKind.BY_SYSTEM: {"beam-2-1": 1},
    FactKind.BY_LAYER: {0: 1},
    FactKind.PLACE: (3.0, 4.0),
    FactKind.SHIP: "b",
}


def battle(**more: Any) -> Any:
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
                "class": "Prism Cruiser",
                "at": [65, 24],
                "course": 9,
                "velocity": 6,
                "contact": "B",
            }
        ],
    }
    sides = [{"name": name, "ships": entries} for name, entries in ships.items()]
    return start({"edition": "continuum", "sides": sides, **more}, fixture_classes("continuum"))


def battle_with_fact(name: str, **more: Any) -> Any:
    """Return a battle with a fact on blue's ship."""
    world, fact = battle(**more), find_fact(name)
    ship, value = world.state.ship("b"), {fact.field: SAMPLES[fact.kind]}
    if name in facts_of(ThisTurn):
        ship.this_turn = ship.this_turn.with_values(**value)
    else:
        ship.record = ship.record.with_values(**value)
    assert ship.facts()
    return world


def red_readings(world: Any) -> str:
    """Return all that red sees, with its captains' advice and its orders' faults."""
    return json.dumps([side_view(world, RED), known_battle(world, RED).to_json()])


@pytest.mark.rule("pc.open-book")
@pytest.mark.parametrize("name", SECRET)
def test_private_note_is_read_by_its_side_only(name: str) -> None:
    assert red_readings(battle()) == red_readings(battle_with_fact(name))


@pytest.mark.rule("pc.open-book")
@pytest.mark.parametrize("name", OPEN)
def test_public_note_is_read_once_the_ship_is_identified(
    name: str,
) -> None:
    for bogeys in (False, True):
        assert (
            red_readings(battle(bogeys=bogeys))
            == red_readings(battle_with_fact(name, bogeys=bogeys))
        ) is bogeys


@pytest.mark.rule("pc.open-book")
def test_bogey_hides_armour_damage_stock_and_systems() -> None:
    first, second = battle(bogeys=True), battle(bogeys=True)
    ship = second.state.ship("b")
    ship.armour, ship.damage = ((0, 1),), 9
    ship.alive = [0 for _ in ship.alive]
    ship.recompute()
    assert red_readings(first) == red_readings(second)
    assert red_readings(battle()) != red_readings(first)
