"""Results of battles by the later rulebook: crews mend, ions single out, cores explode, armour is a store."""

from __future__ import annotations

from typing import Any

import pytest

from engine.notation.battle_file import BattleFileDocument
from engine.notation.files import fixture_classes
from engine.table_results.entering import result_state
from engine.table_results.judging import faults

CLASSES = fixture_classes("continuum")


def table(foe: str = "Heavy Cruiser", options: tuple[str, ...] = (), **mine: Any) -> BattleFileDocument:
    ships: Any = [
        {"id": "n1", "class": "Heavy Cruiser", "at": [10, 10], "course": 3, "velocity": 4, **mine},
        {"id": "e1", "class": foe, "at": [40, 10], "course": 9, "velocity": 4},
    ]
    sides: Any = [{"name": "nac", "ships": ships[:1]}, {"name": "esu", "ships": ships[1:]}]
    return {"edition": "continuum", "table": [72, 48], "sides": sides, "options": list(options)}


def ended(**changed: Any) -> Any:
    whole: Any = {"status": "fighting", "damage": 0, "lost": []}
    return {"schema": 1, "turns": 5, "ships": {"n1": {**whole, **changed}, "e1": whole}}


def told(start: BattleFileDocument, **changed: Any) -> list[str]:
    return [fault.code for fault in faults(start, ended(**changed), CLASSES)]


@pytest.mark.rule("pc.damage-control")
def test_what_was_lost_before_the_battle_may_work_again_where_parties_may_repair() -> None:
    assert told(table(lost=["screen-1"])) == []
    assert told(table(lost=["screen-1"], options=("no-repairs",))) == ["lost-before"]


@pytest.mark.rule("pc.emp")
def test_a_system_is_lost_without_a_row_only_to_what_singles_systems_out() -> None:
    assert told(table(), lost=["screen-1"]) == ["lost-by-nothing"]
    assert told(table("Static Raider"), lost=["screen-1"]) == []
    assert told(table(options=("emergency-thrust",)), lost=["drive"]) == []
    assert told(table(options=("emergency-thrust",)), lost=["drive", "screen-1"]) == ["lost-by-nothing"]


@pytest.mark.rule("pc.core-systems")
def test_hulks_and_explosions_belong_to_core_systems() -> None:
    assert told(table(), status="hulk") == ["no-core-systems"]
    assert told(table(options=("core-systems",)), status="hulk") == []
    assert told(table(), status="destroyed", damage=9, how="exploded") == ["no-explosives"]
    assert told(table(options=("core-systems",)), status="destroyed", damage=9, how="exploded") == []


@pytest.mark.rule("pc.armour")
def test_armour_left_is_entered_like_any_store() -> None:
    assert told(table(), stock={"armour-1": 6}) == ["stock"]
    state, _, _ = result_state(table(), ended(stock={"armour-1": 2}), CLASSES)
    assert state["ships"]["n1"]["armour"] == [[2, 0]]
    assert state["ships"]["n1"]["stock"] == {"armour-1": 2}
