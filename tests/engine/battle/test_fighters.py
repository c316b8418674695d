"""Fighters: launch and landing, moves and attacks, and what happens when their ships are lost."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine import stops
from engine.battle import Battle, battle_from
from engine.core.dice import Dice
from engine.core.kinds import DESTROYED
from engine.fighters.flights import heading
from engine.pieces.asteroid import Asteroid
from engine.pieces.group import Group
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.battle.carriers import (
    craft,
    deck,
    duel,
    resolve_next,
    start_in_flight,
    stock,
    strike,
)
from tests.engine.battle.table import at, classes, events_of, play, setup

pytestmark = pytest.mark.rule("2e.fighters")


def faults(battle: Battle, side: int, document: dict[str, Any]) -> list[str]:
    return [fault.message for fault in stops.read_orders(battle, side, document)[1]]


def test_groups_launch_at_mid_move_and_fly_the_same_turn() -> None:
    carrier = deck("r1", 20, 60, 3, bays=6, velocity=8)
    turn = {
        "plot": {"r1": "launch fighter-bay-1 bay-2"},
        "fighters": {"r1/fighter-bay-1": "to 36 60; face 1"},
    }
    battle = play(setup([carrier], [deck("b1", 100, 60)]), [turn])
    assert (at(battle, "r1").x, at(battle, "r1").y) == (28, 60)
    assert stock(battle, "r1") == [0, 0, 6, 6, 6, 6]
    first, second = battle.state.pieces_of(Group)
    assert (first.id, first.contact, first.craft) == ("r1/fighter-bay-1", "flight-1", 6)
    assert (second.id, second.contact, second.craft) == ("r1/fighter-bay-2", "flight-2", 6)
    assert (first.x, first.y, first.course) == (36, 60, 1)
    assert (second.x, second.y, second.course) == (24, 60, 3)


def test_launched_group_flies_at_most_12_mu() -> None:
    carrier = deck("r1", 20, 60, 3, bays=1, velocity=8)
    turn = {"plot": {"r1": "launch bay-1"}, "fighters": {"r1/fighter-bay-1": "to 24 72.01"}}
    battle = play(setup([carrier], [deck("b1", 100, 60)]), [turn])
    assert [event.reason for event in events_of(battle, "flight-refused")] == [
        ("it can fly only 12 MU a turn")
    ]
    assert (battle.state.pieces_of(Group)[0].x, battle.state.pieces_of(Group)[0].y) == (24, 60)


@pytest.mark.parametrize(
    ("ship", "plot", "why"),
    [
        ({"bays": 6}, "S1; launch bay-1", "must keep its course and velocity"),
        ({"bays": 6}, "+1; launch bay-1", "must keep its course and velocity"),
        ({"bays": 6}, "launch bay-1 bay-2 bay-3", "it can launch 2 a turn, not 3"),
        ({"bays": 3}, "launch bay-1 bay-2", ""),
        ({"bays": 2}, "launch bay-1 bay-2", "it can launch 1 a turn, not 2"),
        ({"bays": 2}, "launch bay-2", ""),
        ({"bays": 2}, "launch bay-3", "no fighter bay 'fighter-bay-3'"),
        ({"bays": 2}, "launch drive", "no fighter bay 'drive'"),
        ({"bays": 6}, "launch bay-1 fighter-bay-1", "can launch only once"),
        ({"bays": 2, "lost": ["fighter-bay-1"]}, "launch bay-1", "out of action"),
        ({"bays": 2, "stock": {"fighter-bay-1": 0}}, "launch bay-1", "is empty"),
        ({"bays": 2}, "ftl; launch bay-1", "FTL drive is warming up"),
    ],
)
def test_possible_and_impossible_launches(ship: dict[str, Any], plot: str, why: str) -> None:
    document = setup([deck("r1", 20, 60, 3, velocity=4, **ship)], [deck("b1", 100, 60)])
    battle = play(document, [])
    messages = faults(battle, 0, {"plot": {"r1": plot}})
    assert len(messages) == (1 if why else 0)
    assert why in "".join(messages)
    after = resolve_next(battle, {"plot": {"r1": plot}})
    assert bool(after.state.pieces_of(Group)) is not bool(why)
    assert [why in event.reason for event in events_of(after, "order-refused")] == (
        [True] if why else []
    )


def test_bay_of_a_flying_group_launches_nothing() -> None:
    battle = start_in_flight(duel(), ("r1/fighter-bay-1", 30, 60, 3, 4), stop="plot")
    at(battle, "r1").stock[at(battle, "r1").profile.bays[0]] = 2  # others have landed there
    assert faults(battle, 0, {"plot": {"r1": "launch bay-1"}}) == [
        "r1: the group of fighter-bay-1 is in flight"
    ]


def test_nothing_launches_beyond_the_edge() -> None:
    carrier = deck("r1", 2, 60, 9, bays=1, velocity=8)
    battle = play(
        setup([carrier], [deck("b1", 100, 60)]), [{"plot": {"r1": "launch bay-1"}}], re_entry=[5]
    )
    assert [event.reason for event in events_of(battle, "order-refused")] == [
        "it cannot launch fighters off the table"
    ]
    assert (stock(battle, "r1"), battle.state.pieces_of(Group)) == ([6], [])


def test_launch_reveals_a_bogey_and_its_group_by_contact() -> None:
    red = deck("r1", 20, 10, 3, bays=1, contact="x1")
    battle = play(setup([red], [deck("b1", 20, 100)], bogeys=True), [])
    after = resolve_next(battle, {"plot": {"r1": "launch bay-1"}})
    assert not at(after, "r1").bogey
    log = side_log(after.events, battle.state, 1)
    assert [line["event"] for line in log if line["event"] != "moved"] == [
        "contact-identified",
        "launched",
    ]
    assert "r1" not in json.dumps(log)
    (launched,) = [line for line in log if line["event"] == "launched"]
    assert (launched["ship"], launched["group"], launched["craft"]) == ("x1", "flight-1", 6)
    (flyer,) = observe(after.state, 1).to_json()["flyers"]
    assert flyer == {
        "id": "flight-1",
        "side": 0,
        "at": [20.0, 10.0],
        "course": 3,
        "craft": 6,
        "dogfight": "",
    }
    own = [line for line in side_log(after.events, battle.state, 0) if line["event"] == "launched"]
    assert own[0]["group"] == "r1/fighter-bay-1"


@pytest.mark.parametrize(
    ("there", "face", "course"),
    [("40 60", "", 3), ("30 70", "", 12), ("40 60", "; face 9", 9), ("", "face 6", 6)],
)
def test_group_moves_and_faces_any_way(there: str, face: str, course: int) -> None:
    battle = start_in_flight(duel(), ("r1/fighter-bay-1", 30, 60, 3, 6))
    order = f"to {there}{face}" if there else face
    after = resolve_next(battle, {"fighters": {"r1/fighter-bay-1": order}})
    group = after.state.pieces_of(Group)[0]
    assert group.course == course
    assert f"{group.x:g} {group.y:g}" == (there or "30 60")
    assert after.state.stop == "engage"


def test_facing_is_the_course_nearest_to_the_flight() -> None:
    assert [heading(0, 1), heading(1, 2), heading(1, 0), heading(-1, -1), heading(-2, 1)] == [
        12,
        1,
        3,
        7,
        10,
    ]


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ("to 42.1 60", "it can fly only 12 MU"),
        ("to 30 -1", "cannot leave the table"),
        ("dogfight r1/fighter-bay-2", "hostile fighters"),
        ("land b1", "ships of their own side"),
        ("land r2", "ships of their own side with fighter bays"),
        ("land r1", "more than 12"),
        ("land r3", "it must land on its own ship r1"),
    ],
)
def test_impossible_flights_are_reported_before_sealing(order: str, why: str) -> None:
    red = [
        deck("r1", 8, 60, bays=6),
        deck("r2", 30, 62),
        deck("r3", 30, 58, bays=1, stock={"fighter-bay-1": 0}),
    ]
    document = setup(red, [deck("b1", 32, 60, 12, bays=6)])
    battle = start_in_flight(
        document, ("r1/fighter-bay-1", 30, 60, 3, 6), ("r1/fighter-bay-2", 30, 64, 3, 6)
    )
    by_contact = order.replace("b1", at(battle, "b1").contact)
    (message,) = faults(battle, 0, {"fighters": {"r1/fighter-bay-1": by_contact}})
    assert why in message
    after = resolve_next(battle, {"fighters": {"r1/fighter-bay-1": order}})
    assert (
        after.state.pieces_of(Group)[0].x,
        after.state.pieces_of(Group)[0].y,
        craft(after)["r1/fighter-bay-1"],
    ) == (30, 60, 6)
    assert [why in event.reason for event in events_of(after, "flight-refused")] == [True]


@pytest.mark.parametrize(("screens", "points"), [(0, 1 + 1 + 2), (1, 1 + 2), (2, 1 + 1), (3, 1)])
def test_strike_rolls_a_beam_die_per_fighter(screens: int, points: int) -> None:
    document = setup([deck("r1", 20, 20, bays=1)], [deck("b1", 60, 66, screens=screens)])
    battle = start_in_flight(document, ("r1/fighter-bay-1", 60, 60, 12, 6), stop="engage")
    after = resolve_next(
        battle, {"engage": {"r1/fighter-bay-1": strike("b1")}}, fighter=[1, 2, 3, 4, 5, 6]
    )
    (fired,) = events_of(after, "fighters-fired")
    assert (fired.hits, fired.screens, fired.range, fired.armament) == (
        points,
        screens,
        6,
        "strike",
    )
    assert at(after, "b1").damage == points


@pytest.mark.parametrize(
    ("x", "y", "course", "fires"),
    [
        (60, 66, 12, True),
        (60, 66.01, 12, False),
        (60, 66, 3, False),
        (60, 66, 6, False),
        (63, 65, 12, True),
    ],
)
def test_fighters_fire_6_mu_in_the_fore_arc(x: float, y: float, course: int, fires: bool) -> None:
    document = setup([deck("r1", 20, 20, bays=1)], [deck("b1", x, y)])
    battle = start_in_flight(document, ("r1/fighter-bay-1", 60, 60, course, 2), stop="engage")
    dice: dict[str, Any] = {"fighter": [4, 4]} if fires else {}
    after = resolve_next(battle, {"engage": {"r1/fighter-bay-1": strike("b1")}}, **dice)
    assert at(after, "b1").damage == (2 if fires else 0)
    assert len(events_of(after, "shot-refused")) == (0 if fires else 1)


@pytest.mark.rule("2e.arcs")
@pytest.mark.parametrize(("die", "damage"), [(1, 2), (2, 0)])
def test_die_decides_on_the_edge_of_the_fore_arc(die: int, damage: int) -> None:
    document = setup([deck("r1", 20, 20, bays=1)], [deck("b1", 64, 64)])
    battle = start_in_flight(document, ("r1/fighter-bay-1", 60, 60, 12, 1), stop="engage")
    after = resolve_next(
        battle, {"engage": {"r1/fighter-bay-1": strike("b1")}}, arc=[die], fighter=[6]
    )
    assert at(after, "b1").damage == damage


def test_group_attacks_the_first_valid_target() -> None:
    blue = [deck("b1", 60, 70), deck("b2", 60, 65), deck("b3", 60, 64)]
    battle = start_in_flight(
        setup([deck("r1", 20, 20, bays=1)], blue),
        ("r1/fighter-bay-1", 60, 60, 12, 1),
        stop="engage",
    )
    orders = [*strike(["b1", "b2", "b3"]), *strike("b3")]
    after = resolve_next(battle, {"engage": {"r1/fighter-bay-1": orders}}, fighter=[6])
    assert [at(after, name).damage for name in ("b1", "b2", "b3")] == [0, 2, 0]
    assert [event.reason for event in events_of(after, "shot-refused")] == [
        "all its craft must fire at the same target"
    ]


@pytest.mark.rule("2e.asteroids")
def test_asteroid_blocks_fighter_fire() -> None:
    battle = start_in_flight(
        setup([deck("r1", 20, 20, bays=1)], [deck("b1", 60, 66)]),
        ("r1/fighter-bay-1", 60, 60, 12, 1),
        stop="engage",
    )
    battle.state.pieces.append(Asteroid("rock-1", 60, 63, 1.0))
    after = resolve_next(battle, {"engage": {"r1/fighter-bay-1": strike("b1")}})
    assert len(events_of(after, "shot-refused")) == 1


@pytest.mark.rule("2e.ftl-exit")
@pytest.mark.parametrize(("die", "survivors"), [(1, 6), (3, 2), (6, 0)])
def test_ftl_blast_hurts_groups_within_6_mu(die: int, survivors: int) -> None:
    document = setup([deck("r1", 60, 20, bays=1, velocity=0)], [deck("b1", 60, 110)])
    battle = start_in_flight(document, ("r1/fighter-bay-1", 60, 26, 3, 6), stop="plot")
    at(battle, "r1").warm = True
    dice: dict[str, Any] = {"ftl": [die]} | ({"damage": [4]} if die == 3 else {})
    after = resolve_next(battle, **dice)
    assert sum(craft(after).values()) == survivors
    assert events_of(after, "ftl-exit")[0].near == ("r1/fighter-bay-1",)
    assert [(event.craft, event.remaining) for event in events_of(after, "craft-lost")] == (
        [] if die == 1 else [(6 - survivors, survivors)]
    )


def test_groups_without_ships_fight_on() -> None:
    document = setup([deck("r1", 20, 20, bays=1)], [deck("b1", 60, 66)], [deck("g1", 90, 90)])
    battle = start_in_flight(document, ("r1/fighter-bay-1", 60, 60, 12, 6))
    at(battle, "r1").status = DESTROYED
    assert stops.awaited_sides(battle) == (0,)
    engaged = resolve_next(battle)
    assert stops.awaited_sides(engaged) == (0, 1, 2)
    after = resolve_next(
        engaged, {"engage": {"r1/fighter-bay-1": strike("b1")}}, fighter=[6] * 5 + [1]
    )
    assert at(after, "b1").damage == 10
    assert craft(after) == {"r1/fighter-bay-1": 6}


def test_launch_and_dogfight_survive_the_document() -> None:
    battle = start_in_flight(
        duel(), ("r1/fighter-bay-1", 50, 60, 3, 6), ("b1/fighter-bay-1", 54, 60, 9, 6)
    )
    after = resolve_next(battle, {"fighters": {"r1/fighter-bay-1": "dogfight b1/fighter-bay-1"}})
    text = json.dumps(after.to_json())
    assert json.dumps(battle_from(json.loads(text)).to_json()) == text
    assert after.state.pieces_of(Group)[0].dogfight == "b1/fighter-bay-1"


def test_printed_classes_carry_their_groups() -> None:
    bays = {
        name: sum(s.count for s in d.systems if s.type == "fighter-bay")
        for name, d in classes().items()
    }
    assert {name: count for name, count in bays.items() if count} == {
        "Battledreadnought": 1,
        "Superdreadnought": 2,
        "Light Carrier": 4,
        "Fleet Carrier": 6,
        "Defence Installation": 4,
        "Starbase": 2,
    }


def test_groups_without_orders_hold() -> None:
    battle = start_in_flight(
        duel(), ("r1/fighter-bay-1", 50, 60, 3, 6), ("b1/fighter-bay-1", 54, 60, 9, 6)
    )
    dice = Dice(1)
    after = resolve_next(resolve_next(battle, dice=dice), dice=dice)
    assert (craft(after), dice.used) == (craft(battle), {})
