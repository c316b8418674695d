"""The sequence of a turn: movement before fire, sides alternate, all shots of a ship before damage."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import RuleViolations
from tests.engine.battle.table import at, events_of, fire, gunship, play, setup

pytestmark = pytest.mark.rule("2e.sequence")


def volley(*names: str) -> list[dict[str, Any]]:
    return [{"weapon": "battery-1", "target": list(names)}]


def line(prefix: str, count: int, y: float, course: int) -> list[dict[str, Any]]:
    return [gunship(f"{prefix}{n}", 60 + n, y, "C", course) for n in range(1, count + 1)]


def order_of(battle: Any) -> list[str]:
    return [shot.ship for shot in events_of(battle, "shot")]


def test_side_with_more_ships_fires_first_and_sides_alternate() -> None:
    document = setup(line("r", 2, 60, 12), line("b", 3, 66, 6))
    turn = {
        "engage": {
            **{f"r{n}": volley("b1") for n in (1, 2)},
            **{f"b{n}": volley("r1") for n in (1, 2, 3)},
        }
    }
    assert order_of(play(document, [turn], beam=[1] * 5)) == ["b1", "r1", "b2", "r2", "b3"]


def test_equal_numbers_roll_initiative_and_ties_again() -> None:
    document = setup(line("r", 1, 60, 12), line("b", 1, 66, 6))
    turn = {"engage": {"r1": volley("b1"), "b1": volley("r1")}}
    battle = play(document, [turn], initiative=[4, 4, 2, 5], beam=[1, 1])
    assert order_of(battle) == ["b1", "r1"]
    assert events_of(battle, "initiative")[0].rolls == (
        ("red", 4),
        ("blue", 4),
        ("red", 2),
        ("blue", 5),
    )


def test_no_initiative_with_fire_of_one_side_only() -> None:
    document = setup(line("r", 1, 60, 12), line("b", 1, 66, 6))
    assert order_of(play(document, [{"engage": {"r1": volley("b1")}}], beam=[1])) == ["r1"]


def test_no_initiative_without_targets_for_the_other_side() -> None:
    document = setup(line("r", 1, 60, 12), line("b", 1, 66, 12))
    battle = play(document, [{"engage": {"r1": volley("b1"), "b1": volley("r1")}}], beam=[1])
    assert order_of(battle) == ["r1"]


def test_list_gives_the_order_of_a_sides_ships() -> None:
    document = setup(line("r", 3, 60, 12), line("b", 1, 66, 6))
    turn = {"engage": [["r3", volley("b1")], ["r1", volley("b1")]]}
    assert order_of(play(document, [turn], beam=[1, 1])) == ["r3", "r1"]


def test_destroyed_ship_does_not_fire() -> None:
    red = line("r", 2, 60, 12)
    document = setup(red, [gunship("b1", 61, 66, "C", 6, mass=4, thrust=0, ftl="none", damage=1)])
    battle = play(
        document,
        [{"engage": {"r1": volley("b1"), "b1": volley("r1"), "r2": volley("b1")}}],
        beam=[4],
    )
    assert at(battle, "b1").status == "destroyed"
    assert order_of(battle) == ["r1"]
    assert battle.winner == "red"


def test_first_valid_target_of_a_list_is_taken() -> None:
    weak = [gunship("b1", 60, 66, "C", 6, mass=4, damage=1), gunship("b2", 61, 66, "C", 6)]
    document = setup(line("r", 2, 60, 12), weak)
    battle = play(
        document, [{"engage": {"r1": volley("b1", "b2"), "r2": volley("b1", "b2")}}], beam=[5, 5]
    )
    assert [shot.target for shot in events_of(battle, "shot")] == ["b1", "b2"]


def test_all_announced_shots_are_rolled_before_damage() -> None:
    shooter = gunship("r1", 60, 60, "CC")
    weak = gunship("b1", 60, 66, "C", 6, mass=4, damage=1)
    turn = {"engage": {"r1": fire(("battery-1", "b1"), ("battery-2", "b1"))}}
    battle = play(setup([shooter], [weak, gunship("b2", 61, 66, "C", 6)]), [turn], beam=[6, 6])
    assert [event.kind for event in battle.events if event.kind in ("shot", "damaged")] == [
        "shot",
        "shot",
        "damaged",
    ]
    assert at(battle, "b2").damage == 0


def test_movement_precedes_fire() -> None:
    document = setup([gunship("r1", 60, 20, "C", 12, velocity=20)], [gunship("b1", 60, 50, "C", 6)])
    battle = play(document, [{"engage": {"r1": volley("b1")}}], beam=[4])
    assert events_of(battle, "shot")[0].range == 10.0


def test_three_sides_alternate_by_number() -> None:
    document = setup(line("r", 1, 60, 12), line("b", 3, 66, 6), line("g", 2, 63, 6))
    turn = {
        "engage": {"r1": volley("b1"), "b1": volley("r1"), "g1": volley("r1"), "b2": volley("r1")}
    }
    assert order_of(play(document, [turn], beam=[1] * 4)) == ["b1", "g1", "r1", "b2"]


def test_friendly_sides_cannot_fire_at_each_other() -> None:
    document = setup(
        line("r", 1, 60, 12), line("b", 1, 66, 6), line("g", 1, 63, 6), hostile=[["red", "blue"]]
    )
    turn = {"engage": {"r1": volley("g1"), "g1": volley("r1")}}
    assert order_of(play(document, [turn])) == []


def test_missing_scripted_die_is_named() -> None:
    document = setup(line("r", 1, 60, 12), line("b", 1, 66, 6))
    with pytest.raises(RuleViolations, match=r"dice\.beam"):
        play(document, [{"engage": {"r1": volley("b1")}}])
