"""Dummy counters through a week: random numbers, moves, and meetings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from campaign.orders.defaults import default_orders
from campaign.rules.files import fixture_scenario
from campaign.rules.orders import Detachment, Dummy, Move, Orders
from campaign.rules.perception import build_view
from campaign.rules.scenario import Scenario
from campaign.rules.view import Marker
from campaign.rules.world import Mark, World
from engine.core.dice import KeyedDice, ScriptedDice
from tests.umpire.adjudication import small_sector
from tests.umpire.adjudication.small_sector import COLONY, DEEP, PORT, ROCK
from umpire.adjudication import week
from umpire.adjudication.outcome import StageOutcome
from umpire.pages.true_world import draw_world

pytestmark = pytest.mark.rule("camp.open-play")
OPEN = small_sector.scenario(open_play=True)
THREE = small_sector.scenario(
    ("blue", "green", "red"), {"green": "league", "blue": "league"}, open_play=True
)


def counters(*places: tuple[str, str], **changes: Any) -> dict[str, Any]:
    """Return (key, hex) of each dummy counter and marker."""
    dummies = tuple(replace(small_sector.fleet(key, hex_)[0], **changes) for key, hex_ in places)
    return {
        "dummies": dummies,
        "marks": tuple(Mark(key, 90 + n) for n, (key, _) in enumerate(places)),
    }


def resolve_stage(
    world: World, scenario: Scenario = OPEN, lots: Sequence[int] = (), **orders: Orders
) -> StageOutcome:
    return week.resolve(scenario, world, orders, {}, ScriptedDice({"marker": lots}))


def facts_of_events(
    outcome: StageOutcome, code: str
) -> list[tuple[tuple[str, ...], dict[str, Any]]]:
    return [(item.audience, dict(item.facts)) for item in outcome.week_events if item.code == code]


def dummies_left(outcome: StageOutcome) -> dict[str, str]:
    return {dummy.key: dummy.hex for dummy in outcome.world.dummies}


def test_numbers_are_drawn_for_fleets_and_dummies() -> None:
    scenario = replace(fixture_scenario("first-steps"), open_play=True)
    start_world = week.create_world(scenario)
    ember = replace(
        default_orders(scenario, build_view(scenario, start_world, "ember", None, ())),
        dummies=(Dummy("ember/d1", "0304"),),
    )
    outcome = resolve_stage(start_world, scenario, (2, 3, 1, 3, 2), ember=ember)
    codes = {mark.key: mark.code for mark in outcome.world.marks}
    assert {key: code for key, code in codes.items() if key.startswith("ember")} == {
        "ember/f1": 1, "ember/f3": 2, "ember/d1": 3, "ember/f2": 4
    }  # fmt: skip
    assert sorted(code for key, code in codes.items() if key.startswith("frost")) == [1, 2, 3]
    assert outcome.world.reserve == (("ember", 2), ("frost", 3))


def test_dummy_moves_publicly_like_a_fleet() -> None:
    world = small_sector.world(
        OPEN, small_sector.fleet("red/f1", PORT, "Cruiser"), **counters(("red/d1", PORT))
    )
    orders = Orders(moves=(Move("red/d1", to=DEEP), Move("red/f1", path=("0304",))))
    outcome = resolve_stage(world, red=orders)
    assert dummies_left(outcome) == {"red/d1": DEEP}
    markers = build_view(OPEN, outcome.world, "blue", None, ()).markers
    assert markers == (Marker("red", 90, DEEP, PORT), Marker("red", 91, "0304", PORT))


@pytest.mark.parametrize(
    ("where", "others", "found_by"),
    [
        (PORT, [], []),  # at home
        (DEEP, [("blue/f1", DEEP)], []),  # no meetings between the stars
        (ROCK, [], []),
        (ROCK, [("blue/f1", ROCK)], ["blue"]),  # a fleet
        (COLONY, [], ["blue"]),  # a settlement
        (ROCK, [("red/f1", ROCK)], []),  # the faction's own
    ],
)
def test_dummy_is_revealed_by_an_encounter_in_a_system(
    where: str, others: list[tuple[str, str]], found_by: list[str]
) -> None:
    forces = [small_sector.fleet(key, hex_, "Destroyer") for key, hex_ in others]
    outcome = resolve_stage(small_sector.world(OPEN, *forces, **counters(("red/d1", where))))
    assert dummies_left(outcome) == ({} if found_by else {"red/d1": where})
    assert facts_of_events(outcome, "dummy-lost") == (
        [(("red",), {"dummy": "red/d1"})] if found_by else []
    )
    assert facts_of_events(outcome, "dummy-found") == (
        [(tuple(found_by), {"faction": "red", "marker": 90})] if found_by else []
    )


def test_meeting_dummies_are_both_removed() -> None:
    world = small_sector.world(OPEN, **counters(("blue/d1", ROCK), ("red/d1", ROCK)))
    outcome = resolve_stage(world)
    assert dummies_left(outcome) == {}
    assert facts_of_events(outcome, "dummy-found") == [
        (("red",), {"faction": "blue", "marker": 90}),
        (("blue",), {"faction": "red", "marker": 91}),
    ]


def test_allies_do_not_reveal_each_other() -> None:
    world = small_sector.world(
        THREE,
        small_sector.fleet("green/f1", ROCK, "Cruiser"),
        **counters(("blue/d1", ROCK), ("green/d1", COLONY)),
    )
    assert dummies_left(resolve_stage(world, THREE)) == {"blue/d1": ROCK, "green/d1": COLONY}


def test_hostile_factions_present_are_notified() -> None:
    world = small_sector.world(
        THREE, small_sector.fleet("green/f1", COLONY, "Cruiser"), **counters(("red/d1", COLONY))
    )
    assert facts_of_events(resolve_stage(world, THREE), "dummy-found") == [
        (("blue", "green"), {"faction": "red", "marker": 90})
    ]


def test_fleet_leaving_ftl_space_reveals_a_dummy() -> None:
    withdrawn = small_sector.fleet("blue/f1", ROCK, "Guard", in_ftl=True)
    outcome = resolve_stage(small_sector.world(OPEN, withdrawn, **counters(("red/d1", ROCK))))

    assert dummies_left(outcome) == {}


def test_new_fleet_and_new_counter_look_alike() -> None:
    world = small_sector.world(
        OPEN,
        small_sector.fleet("red/f1", PORT, "Cruiser", "Destroyer"),
        marks=(Mark("red/f1", 1),),
        reserve=(("red", 1),),
    )
    orders = Orders(
        detach=(Detachment(("red/f1/2",), "red/f2"),),
        dummies=(Dummy("red/d1", PORT),),
        moves=(Move("red/f2", to=DEEP), Move("red/d1", to=DEEP)),
    )
    outcome = resolve_stage(world, lots=(1,), red=orders)
    assert outcome.world.reserve == (("red", 0),)
    markers = build_view(OPEN, outcome.world, "blue", None, ()).markers
    assert markers == (
        Marker("red", 1, PORT, PORT),
        Marker("red", 2, DEEP, PORT),
        Marker("red", 3, DEEP, PORT),
    )


def test_removed_counter_is_not_reported() -> None:
    world = small_sector.world(OPEN, **counters(("red/d1", DEEP)))
    outcome = resolve_stage(world, red=Orders(dummies=(Dummy("red/d1", remove=True),)))
    assert dummies_left(outcome) == {}
    assert facts_of_events(outcome, "dummy-lost") == facts_of_events(outcome, "dummy-found") == []


def test_move_too_far_is_dropped_and_reported_privately() -> None:
    world = small_sector.world(OPEN, **counters(("red/d1", PORT)))
    outcome = resolve_stage(world, red=Orders(moves=(Move("red/d1", to="1212"),)))
    assert dummies_left(outcome) == {"red/d1": PORT}
    assert [item.audience for item in outcome.week_events if item.code == "order-dropped"] == [
        ("red",)
    ]


def test_numbers_are_independent_of_the_world_order() -> None:
    forces = [small_sector.fleet(f"red/f{n}", PORT, "Cruiser") for n in range(1, 5)]
    first, other = (small_sector.world(OPEN, *order) for order in (forces, forces[::-1]))
    marks = [
        week.resolve(OPEN, world, {}, {}, KeyedDice(b"s" * 32, ["k"])).world.marks
        for world in (first, other)
    ]
    assert marks[0] == marks[1]
    assert sorted(mark.code for mark in marks[0]) == [1, 2, 3, 4]


def test_umpire_sees_dummies() -> None:
    world = small_sector.world(
        OPEN,
        small_sector.fleet("red/f1", PORT, "Cruiser"),
        **counters(("red/d1", PORT), ("red/d2", DEEP)),
    )
    umpire_view = draw_world(OPEN, "dummies", world)
    strength_of = {
        fleet.key: (fleet.strength, fleet.ships, fleet.points) for fleet in umpire_view.fleets
    }
    assert strength_of["red/d1"] == strength_of["red/d2"] == ("a dummy counter", 0, 0)
    assert strength_of["red/f1"][1:] == (1, 190)
    assert {(mark.hex, mark.ships) for mark in umpire_view.marks} == {(PORT, 1), (DEEP, 0)}
