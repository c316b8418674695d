"""Installations: they drift or stay, fire in all directions, and hold docked ships."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import Battle, start
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.view.side_view import observe
from tests.engine.battle.table import (
    at,
    classes,
    events_of,
    fire,
    gunship,
    play,
    replays,
    setup,
    ship,
)

pytestmark = pytest.mark.rule("2e.installations")

ALL = ["F", "S", "A", "P"]


def base(x: float, y: float, course: int = 12, velocity: int = 0, **more: Any) -> dict[str, Any]:
    """Return a military station of MASS 100 with two screens and an all-arc battery."""
    design = {
        "class": "Station",
        "edition": "second-edition",
        "kind": "installation",
        "mass": 100,
        "systems": [
            {"type": "battery", "battery": "B", "arcs": ALL},
            {"type": "screen", "count": 2},
        ],
    }
    return {
        "id": "base",
        "design": design,
        "at": [x, y],
        "course": course,
        "velocity": velocity,
        **more,
    }


def harbour(*ships: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return the station at (60, 60) with ships of its side, and an armed enemy at (60, 80)."""
    return setup([base(60, 60, **more), *ships], [gunship("b1", 60, 80, "A", 6, mass=60)])


@pytest.mark.parametrize(
    ("x", "y", "arc"), [(60, 70, "F"), (70, 60, "S"), (60, 50, "A"), (50, 60, "P")]
)
def test_example_con_am_batteries_fire_through_all_arcs(x: float, y: float, arc: str) -> None:
    document = setup([base(60, 60)], [gunship("b1", x, y, "C", mass=60)])
    battle = play(document, [{"engage": {"base": fire(("battery-1", "b1"))}}], beam=[4, 4])
    assert (events_of(battle, "shot")[0].arc, at(battle, "b1").damage) == (arc, 2)


def test_captain_of_an_installation_fires_aft() -> None:
    view = observe(start(setup([base(60, 60)], [gunship("b1", 60, 50, "C")]), classes()).state, 0)
    assert [name for name, _ in Captain(Doctrine(), Dice(1)).fire(view)] == ["base"]


def test_installation_has_four_rows_and_no_movement() -> None:
    battle = play(harbour(), [{"plot": {"base": "S3"}}])
    assert battle.to_json()["ships"]["base"]["boxes_left"] == [12, 12, 13, 13]
    assert "no drive" in events_of(battle, "order-refused")[0].reason
    assert at(battle, "base").course == 12


def test_installation_drifts_and_does_not_return() -> None:
    battle = play(harbour(course=3, velocity=4), [{}, {}])
    assert (at(battle, "base").x, at(battle, "base").velocity) == (68, 4)
    document = setup(
        [base(118, 60, 3, 4), gunship("r1", 10, 10, "C")], [gunship("b1", 60, 110, "C")]
    )
    gone = play(document, [{}])
    assert (at(gone, "base").status, events_of(gone, "left-table")[0].die) == ("left", 0)


def docking(
    *turns: dict[str, Any], x: float = 60, y: float = 56, velocity: int = 2, **more: Any
) -> Battle:
    document = harbour(
        ship("r1", "Light Cruiser", x, y, 12, velocity, damage=0), **more.pop("station", {})
    )
    initial_battle = start(document, classes())
    battle = play(document, list(turns), **more)
    assert replays(initial_battle, battle)
    return battle


ALONGSIDE = {"plot": {"r1": "-2; dock base"}}


def test_ship_stopped_within_2_mu_is_docked_next_turn() -> None:
    first = docking(ALONGSIDE, y=58)
    assert [event.step for event in events_of(first, "docking")] == ["alongside"]
    second = docking(ALONGSIDE, {}, y=58)
    assert [event.step for event in events_of(second, "docking")] == ["alongside", "docked"]
    assert at(second, "r1").screens == 2, "the installation's screens in place of its own"


@pytest.mark.parametrize(
    ("y", "plot", "why"),
    [(57.9, "-2; dock base", "within 2 MU"), (58, "-1; dock base", "not at rest")],
)
def test_distant_or_fast_ship_is_not_alongside(y: float, plot: str, why: str) -> None:
    battle = docking({"plot": {"r1": plot}}, y=y)
    assert why in events_of(battle, "docking-missed")[0].reason
    assert at(battle, "r1").docking == 0


