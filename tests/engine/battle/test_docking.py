"""Docking in Continuum: within 3 MU, also at ships, at equal course and velocity; and its end."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import Battle
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.core.ship import ALONGSIDE, DOCKED, FREE
from engine.view.side_view import observe
from tests.engine.battle.table import play
from tests.engine.control.hulls import battle, design, events_of, replays, ship

pytestmark = pytest.mark.rule("pc.docking")


def play_two(*plots: dict[str, str], apart: float = 3, **more: Any) -> Battle:
    """Return two ships of a side after so many turns of plots; n2 is the one docked at."""
    ours = [
        ship("n1", 30, hull=design(thrust=4), **more),
        ship("n2", 30 + apart, course=3, velocity=4),
    ]
    return play(_file(ours), [{"plot": plot} for plot in plots])


def step(fought: Battle) -> int:
    return fought.state.ship_by_name("n1").docking


COURSE_AND_VELOCITY = {"course": 3, "velocity": 4}


def test_ship_comes_alongside_within_3_and_docks_next_turn() -> None:
    alongside = play_two({"n1": "dock n2"}, **COURSE_AND_VELOCITY)
    assert step(alongside) == ALONGSIDE
    docked = play_two({"n1": "dock n2"}, {}, {}, **COURSE_AND_VELOCITY)
    assert step(docked) == DOCKED
    assert (docked.state.ship_by_name("n1").x, docked.state.ship_by_name("n2").x) == (42, 45)


@pytest.mark.parametrize(
    ("apart", "way", "why"),
    [
        (3.5, COURSE_AND_VELOCITY, "within 3 MU"),
        (2, {"course": 3, "velocity": 3}, "did not match the other ship's course and velocity"),
        (0, {"course": 2, "velocity": 4}, "did not match"),
    ],
)
def test_distant_or_deviating_ship_misses(apart: float, way: dict[str, int], why: str) -> None:
    fought = play_two({"n1": "dock n2"}, apart=apart, **way)
    assert step(fought) == FREE
    assert why in events_of(fought, "docking-missed")[0].reason


def test_casting_off_takes_a_turn() -> None:
    plots: list[dict[str, str]] = [
        {"n1": "dock n2"},
        {},
        {"n1": "+2"},
        {"n1": "undock"},
        {"n1": "+2"},
    ]
    refused = play_two(*plots[:3], **COURSE_AND_VELOCITY)
    assert "cast off first" in events_of(refused, "order-refused")[0].reason
    casting = play_two(*plots[:2], {"n1": "undock"}, **COURSE_AND_VELOCITY)
    assert step(casting) == FREE
    assert [event.step for event in events_of(casting, "docking")] == [
        "alongside",
        "docked",
        "casting-off",
        "free",
    ]
    free = play_two(*plots, **COURSE_AND_VELOCITY)
    assert free.state.ship_by_name("n1").velocity == 6


@pytest.mark.parametrize("plot", ["P1", "+1", "dock n1", "ram far"])
def test_ship_with_docked_ships_holds_course_and_velocity(plot: str) -> None:
    fought = play_two({"n1": "dock n2"}, {}, {"n2": plot}, **COURSE_AND_VELOCITY)
    assert "while others are docked at it" in events_of(fought, "order-refused")[0].reason
    assert step(fought) == DOCKED


def test_mutual_docking_is_left_to_the_first() -> None:
    fought = play_two({"n1": "dock n2", "n2": "dock n1"}, {}, **COURSE_AND_VELOCITY)
    assert [fought.state.ship_by_name(name).docking for name in ("n1", "n2")] == [DOCKED, FREE]
    assert "already docking" in events_of(fought, "docking-missed")[0].reason


def test_ship_leaving_the_table_leaves_docked_ships_behind() -> None:
    ours = [
        ship("n1", 114, course=3, velocity=4, docked="n2"),
        ship("n2", 117, course=3, velocity=4),
    ]
    fought = play(_file(ours), [{}])
    assert (fought.state.ship_by_name("n1").docking, fought.state.ship_by_name("n1").x) == (
        FREE,
        114,
    )
    assert fought.state.ship_by_name("n2").status == "left"


def _file(ours: list[dict[str, Any]]) -> dict[str, Any]:
    sides = [{"name": "red", "ships": ours}, {"name": "blue", "ships": [ship("far", 60, 110)]}]
    return {"edition": "continuum", "table": [120, 120], "sides": sides}


def test_file_may_begin_with_docked_ships_and_the_log_replays() -> None:
    initial_battle = battle([ship("n1", 30, docked="n2"), ship("n2", 32)])
    assert initial_battle.state.ship_by_name("n1").docking == DOCKED
    fought = play_two({"n1": "dock n2"}, {}, **COURSE_AND_VELOCITY)
    assert replays(play_two(**COURSE_AND_VELOCITY), fought)
    with pytest.raises(RuleViolations, match="3 MU"):
        battle([ship("n1", 30, docked="n2"), ship("n2", 34)])


def test_docking_at_an_enemy_is_refused() -> None:
    sides = [
        {"name": "red", "ships": [ship("n1", 30)]},
        {"name": "blue", "ships": [ship("e1", 32)]},
    ]
    file = {"edition": "continuum", "table": [120, 120], "sides": sides}
    fought = play(file, [{"plot": {"n1": "dock e1"}}])
    assert "only at" in events_of(fought, "order-refused")[0].reason


def test_captain_holds_docked_ships_and_their_station() -> None:
    view = observe(battle([ship("n1", 30, docked="n2"), ship("n2", 32), ship("n3", 50)]).state, 0)
    assert {"n1", "n2"}.isdisjoint(Captain(Doctrine(), Dice(1)).plots(view))


@pytest.mark.rule("pc.docked-fire")
@pytest.mark.parametrize(("options", "fires"), [((), False), (("docked-fire",), True)])
def test_docked_ship_fires_only_by_agreement(options: tuple[str, ...], fires: bool) -> None:
    ours = [ship("n1", 30, docked="n2", hull=design("beam:2")), ship("n2", 32)]
    sides = [
        {"name": "red", "ships": ours},
        {"name": "blue", "ships": [ship("e1", 30, 40)]},
    ]
    file = {
        "edition": "continuum",
        "table": [120, 120],
        "options": list(options),
        "sides": sides,
    }
    orders = {"engage": {"n1": [{"weapon": "beam-1", "target": "e1"}]}}
    fought = play(file, [orders], beam=[1, 1])
    refused = [event.reason for event in events_of(fought, "shot-refused")]
    assert refused == ([] if fires else ["a docked ship cannot fire"])
