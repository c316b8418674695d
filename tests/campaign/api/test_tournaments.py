"""Tournaments over the API: from their opening to the final table."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.rules.files import fixture_scenario
from campaign.services.scenarios import scenario_import
from campaign.services.tokens import token_make
from tests.campaign.api.calls import Caller, fault_places, json_of
from tests.umpire.services.tournament_site import open_tournament, user_named

pytestmark = [pytest.mark.django_db, pytest.mark.rule("camp.tournament")]
API = "/api/tournaments/"


def named(name: str) -> Caller:
    user = user_named(name)
    return Caller(user, token_make(user=user), "")


def test_a_tournament_from_its_opening_to_the_final_table() -> None:
    tournament = open_tournament(rounds=1)
    olga, ann, bob, eve = (named(name) for name in ("olga", "ann", "bob", "eve"))
    where = f"{API}{tournament.public_id}/"
    details = json_of(olga.get(where))
    for caller in (ann, bob):
        json_of(caller.post(f"{where}join/", {"token": details["token"]}))
    assert ann.post(f"{where}join/", {"token": "wrong"}).status_code == 404
    assert eve.get(where).status_code == 404
    assert json_of(ann.get(where))["token"] is None
    assert ann.post(f"{where}rounds/", {"number": 1}).status_code == 404
    opened: Any = json_of(olga.post(f"{where}rounds/", {"number": 1}))
    (match,) = opened["played"][0]["matches"]
    assert (match["a"], match["b"], match["is_over"]) == (1, 2, False)
    assert json_of(ann.get(f"/api/campaigns/{match['campaign']}/"))["id"] == match["campaign"]
    json_of(olga.post(f"{where}deadline/", {"hours": 4}))
    assert fault_places(olga.post(f"{where}deadline/", {"hours": 1})) == ["hours"]
    result = {"match": 1, "winner": "second", "scored": [10, 30]}
    assert fault_places(olga.post(f"{where}result/", result | {"scored": [1]})) == ["scored"]
    over: Any = json_of(olga.post(f"{where}result/", result))
    assert over["is_over"]
    assert [(row["name"], row["points"]) for row in over["table"]] == [("bob", 3), ("ann", 0)]
    (row,) = json_of(bob.get(API))["tournaments"]
    assert (row["organises"], row["is_over"], row["needs_caller"]) == (False, True, False)
    assert json_of(eve.get(API))["tournaments"] == []


def test_players_leave_and_are_removed_before_the_first_round() -> None:
    tournament = open_tournament("ann", "bob")
    where = f"{API}{tournament.public_id}/"
    assert named("ann").post(f"{where}leave/", {}).status_code == 204
    olga = named("olga")
    assert json_of(olga.post(f"{where}remove/", {"number": 2}))["table"] == []
    old = json_of(olga.get(where))["token"]
    assert json_of(olga.post(f"{where}link/", {}))["token"] != old
    assert json_of(olga.post(f"{where}finish/", {}))["is_over"]


def test_all_faults_of_a_new_tournament() -> None:
    for slug in ("first-steps", "first-battle"):
        scenario_import(scenario=fixture_scenario(slug))
    olga = named("olga")
    body = {"name": "Cup", "scenario": "first-steps", "rounds": 0, "pairing": "cup", "win": -1}
    assert sorted(fault_places(olga.post(API, body))) == ["pairing", "rounds", "scenario", "win"]
    assert fault_places(olga.post(API, body | {"scenario": "nowhere"})) == ["scenario"]
    assert fault_places(olga.post(API, body | {"timetable": "yearly"})) == ["timetable"]
    good = {"name": "Cup", "scenario": "first-battle", "plays": True, "timetable": "daily"}
    answer: Any = json_of(olga.post(API, good), 201)
    assert [row["name"] for row in answer["table"]] == ["olga"]
