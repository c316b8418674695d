"""Returning fighters: landing, room in the bays, lost bays, and the end of a battle."""

from __future__ import annotations

from typing import Any

import pytest

from engine import stops
from engine.battle import Battle
from tests.engine.battle.carriers import craft, deck, resolve_next, start_in_flight, stock, strike
from tests.engine.battle.table import events_of, gunship, setup

pytestmark = pytest.mark.rule("2e.fighters")


def faults(battle: Battle, side: int, document: dict[str, Any]) -> list[str]:
    return [fault.message for fault in stops.read_orders(battle, side, document)[1]]


def test_group_lands_on_a_steady_ship_one_per_turn() -> None:
    red = deck("r1", 20, 60, 3, bays=6, velocity=4)
    battle = start_in_flight(
        setup([red], [deck("b1", 100, 60)]),
        ("r1/fighter-bay-1", 30, 60, 3, 4),
        ("r1/fighter-bay-2", 30, 64, 3, 6),
        stop="plot",
    )
    moved = resolve_next(battle)
    both = {"fighters": {"r1/fighter-bay-1": "land r1", "r1/fighter-bay-2": "land r1"}}
    assert faults(moved, 0, both) == ["r1/fighter-bay-2: r1 can recover only one group a turn"]
    after = resolve_next(moved, both)
    assert craft(after) == {"r1/fighter-bay-2": 6}
    assert stock(after, "r1") == [4, 0, 6, 6, 6, 6]
    assert events_of(after, "recovered")[0].craft == 4
    swerved = resolve_next(battle, {"plot": {"r1": "S1"}})
    assert "r1 changed its course or velocity this turn" in faults(swerved, 0, both)[0]
    assert craft(resolve_next(swerved, both)) == craft(battle)


def test_craft_use_other_bays_one_by_one() -> None:
    red = deck(
        "r1",
        30,
        60,
        3,
        bays=3,
        lost=["fighter-bay-1"],
        stock={"fighter-bay-2": 4, "fighter-bay-3": 3},
    )
    battle = start_in_flight(
        setup([red], [deck("b1", 100, 60)]), ("r1/fighter-bay-1", 32, 60, 3, 6)
    )
    after = resolve_next(battle, {"fighters": {"r1/fighter-bay-1": "land r1"}})
    assert stock(after, "r1") == [0, 6, 6]
    assert craft(after) == {"r1/fighter-bay-1": 1}
    assert (
        "no free bay"
        in faults(after_engage(after), 0, {"fighters": {"r1/fighter-bay-1": "land r1"}})[0]
    )


def after_engage(battle: Battle) -> Battle:
    """Return the same table one turn later, when fighters need orders again."""
    return resolve_next(resolve_next(battle))


def test_six_bays_less_two_hold_four_groups() -> None:
    """The worked example: two of six bays are lost while all six groups fly, so two cannot land."""
    names = [f"r1/fighter-bay-{n}" for n in range(1, 7)]
    red = deck("r1", 30, 60, 3, bays=6, lost=["fighter-bay-2", "fighter-bay-5"])
    battle = start_in_flight(
        setup([red], [deck("b1", 100, 60)]), *((name, 32.0, 60.0, 3, 6) for name in names)
    )
    for name in names:
        battle = resolve_next(battle, {"fighters": {name: "land r1"}})
        battle = resolve_next(resolve_next(battle)) if battle.state.stop == "engage" else battle
    assert stock(battle, "r1") == [6, 0, 6, 6, 0, 6]
    assert craft(battle) == {"r1/fighter-bay-5": 6, "r1/fighter-bay-6": 6}


@pytest.mark.rule("2e.thresholds")
def test_lost_bay_loses_the_craft_aboard_only() -> None:
    red = deck("r1", 30, 60, 12, bays=2, mass=40)  # 20 boxes in rows of 5
    document = setup([red], [gunship("b1", 30, 70, "AA", 6)])
    battle = start_in_flight(document, ("r1/fighter-bay-1", 60, 60, 3, 6), stop="engage")
    shot = {
        "engage": {
            "b1": [{"weapon": "battery-1", "target": "r1"}, {"weapon": "battery-2", "target": "r1"}]
        }
    }
    after = resolve_next(battle, shot, beam=[6, 6, 4, 1, 1, 1], threshold=[6, 6, 1, 1, 1, 1, 1])
    assert events_of(after, "threshold")[0].lost == ("fighter-bay-1", "fighter-bay-2")
    assert stock(after, "r1") == [0, 0]
    assert craft(after) == {"r1/fighter-bay-1": 6}


def test_groups_return_at_the_end_and_others_are_lost() -> None:
    red = [
        deck("r1", 20, 20, bays=1, lost=["fighter-bay-1"]),
        deck("r2", 20, 30, bays=1, stock={"fighter-bay-1": 1}),
    ]
    document = setup(red, [deck("b1", 60, 66, damage=49, bays=1)])
    battle = start_in_flight(
        document,
        ("r1/fighter-bay-1", 60, 60, 12, 6),
        ("b1/fighter-bay-1", 90, 90, 12, 5),
        stop="engage",
    )
    after = resolve_next(
        battle, {"engage": {"r1/fighter-bay-1": strike("b1")}}, fighter=[6, 1, 1, 1, 1, 1]
    )
    assert (after.state.stop, after.winner) == ("over", "red")
    assert craft(after) == {}
    assert (stock(after, "r1"), stock(after, "r2")) == ([0], [6])
    assert [(e.group, e.craft, e.cause) for e in events_of(after, "craft-lost")] == [
        ("r1/fighter-bay-1", 1, "no-bay"),
        ("b1/fighter-bay-1", 5, "no-bay"),
    ]
    final = after.to_json()["ships"]
    assert final["r1"]["stock"] == {"fighter-bay-1": 0}
    assert "stock" not in final["r2"]
