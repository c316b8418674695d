"""Fighters against fighters: base contact, evasion, breaking off, and fire at range."""

from __future__ import annotations

import pytest

from engine import stops
from engine.battle import Battle
from engine.pieces.group import Group
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.battle.carriers import craft, deck, duel, resolve_next, start_in_flight, strike
from tests.engine.battle.table import at, events_of, setup

pytestmark = pytest.mark.rule("2e.dogfights")

A, B, C = "r1/fighter-bay-1", "b1/fighter-bay-1", "b1/fighter-bay-2"
D = "r1/fighter-bay-2"


def five_against_four() -> Battle:
    """Return A with five craft and B with four, 8 MU apart."""
    return start_in_flight(duel(), (A, 50, 60, 3, 5), (B, 58, 60, 3, 4))


def locked() -> Battle:
    """Return the same a turn later, in base contact after one round: A has three craft, B one."""
    closed = resolve_next(five_against_four(), {"fighters": {A: f"dogfight {B}"}})
    return resolve_next(resolve_next(closed, dogfight=[2, 2, 6, 4, 1, 3, 1, 5, 5]))


def test_worked_dogfight_of_five_against_four() -> None:
    closed = resolve_next(five_against_four(), {"fighters": {A: f"dogfight {B}"}})
    assert [(event.group, event.target) for event in events_of(closed, "dogfight")] == [(A, B)]
    assert (closed.state.piece(Group, A).x, closed.state.piece(Group, A).y) == (57, 60)
    after = resolve_next(closed, dogfight=[2, 2, 6, 4, 1, 3, 1, 5, 5])
    assert [
        (event.group, event.dice, event.hits) for event in events_of(after, "fighters-fired")
    ] == [
        (A, (2, 2, 6, 4, 1), 3),
        (B, (3, 1, 5, 5), 2),
    ]
    assert craft(after) == {A: 3, B: 1}


def test_last_fighter_breaking_off_takes_a_parting_shot() -> None:
    battle = locked()
    after = resolve_next(
        battle,
        {"fighters": {B: "to 66 60", A: "to 63 60; face 3"}},
        dogfight=[1, 2, 3],
        initiative=[1, 6],
    )
    assert [event.armament for event in events_of(after, "fighters-fired")] == ["parting"]
    runner, shot_at = (after.state.piece(Group, name) for name in (A, B))
    assert (shot_at.x, runner.x, runner.this_turn.has_fired) == (66, 63, True)
    assert (runner.dogfight, shot_at.dogfight) == ("", "")
    fired = resolve_next(after, {"engage": {A: strike(B)}})
    assert [event.reason for event in events_of(fired, "shot-refused")] == [
        "it has already fired this turn"
    ]
    assert craft(fired) == {A: 3, B: 1}


def test_group_breaking_off_may_be_shot_down() -> None:
    after = resolve_next(locked(), {"fighters": {B: "to 66 60"}}, dogfight=[1, 4, 3])
    assert craft(after) == {A: 3}
    assert events_of(after, "group-moved") == []


def test_dogfight_continues_if_nobody_breaks_off() -> None:
    battle = locked()
    assert craft(resolve_next(resolve_next(battle), dogfight=[1, 1, 1, 1])) == {A: 3, B: 1}
    again = resolve_next(battle, {"fighters": {A: f"dogfight {B}", B: "evade"}})
    assert (events_of(again, "broke-off"), craft(resolve_next(again, dogfight=[5, 1, 1, 1]))) == (
        [],
        {A: 3},
    )


def test_moved_group_cannot_evade_and_others_evade_under_fire() -> None:
    orders = {"fighters": {A: f"dogfight {B}", B: "to 58 66; evade"}}
    second = resolve_next(five_against_four(), orders, initiative=[6, 1], dogfight=[4, 1, 1, 1, 1])
    assert [event.armament for event in events_of(second, "fighters-fired")] == ["parting"]
    assert events_of(second, "dogfight") == []
    assert (second.state.piece(Group, B).y, craft(second)) == (66, {A: 5, B: 3})
    assert second.state.piece(Group, A).this_turn.has_fired
    first = resolve_next(five_against_four(), orders, initiative=[1, 6])
    assert [(event.group, event.target) for event in events_of(first, "dogfight")] == [(A, B)]
    assert (first.state.piece(Group, B).y, craft(first)) == (66, {A: 5, B: 4})


