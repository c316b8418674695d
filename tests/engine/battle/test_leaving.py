"""Leaving a battle: over the edge and back, and under FTL."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import RuleViolations
from tests.engine.battle.table import at, events_of, fire, gunship, play, setup, ship


def runner(x: float, y: float, course: int, velocity: int) -> dict[str, Any]:
    return setup([ship("r1", "Frigate", x, y, course, velocity)], [gunship("b1", 60, 60, "C")])


@pytest.mark.rule("2e.leaving-table")
def test_example_a_five_returns_five_turns_later_over_the_same_edge() -> None:
    turns: list[dict[str, Any]] = [{} for _ in range(6)]
    turns[5] = {"plot": {"r1": "enter 100 120 7"}}
    battle = play(runner(60, 115, 12, 8), turns[:5], re_entry=[5])
    assert at(battle, "r1").status == "returning"
    assert events_of(battle, "left-table")[0].edge == "top"
    battle = play(runner(60, 115, 12, 8), turns, re_entry=[5])
    back = at(battle, "r1")
    assert events_of(battle, "returned")[0].turn == 6
    assert (back.status, back.course, back.velocity) == ("fighting", 7, 8)
    assert (back.x, back.y) == pytest.approx((96, 120 - 8 * 0.8660254037844386))


@pytest.mark.rule("2e.leaving-table")
@pytest.mark.parametrize("die", [1, 2, 3])
def test_low_die_loses_the_ship_for_the_battle(die: int) -> None:
    battle = play(runner(60, 115, 12, 8), [{}], re_entry=[die])
    assert at(battle, "r1").status == "left"
    assert battle.winner == "blue"


@pytest.mark.rule("2e.leaving-table")
@pytest.mark.parametrize(
    ("x", "y", "course", "edge"),
    [(3, 60, 9, "left"), (117, 60, 3, "right"), (60, 3, 6, "bottom"), (60, 117, 12, "top")],
)
def test_every_edge_and_the_default_return(x: float, y: float, course: int, edge: str) -> None:
    battle = play(runner(x, y, course, 8), [{} for _ in range(5)], re_entry=[4])
    assert events_of(battle, "left-table")[0].edge == edge
    back = at(battle, "r1")
    assert back.status == "fighting"
    assert back.course == (course + 5) % 12 + 1
    assert 0 <= back.x <= 120
    assert 0 <= back.y <= 120


@pytest.mark.rule("2e.leaving-table")
def test_ship_may_stay_away() -> None:
    battle = play(runner(60, 115, 12, 8), [{}, {"plot": {"r1": "stay"}}], re_entry=[6])
    assert at(battle, "r1").status == "left"
    assert battle.winner == "blue"


@pytest.mark.rule("2e.leaving-table")
def test_place_on_another_edge_is_refused() -> None:
    turns: list[dict[str, Any]] = [{}, {}, {}, {}, {"plot": {"r1": "enter 0 60 3"}}]
    back = at(play(runner(60, 115, 12, 8), turns, re_entry=[4]), "r1")
    assert (back.x, back.y) == (60, 112)


@pytest.mark.rule("2e.leaving-table")
def test_edge_is_on_the_table() -> None:
    assert at(play(runner(60, 112, 12, 8), [{}]), "r1").status == "fighting"


def jump(*, near: list[dict[str, Any]] | None = None, **dice: list[int]) -> Any:
    """Return a destroyer at 60, 60 on course 12 that warms up and leaves at 60, 72.

    Its velocity is 8: it moves 8, then half of 8.
    """
    leaver = [ship("r1", "Destroyer", 60, 60, 12, 8)]
    others = near or [gunship("b1", 60, 10, "C")]
    return play(setup(leaver, others), [{"plot": {"r1": "ftl"}}, {}], **dice)


@pytest.mark.rule("2e.ftl-exit")
def test_isolated_ship_leaves_without_a_die() -> None:
    battle = jump()
    assert at(battle, "r1").status == "ftl"
    assert (at(battle, "r1").x, at(battle, "r1").y) == (60, 72)
    assert events_of(battle, "ftl-exit")[0].outcome == "safe"


@pytest.mark.rule("2e.ftl-exit")
def test_die_of_1_fails_and_warming_starts_again() -> None:
    battle = jump(near=[gunship("b1", 60, 78, "C")], ftl=[1])
    leaver = at(battle, "r1")
    assert (leaver.status, leaver.warm, leaver.y) == ("fighting", False, 76)


@pytest.mark.rule("2e.ftl-exit")
@pytest.mark.parametrize("die", [2, 3, 4])
def test_die_of_2_to_4_leaves_and_hurts_neighbours_past_screens(die: int) -> None:
    near = [
        gunship("b1", 60, 78, "C", screens=3),
        gunship("b2", 66.1, 72, "C"),
        gunship("b3", 54, 72, "C", mass=80),
    ]
    battle = jump(near=near, ftl=[die], damage=[3, 5])
    assert at(battle, "r1").status == "ftl"
    assert [at(battle, name).damage for name in ("b1", "b2", "b3")] == [3, 0, 5]


@pytest.mark.rule("2e.ftl-exit")
@pytest.mark.parametrize("die", [5, 6])
def test_example_failing_ship_of_ten_points_does_ten_to_each_neighbour(die: int) -> None:
    ten = gunship("r1", 60, 60, "C", mass=20, velocity=8, damage=4)
    near = [gunship("b1", 60, 76, "C", mass=100, screens=3), gunship("b2", 60, 30, "C", mass=100)]
    battle = play(setup([ten], near), [{"plot": {"r1": "ftl"}}, {}], ftl=[die])
    assert at(battle, "r1").status == "destroyed"
    assert [at(battle, name).damage for name in ("b1", "b2")] == [10, 0]


@pytest.mark.rule("2e.ftl-exit")
def test_warming_up_allows_no_thrust_or_offensive_fire() -> None:
    document = setup([gunship("r1", 60, 60, "C", velocity=4)], [gunship("b1", 60, 70, "C", 6)])
    turn = {"plot": {"r1": "ftl"}, "engage": {"r1": fire(("battery-1", "b1"))}}
    battle = play(document, [turn])
    assert not events_of(battle, "shot")
    assert events_of(battle, "shot-refused")[0].reason == "its FTL drive is warming up"
    assert at(battle, "r1").warm


@pytest.mark.rule("2e.ftl-exit")
def test_ship_losing_its_drive_while_warming_stays() -> None:
    document = setup(
        [ship("r1", "Destroyer", 60, 60, 12, 4, damage=2)], [gunship("b1", 60, 70, "C", 6)]
    )
    turns: list[dict[str, Any]] = [
        {"plot": {"r1": "ftl"}, "engage": {"b1": fire(("battery-1", "r1"))}},
        {},
    ]
    battle = play(document, turns, beam=[4], threshold=[1, 1, 1, 1, 1, 1, 1, 6])
    assert at(battle, "r1").status == "fighting"
    assert events_of(battle, "ftl-exit")[0].outcome == "no-drive"
    assert at(battle, "r1").y == 68


@pytest.mark.rule("2e.ftl-exit")
def test_ftl_order_without_a_drive_is_refused() -> None:
    document = setup([gunship("r1", 60, 60, "C", ftl="none")], [gunship("b1", 60, 90, "C")])
    battle = play(document, [{"plot": {"r1": "ftl"}}, {}])
    assert events_of(battle, "order-refused")[0].reason == "it has no working FTL drive"
    assert at(battle, "r1").status == "fighting"


@pytest.mark.rule("2e.ftl-exit")
def test_blasts_never_chain_and_follow_file_order() -> None:
    red = [
        gunship("r1", 60, 60, "C", mass=20, velocity=8),
        gunship("r2", 62, 60, "C", mass=20, velocity=8),
    ]
    document = setup(red, [gunship("b1", 10, 10, "C")])
    battle = play(document, [{"plot": {"r1": "ftl", "r2": "ftl"}}, {}], ftl=[5])
    assert [at(battle, name).status for name in ("r1", "r2")] == ["destroyed", "destroyed"]
    assert len(events_of(battle, "ftl-exit")) == 1


def test_scripted_dice_must_be_on_the_die() -> None:
    with pytest.raises(RuleViolations, match="is not on a D6"):
        play(runner(60, 115, 12, 8), [{}], re_entry=[9])
