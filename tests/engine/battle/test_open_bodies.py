"""Bodies that the sides place: in the set-up of a battle file, or spread over the table."""

from __future__ import annotations

from itertools import combinations
from math import dist
from typing import Any

import pytest

from engine.notation.battles import read_battle
from tests.engine.battle.test_set_up import battle, faults

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
    ],
)
def test_fault_of_an_open_body(asteroids: Any, set_up: Any, fault: tuple[str, str]) -> None:
    assert fault in faults(MEETING, set_up, asteroids=asteroids)


def test_no_ship_begins_inside_a_body_that_is_placed() -> None:
    in_rock = {"rock-1": {"at": [12, 12]}, "n1": {"at": [5, 12]}}
    field = {"place": 1, "apart": 12, "radius": 8}
    assert faults(MEETING, in_rock, asteroids=field) == [("set_up.n1.at", "in-body")]