def test_caught_group_that_does_not_evade_must_fight() -> None:
    orders = {"fighters": {A: f"dogfight {B}", B: "to 58 66"}}
    after = resolve_next(five_against_four(), orders, initiative=[6, 1])
    assert (after.state.piece(Group, B).y, after.state.piece(Group, A).dogfight) == (60, B)
    assert [event.group for event in events_of(after, "flight-refused")] == [B]


def test_evasion_without_a_destination_is_straight_away() -> None:
    after = resolve_next(
        five_against_four(), {"fighters": {A: f"dogfight {B}", B: "evade"}}, dogfight=[1] * 5
    )
    fled = after.state.piece(Group, B)
    assert (fled.x, fled.y, fled.course) == (70, 60, 3)


def test_side_with_most_groups_moves_first_without_dice() -> None:
    battle = start_in_flight(duel(), (A, 50, 60, 3, 5), (D, 50, 90, 3, 6), (B, 58, 60, 3, 4))
    after = resolve_next(battle, {"fighters": {A: f"dogfight {B}", B: "to 58 66", D: "to 50 95"}})
    assert events_of(after, "initiative") == []
    assert after.state.piece(Group, A).dogfight == B


def test_irrelevant_tie_is_not_rolled() -> None:
    after = resolve_next(five_against_four(), {"fighters": {A: "to 52 60", B: "to 58 66"}})
    assert [event.group for event in events_of(after, "group-moved")] == [A, B]
    assert events_of(after, "initiative") == []


def test_group_out_of_reach_flies_toward_its_enemy() -> None:
    battle = start_in_flight(duel(), (A, 40, 60, 3, 5), (B, 58, 60, 3, 4))
    after = resolve_next(battle, {"fighters": {A: f"dogfight {B}"}})
    assert (after.state.piece(Group, A).x, events_of(after, "dogfight")) == (52, [])
    nearer = start_in_flight(duel(), (A, 45, 60, 3, 5), (B, 58, 60, 3, 4))
    assert (
        resolve_next(nearer, {"fighters": {A: f"dogfight {B}"}}).state.piece(Group, A).dogfight == B
    )


def test_two_groups_may_engage_one_which_chooses_its_target() -> None:
    battle = start_in_flight(duel(), (A, 57, 60, 3, 2), (D, 59, 60, 9, 2), (B, 58, 60, 3, 2))
    closed = resolve_next(battle, {"fighters": {A: f"dogfight {B}", D: f"dogfight {B}"}})
    chosen = resolve_next(closed, {"engage": {B: strike(D)}}, dogfight=[1, 1, 1, 1, 4, 4])
    assert craft(chosen) == {A: 2, B: 2}
    assert craft(resolve_next(closed, dogfight=[4, 1, 1, 1, 6, 1])) == {D: 2, B: 1}


def test_engaged_group_fires_only_at_its_opponent() -> None:
    battle = start_in_flight(duel(), (A, 57, 60, 3, 2), (D, 59, 60, 9, 2), (B, 58, 60, 3, 2))
    closed = resolve_next(battle, {"fighters": {A: f"dogfight {B}", D: f"dogfight {B}"}})
    later = resolve_next(resolve_next(closed, dogfight=[1] * 6))
    after = resolve_next(later, {"fighters": {A: "to 50 60"}})
    assert (events_of(after, "fighters-fired"), after.state.piece(Group, D).dogfight) == ([], B)
    assert [event.group for event in events_of(after, "broke-off")] == [A]


