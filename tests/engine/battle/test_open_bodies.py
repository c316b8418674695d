"""Bodies that the sides place: in the set-up of a battle file, or spread over the table."""

from __future__ import annotations

from itertools import combinations
from math import dist
from typing import Any

import pytest

from engine.core.state import SET_UP
from engine.notation.battles import read_battle
from engine.stops import awaited_sides, side_view
from tests.engine.battle.test_set_up import STATION, battle, faults
from tests.engine.battle.test_set_up_phase import ESU, NAC, begin, play, seen_by
from tests.engine.battle.test_set_up_phase import faults as order_faults

pytestmark = pytest.mark.rule("2e.con-am-12", "pc.deployment")
MEETING = {"kind": "meeting"}
FIELD = {"place": 6, "by": "both", "apart": 12}


def places(set_up: Any = None, **more: Any) -> dict[str, tuple[float, float]]:
    """Return the place of each body by its name."""
    state = read_battle(battle(MEETING, set_up, **more), {}).state
    return {str(piece.id): (piece.x, piece.y) for piece in state.pieces}


def test_sides_place_some_asteroids_and_the_others_are_spread() -> None:
    rocks = places({"rock-2": {"at": [20, 20]}, "n1": {"at": [1, 1]}}, asteroids=FIELD)
    assert len(rocks) == 6
    assert rocks["rock-2"] == (20, 20)
    assert all(dist(a, b) >= 12 for a, b in combinations(rocks.values(), 2))
    assert all(12 <= x <= 60 and 12 <= y <= 36 for x, y in rocks.values())
    assert places(asteroids=FIELD) == places(asteroids=FIELD)


def test_planet_without_a_place_is_placed_by_the_defender() -> None:
    planet = {"kind": "planet", "radius": 3, "by": "nac"}
    scout = {"class": "Scout", "edition": "continuum", "kind": "warship", "mass": 6, "thrust": 4}
    scout |= {"hull": {"boxes": 2}, "ftl": "standard", "systems": []}
    more: dict[str, Any] = {
        "edition": "continuum",
        "terrain": [planet],
        "first": [{"design": scout}],
        "second": [{"design": scout}],
    }
    assert places({"planet-1": {"at": [20, 30]}}, **more) == {"planet-1": (20, 30)}
    assert places(**more) == {"planet-1": (36, 24)}


@pytest.mark.parametrize(
    ("asteroids", "set_up", "fault"),
    [
        (FIELD, {"rock-1": {"at": [3, 20]}}, ("set_up.rock-1.at", "deployment")),
        (
            FIELD,
            {"rock-1": {"at": [20, 20]}, "rock-2": {"at": [25, 20]}},
            ("set_up.rock-2.at", "deployment"),
        ),
        (FIELD, {"rock-1": {"course": 3}}, ("set_up.rock-1.at", "not-a-pair")),
        (FIELD, {"rock-7": {"at": [20, 20]}}, ("set_up.rock-7", "unknown-ship")),
        ({**FIELD, "place": 31}, None, ("asteroids.place", "place")),
        ({**FIELD, "place": 25}, None, ("asteroids.apart", "no-room")),
        ({**FIELD, "by": "nobody"}, None, ("asteroids.by", "unknown-by")),
        ({**FIELD, "at": [3, 3]}, None, ("asteroids.at", "unknown-key")),
        ({"place": "roll"}, {"rock-10": {"at": [3, 20]}}, ("set_up.rock-10.at", "deployment")),
    ],
)
def test_fault_of_an_open_body(asteroids: Any, set_up: Any, fault: tuple[str, str]) -> None:
    assert fault in faults(MEETING, set_up, asteroids=asteroids)


def test_no_ship_begins_inside_a_body_that_is_placed() -> None:
    in_rock = {"rock-1": {"at": [12, 12]}, "n1": {"at": [5, 12]}}
    field = {"place": 1, "apart": 12, "radius": 8}
    assert faults(MEETING, in_rock, asteroids=field) == [("set_up.n1.at", "in-body")]


GUARDED = {
    "manner": "by-side",
    "first": "nac",
    "zones": {
        "nac": {"near": {"of": "n1", "mu": 12}, "velocity": 0},
        "esu": {"edge": {"farthest": "n1"}, "velocity": 10},
    },
}
BASE = {"design": STATION, "apart": 12}


