"""Ships that drop out of FTL into a battle: where they arrive, and what their arrival does."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.battle import start
from engine.core.errors import RuleViolations
from engine.notation.files import fixture_classes
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

pytestmark = pytest.mark.rule("2e.ftl-entry")


def entering(*more: dict[str, Any], turn: int = 1, **terms: Any) -> dict[str, Any]:
    """Return a destroyer due at (60, 60), a friend far off, and an enemy at (20, 20)."""
    red = [ship("r1", "Destroyer", 60, 60, 3, 6, ftl_entry=turn), gunship("r2", 110, 110, "C")]
    return setup(red, [gunship("b1", 20, 20, "C", mass=60), *more], **terms)


@pytest.mark.parametrize(
    ("direction", "distance", "place"), [(6, 4, (60, 56)), (10, 5, (55.669873, 62.5))]
)
def test_example_scatter_6_and_4_and_10_and_5(
    direction: int, distance: int, place: tuple[float, float]
) -> None:
    document = entering()
    battle = play(document, [{}], direction=[direction], distance=[distance])
    there = at(battle, "r1")
    assert (there.x, there.y) == pytest.approx(place)
    assert (there.status, there.course, there.velocity) == ("fighting", 3, 6), (
        "its arrival is its move"
    )
    assert events_of(battle, "arrived")[0].intended == (60, 60)
    assert replays(start(document, classes()), battle)


def test_ship_enters_in_its_turn_and_moves_in_the_next() -> None:
    battle = play(entering(turn=3), [{}, {}, {}, {}], direction=[12], distance=[1])
    assert events_of(battle, "arrived")[0].turn == 3
    assert (at(battle, "r1").x, at(battle, "r1").y) == (66, 61)


def test_only_its_own_side_sees_a_ship_before_its_entry() -> None:
    battle = start(entering(turn=2), classes())
    assert [contact.id for contact in observe(battle.state, 1).contacts] == ["r2"]
    assert "r1" not in json.dumps(observe(battle.state, 1).to_json())
    assert observe(battle.state, 0).to_json()["own"]["r1"]["status"] == "inbound"


def test_side_with_pending_entries_is_not_beaten() -> None:
    document = setup(
        [ship("r1", "Destroyer", 60, 60, 3, 6, ftl_entry=4)], [gunship("b1", 20, 20, "C")]
    )
    battle = play(document, [{}, {}])
    assert (battle.state.stop, battle.winner) == ("plot", None)


def test_entering_ship_may_fire() -> None:
    orders = [{"engage": {"r1": fire(("battery-1", "b2"))}}]
    battle = play(
        entering(gunship("b2", 60, 50, "C")), orders, direction=[12], distance=[1], beam=[6]
    )
    assert events_of(battle, "shot")[0].target == "b2"


def test_everything_within_6_mu_takes_a_die_and_a_six_is_multiplied() -> None:
    near = gunship("b2", 60, 66, "C", mass=100, screens=3), gunship("b3", 60, 54.9, "C", mass=100)
    battle = play(
        entering(*near), [{}], direction=[12], distance=[1], damage=[2, 6, 4], threshold=[1] * 18
    )
    marked = [(event.ship, event.points) for event in events_of(battle, "damaged")]
    assert marked == [("r1", 2), ("b2", 24)]


def test_no_blast_with_nothing_nearby() -> None:
    assert not events_of(play(entering(), [{}], direction=[12], distance=[1]), "damaged")


def test_blasts_follow_all_entries() -> None:
    document = entering()
    document["sides"][0]["ships"].append(gunship("r3", 60, 62, "C", mass=60, ftl_entry=1))
    battle = play(document, [{}], direction=[12, 12], distance=[1, 1], damage=[1, 2, 1, 3])
    kinds = [event.kind for event in battle.events]
    assert kinds[:2] == ["arrived", "arrived"]
    assert [(e.ship, e.cause, e.points) for e in events_of(battle, "damaged")] == [
        ("r1", "ftl:r1", 1), ("r3", "ftl:r1", 2), ("r1", "ftl:r3", 1), ("r3", "ftl:r3", 3)
    ]  # fmt: skip


def test_asteroid_counts_as_near_and_as_a_collision() -> None:
    document = entering(asteroids=[{"at": [60, 64], "radius": 2}])
    battle = play(document, [{}], direction=[12], distance=[3], damage=[1])
    assert events_of(battle, "damaged")[0].ship == "r1"
    assert events_of(battle, "avoided")[0].needs == 0


@pytest.mark.parametrize(("options", "dice", "far"), [([], [6], 6), (["ftl-scatter"], [6, 5], 30)])
def test_option_multiplies_a_six_of_distance(options: list[str], dice: list[int], far: int) -> None:
    battle = play(entering(options=options), [{}], direction=[12], distance=dice)
    assert at(battle, "r1").y == 60 + far


def test_ship_entering_beyond_the_edge_is_out() -> None:
    document = entering(options=["ftl-scatter"])
    battle = play(document, [{}], direction=[3], distance=[6, 6])
    assert (at(battle, "r1").x, at(battle, "r1").status) == (96, "fighting")
    document["sides"][0]["ships"][0]["at"] = [118, 60]
    battle = play(document, [{}, {}], direction=[3], distance=[3])
    assert at(battle, "r1").status == "left"
    assert not events_of(battle, "arrived")[0].on_table
    assert replays(start(document, classes()), battle)


def test_only_ships_with_a_drive_enter_by_ftl() -> None:
    with pytest.raises(RuleViolations, match="FTL drive"):
        start(
            setup([gunship("r1", 5, 5, "C", ftl="none", ftl_entry=2)], [gunship("b1", 9, 9, "C")]),
            classes(),
        )
    with pytest.raises(RuleViolations, match="turn in which"):
        start(entering(turn=0), classes())


@pytest.mark.rule("pc.ftl-entry")
@pytest.mark.parametrize("edition", ["second-edition", "continuum"])
def test_no_ftl_entry_deep_in_a_gravity_well(edition: str) -> None:
    document: dict[str, Any] = {
        "edition": edition,
        "options": ["no-ftl"],
        "sides": [
            {
                "name": name,
                "ships": [
                    {
                        "id": name,
                        "class": "Frigate",
                        "at": [30, y],
                        "course": 3,
                        "velocity": 4,
                        **more,
                    }
                ],
            }
            for name, y, more in (("red", 10, {"ftl_entry": 2}), ("blue", 40, {}))
        ],
    }
    with pytest.raises(RuleViolations) as caught:
        start(document, fixture_classes(edition))
    assert [(fault.where, fault.code) for fault in caught.value.violations] == [
        ("sides[0].ships[0].ftl_entry", "no-ftl")
    ]
    start(document | {"options": []}, fixture_classes(edition))