def test_nobody_fires_out_of_or_into_a_dogfight() -> None:
    document = setup(
        [deck("r1", 20, 60, bays=6), deck("r2", 57, 62, adaf=1)],
        [deck("b1", 60, 60, bays=6, pdaf=2)],
    )
    battle = start_in_flight(document, (A, 57, 60, 3, 2), (D, 54, 60, 3, 2), (B, 58, 60, 3, 2))
    closed = resolve_next(battle, {"fighters": {A: f"dogfight {B}"}})
    orders = {
        "engage": {
            "r2": [{"weapon": "adaf-1", "target": B}],
            "b1": [{"weapon": "pdaf-1", "target": A}],
            A: strike("b1"),
            D: strike(B),
        }
    }
    after = resolve_next(closed, orders, dogfight=[1, 1, 1, 1])
    assert sorted(event.ship for event in events_of(after, "shot-refused")) == ["b1", A, D, "r2"]
    assert at(after, "b1").damage == 0


def test_attacked_group_fires_back_only_within_its_arc() -> None:
    for course, dice, survivors in ((9, [4, 1, 6, 1], {A: 0, B: 1}), (3, [4, 1], {A: 2, B: 1})):
        battle = start_in_flight(duel(), (A, 50, 60, 3, 2), (B, 56, 60, course, 2), stop="engage")
        after = resolve_next(battle, {"engage": {A: strike(B)}}, fighter=dice)
        assert {name: craft(after).get(name, 0) for name in survivors} == survivors


def test_group_with_its_own_attack_does_not_fire_back() -> None:
    document = setup(
        [deck("r1", 20, 60, bays=6), deck("r2", 53, 62)], [deck("b1", 100, 60, bays=6)]
    )
    battle = start_in_flight(document, (A, 50, 60, 3, 1), (B, 56, 60, 9, 1), stop="engage")
    after = resolve_next(battle, {"engage": {A: strike(B), B: strike("r2")}}, fighter=[6, 5])
    assert (at(after, "r2").damage, craft(after)) == (2, {A: 1})


def test_ranged_fire_between_groups_is_simultaneous() -> None:
    battle = start_in_flight(duel(), (A, 50, 60, 3, 1), (B, 56, 60, 9, 1), stop="engage")
    after = resolve_next(battle, {"engage": {A: strike(B), B: strike(A)}}, fighter=[6, 6])
    assert craft(after) == {}


def test_foreign_group_is_named_by_contact_in_view_and_log() -> None:
    battle = start_in_flight(duel(), (A, 50, 60, 3, 5), (B, 58, 60, 3, 4))
    orders, wrong = stops.read_orders(battle, 0, {"fighters": {A: "dogfight flight-2"}})
    assert (wrong, orders is not None) == ((), True)
    assert (
        stops.read_orders(battle, 0, {"fighters": {A: f"dogfight {B}"}})[1][0].code
        == "unknown-target"
    )
    closed = resolve_next(battle, {"fighters": {A: f"dogfight {B}"}})
    view = observe(closed.state, 0).to_json()
    assert (view["groups"][0]["dogfight"], view["flyers"][0]["dogfight"]) == ("flight-2", "")
    theirs = observe(closed.state, 1).to_json()
    assert (theirs["groups"][0]["id"], theirs["flyers"][0]["dogfight"]) == (B, B)
    assert [
        line["target"] for line in side_log(closed.events, battle.state, 0) if "target" in line
    ] == ["flight-2"]
    assert closed.state.piece(Group, A).dogfight == B


def test_void_order_names_foreign_groups_by_contact() -> None:
    battle = start_in_flight(duel(), (A, 50, 60, 3, 5), (B, 58, 60, 3, 4), (C, 50, 90, 3, 4))
    orders = {"fighters": {B: f"dogfight {A}; face 3", A: f"dogfight {C}; face 3"}}
    after = resolve_next(battle, orders)
    (line,) = [
        line
        for line in side_log(after.events, battle.state, 0)
        if line["event"] == "flight-refused"
    ]
    assert (line["group"], line["order"]) == (A, "dogfight flight-3; face 3")
    assert "b1" not in str(side_log(after.events, battle.state, 0))