def guarded(asteroids: Any = None) -> dict[str, Any]:
    """Return the further entries of a battle for a station that its side places."""
    more: dict[str, Any] = {"first": [BASE, {}], "second": [{}]}
    return more | ({"asteroids": asteroids} if asteroids else {})


def test_sides_place_asteroids_in_turn_and_then_the_station() -> None:
    """2E "Mining station Con-Am 12": everybody sees what is placed, and nothing else."""
    now = begin(GUARDED, **guarded({"place": 2}))
    assert side_view(now, ESU).get("rocks", []) == []
    assert (awaited_sides(now), side_view(now, NAC)["set_up"]["bodies"]) == (
        (NAC,),
        ["rock-1", "rock-2", "n1"],
    )
    assert side_view(now, ESU)["set_up"]["bodies"] == ["rock-1", "rock-2"]
    assert order_faults(now, ESU, **{"rock-1": {"at": [20, 20]}}) == [
        ("set_up.rock-1", "unknown-ship")
    ]
    assert order_faults(now, NAC, **{"rock-1": {"at": [5, 20]}, "n2": {"at": [20, 20]}}) == [
        ("set_up.n2", "out-of-turn"),
        ("set_up.rock-1.at", "deployment"),
    ]
    now = play(now, nac={"rock-2": {"at": [20, 20]}})
    assert [rock["id"] for rock in side_view(now, ESU)["rocks"]] == ["rock-2"]
    assert order_faults(now, ESU, **{"rock-1": {"at": [20, 31]}}) == [
        ("set_up.rock-1.at", "deployment")
    ]
    now = play(now)
    near_rock = {"n1": {"at": [20, 31], "course": 13, "velocity": 2}}
    assert order_faults(now, NAC, **near_rock) == [
        ("set_up.n1.course", "course"),
        ("set_up.n1.velocity", "unknown-key"),
    ]
    assert side_view(now, ESU)["contacts"] == []
    now = play(now, nac={"n1": {"at": [13, 34], "course": 3}})
    assert side_view(now, ESU)["contacts"][0]["at"] == [13, 34]
    assert order_faults(now, NAC, n2={"at": [26, 34]}) == [("set_up.n2.at", "deployment")]
    now = play(now, nac={"n2": {"at": [24, 34]}})
    assert (awaited_sides(now), now.state.stop) == ((ESU,), SET_UP)
    assert side_view(now, ESU)["set_up"]["zones"]["esu"][0]["box"] == [66, 0, 72, 48]
    begun = play(now)
    ship = begun.state.ship_by_name("e1")
    assert (ship.x >= 66, ship.course, ship.velocity) == (True, 9, 10)


def test_side_learns_nothing_of_a_station_that_is_still_to_be_placed() -> None:
    """Twin worlds: where its captain would place the station."""
    worlds = []
    for course in (3, 9):
        more = guarded({"place": 2})
        more["first"] = [{**BASE, "course": course}, {}]
        worlds.append(seen_by(begin(GUARDED, **more), ESU))
    assert worlds[0] == worlds[1]


def test_sides_place_bodies_in_turn_before_they_set_up_in_secret() -> None:
    now = begin({"kind": "meeting"}, asteroids={"place": 1})
    assert len(awaited_sides(now)) == 1
    now = play(now)
    assert (awaited_sides(now), now.state.stop) == ((NAC, ESU), SET_UP)


def test_station_of_a_file_is_as_far_from_bodies_and_edges_as_it_says() -> None:
    state = read_battle(battle(GUARDED, **guarded(FIELD)), {}).state
    station = state.ship_by_name("n1")
    rocks = [(piece.x, piece.y) for piece in state.pieces]
    assert min(dist((station.x, station.y), rock) for rock in rocks) >= 12
    too_near = {"n1": {"at": [20, 31]}, "rock-1": {"at": [20, 20]}}
    assert faults(GUARDED, too_near, **guarded(FIELD)) == [("set_up.n1.at", "deployment")]
    ship_apart = guarded() | {"first": [BASE, {"apart": 3, "at": [1, 1]}]}
    assert ("sides[0].ships[1].apart", "apart") in faults(GUARDED, **ship_apart)
    unknown = {"zones": {**GUARDED["zones"], "esu": {"edge": {"farthest": "n2"}}}}  # type: ignore[dict-item]
    assert ("deployment.zones.esu", "zone") in faults(unknown, **guarded())