@pytest.mark.parametrize(
    ("course", "velocity", "docked"), [(3, 4, True), (4, 4, False), (3, 5, False)]
)
def test_moving_station_needs_equal_course_and_velocity(
    course: int, velocity: int, docked: bool
) -> None:
    document = harbour(ship("r1", "Light Cruiser", 60, 59, course, velocity), course=3, velocity=4)
    battle = play(document, [{"plot": {"r1": "dock base"}}, {}])
    assert (at(battle, "r1").docking == 2) is docked
    if docked:
        assert (at(battle, "r1").x, at(battle, "r1").y) == (68, 59), (
            "it goes where the station goes"
        )


def test_docked_ship_does_not_fire_and_shares_the_stations_screens() -> None:
    orders = {"engage": {"r1": fire(("battery-1", "b1")), "b1": fire(("battery-1", "r1"))}}
    battle = docking(ALONGSIDE, orders, y=58, beam=[5, 6])
    assert events_of(battle, "shot-refused")[0].reason == "a docked ship cannot fire"
    shot = events_of(battle, "shot")[0]
    assert (shot.target, shot.screens, shot.hits) == ("r1", 2, 2)


def test_lost_station_screens_protect_no_docked_ship() -> None:
    document = harbour(ship("r1", "Light Cruiser", 60, 58, docked="base"), damage=11)
    orders = {"engage": [["b1", fire(("battery-1", "base"))]]}
    battle = play(document, [orders], beam=[5, 1], threshold=[1, 6, 1, 1, 1, 1])
    assert at(battle, "base").screens == 1
    assert at(battle, "r1").screens == 1


def test_casting_off_takes_a_whole_turn() -> None:
    battle = docking(ALONGSIDE, {}, {"plot": {"r1": "undock"}}, {"plot": {"r1": "+3"}}, y=58)
    assert [event.step for event in events_of(battle, "docking")] == [
        "alongside",
        "docked",
        "casting-off",
        "free",
    ]
    assert at(battle, "r1").y == 61
    hasty = docking(ALONGSIDE, {}, {"plot": {"r1": "+3"}}, y=58)
    assert "cast off first" in events_of(hasty, "order-refused")[0].reason
    turned_away = docking(ALONGSIDE, {"plot": {"r1": "+2"}}, y=58)
    assert [event.step for event in events_of(turned_away, "docking")] == ["alongside", "free"]


def test_ship_inside_a_bay_is_hidden_and_protected() -> None:
    orders = {"engage": {"b1": fire(("battery-1", "r1"))}}
    battle = docking(ALONGSIDE, {}, orders, y=58, station={"berths": [22]})
    assert events_of(battle, "docking")[1].step == "berthed"
    assert events_of(battle, "shot-refused")[-1].ship == "b1"
    assert [contact.id for contact in observe(battle.state, 1).contacts] == ["base"]
    small = docking(ALONGSIDE, {}, y=58, station={"berths": [21, 10]})
    assert events_of(small, "docking")[1].step == "docked"


def test_bay_takes_one_ship() -> None:
    two = [ship(name, "Frigate", x, 60, docked="base") for name, x in (("r1", 59), ("r2", 61))]
    battle = start(harbour(*two, berths=[10]), classes())
    assert [at(battle, name).docking for name in ("r1", "r2")] == [4, 2]


def test_destroyed_station_frees_outer_ships_and_destroys_inner_ones() -> None:
    two = [ship(name, "Frigate", x, 60, docked="base") for name, x in (("r1", 59), ("r2", 61))]
    document = harbour(*two, berths=[10], damage=49)
    battle = play(document, [{"engage": {"b1": fire(("battery-1", "base"))}}], beam=[6, 1])
    assert [at(battle, name).status for name in ("base", "r1", "r2")] == [
        "destroyed",
        "destroyed",
        "fighting",
    ]
    assert at(battle, "r2").docking == 0
    assert replays(start(document, classes()), battle)


def test_ships_dock_at_own_stations_only() -> None:
    document = setup([base(60, 60)], [gunship("b1", 60, 58, "C")])
    battle = play(document, [{"plot": {"b1": "dock base"}}])
    assert "not hostile" in events_of(battle, "order-refused")[0].reason


@pytest.mark.parametrize(
    ("ships", "words"),
    [
        ([ship("r1", "Frigate", 60, 63, docked="base")], "within 2 MU"),
        ([ship("r1", "Frigate", 60, 60, docked="b1")], "of its own side"),
        ([ship("r1", "Frigate", 60, 60, berths=[5])], "of an installation"),
    ],
)
def test_docking_faults(ships: list[dict[str, Any]], words: str) -> None:
    with pytest.raises(RuleViolations, match=words):
        start(harbour(*ships), classes())
