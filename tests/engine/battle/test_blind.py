"""A battle as one side knows it: same view, faults and advice, and nothing of what is hidden."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine import stops
from engine.battle import Battle, battle_from, start
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.known_battle import known_battle
from tests.engine.battle.table import classes
from tests.engine.battle.test_whole_battles import first_battle

pytestmark = pytest.mark.rule("2e.sensors")


def with_bogeys() -> dict[str, Any]:
    """Return the first battle with all ships unidentified, and neutral contact codes."""
    document: dict[str, Any] = json.loads(json.dumps(first_battle())) | {"bogeys": True}
    codes = iter(f"c{number * 7 % 31:02d}" for number in range(1, 30))
    for side in document["sides"]:
        for ship in side["ships"]:
            ship |= {"contact": next(codes), "label": "escort"}
    return document


def walk(battle: Battle, turns: int = 12) -> list[Battle]:
    """Yield the battle at every phase, as captains fight it."""
    dice, battles = Dice(11), []
    while battle.state.stop != "over" and battle.turn <= turns:
        battles.append(battle)
        orders = {
            side: stops.advise(battle, side, Doctrine(), "11")
            for side in stops.awaited_sides(battle)
        }
        battle, _ = stops.resolve_documents(battle, orders, dice, len(battles))
    return battles


@pytest.mark.parametrize("document", [first_battle(), with_bogeys()], ids=["open", "bogeys"])
def test_known_battle_gives_the_same_requests_and_advice(
    document: dict[str, Any],
) -> None:
    for battle in walk(start(document, classes())):
        for side in range(2):
            side_battle = battle_from(json.loads(json.dumps(known_battle(battle, side).to_json())))
            assert stops.side_view(side_battle, side) == stops.side_view(battle, side)
            advice = stops.advise(battle, side, Doctrine(), "3")
            assert stops.advise(side_battle, side, Doctrine(), "3") == advice
            for orders in (advice, *bad_orders(battle, side)):
                assert (
                    stops.read_orders(side_battle, side, orders)[1]
                    == stops.read_orders(battle, side, orders)[1]
                )


def bad_orders(battle: Battle, side: int) -> list[dict[str, Any]]:
    """Return orders that use every possible name, and demand too much."""
    names = [name for ship in battle.state.ships for name in (ship.id, ship.contact)]
    return [
        {"plot": dict.fromkeys(names, text)}
        for text in (
            "P9+9",
            "+1; ftl",
            "stay",
            f"scan {' '.join(names)}",
            f"ram {names[0]}",
            f"dock {names[-1]}",
        )
    ] + [
        {"engage": {name: [{"weapon": "battery-1", "target": other}]}}
        for name in names[:4]
        for other in names
    ]


def test_known_battle_has_nothing_of_unidentified_ships() -> None:
    battle = start(with_bogeys(), classes())
    for side in range(2):
        text = json.dumps(known_battle(battle, side).to_json())
        for ship in battle.state.ships:
            if ship.owner != side and ship.bogey:
                assert f'"{ship.id}"' not in text
                assert ship.contact in text
        class_names = {
            ship.sheet.cls for ship in known_battle(battle, side).state.ships if ship.owner != side
        }
        assert class_names == {"unidentified"}


def test_dummy_is_a_bogey_like_any_other() -> None:
    document = with_bogeys()
    true = start(document, classes())
    document["sides"][1]["ships"][0]["dummy"] = True
    false = start(document, classes())
    documents = [known_battle(battle, 0).to_json() for battle in (true, false)]
    assert documents[0] == documents[1]
    assert true.to_json() != false.to_json()
