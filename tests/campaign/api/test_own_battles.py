"""Own single battles over the API: checked, saved, stored and opened for two players."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from campaign.models import Campaign
from tests.campaign.api.calls import Caller, fault_places, json_of
from tests.campaign.api.test_own_scenarios import API, person
from tests.umpire.services.mustered_battle import FLEET, deployment, scenario_file

pytestmark = [pytest.mark.django_db, pytest.mark.rule("camp.own-battles")]


def text(**battle: Any) -> str:
    return yaml.safe_dump(scenario_file(**battle))


def faults(caller: Caller, document: str) -> list[tuple[str, str]]:
    violations = json_of(caller.post(f"{API}check/", {"text": document}))["violations"]
    return [(fault["where"], fault["code"]) for fault in violations]


def test_two_players_open_a_battle_by_points() -> None:
    ann = person("ann")
    bob = person("bob")
    where = ann.post(API, {"text": text()}).headers["Location"]
    stored = json_of(ann.post(f"{where}store/"))["scenario"]
    assert fault_places(bob.post("/api/campaigns/", {"scenario": stored})) == ["scenario"]
    answer = ann.post("/api/campaigns/", {"scenario": stored, "play": "red"})
    war = json_of(answer, 201)
    host = Caller(ann.user, ann.token, war["id"])
    link = json_of(host.post("invites/", {"role": "player", "faction": "blue"}), 201)
    guest = Caller(bob.user, bob.token, war["id"])
    json_of(guest.post("join/", {"token": link["token"]}))
    json_of(host.post("start/"), 201)
    orders = deployment(*FLEET, decoys=1)
    assert json_of(host.post("orders/check/", orders))["violations"] == []
    json_of(host.post("orders/seal/", {"orders": orders}), 201)
    too_many = deployment(*FLEET, ("Battleship", "Lion"))
    violations = json_of(guest.post("orders/check/", too_many))["violations"]
    assert [(fault["where"], fault["code"]) for fault in violations] == [("deploy", "over-budget")]
    assert Campaign.objects.get().ruleset["battles"] == "online"


def test_faults_of_a_battle_are_at_their_place_in_the_scenario() -> None:
    ann = person("ann")
    assert faults(ann, text()) == []
    assert faults(ann, text(points=5)) == [("battle.points", "no-fleet")]
    assert faults(ann, text(identical=True)) == [("battle.identical", "muster")]
    assert faults(ann, text(edition="continuum")) == [("battle.edition", "other-edition")]
    assert faults(ann, text(captains=True)) == [("battle.captains", "unknown-key")]
    assert faults(ann, text(table=[72.5, 48])) == [("battle.table[0]", "not-whole")]
    ships = [{"id": "r1", "class": "Battleship"}, {"id": "r2", "class": "Yacht"}]
    sides: list[dict[str, Any]] = [
        {"name": "red", "ships": ships[:1]},
        {"name": "blue", "muster": {}},
    ]
    limited = {"sides": sides, "limits": ["patrol"], "barred": ["battery"], "points": 900}
    assert faults(ann, text(**limited)) == [
        ("battle.sides[0].ships[0].class", "barred"),
        ("battle.sides[0].ships[0]", "capital-on-patrol"),
    ]
    sides[0]["ships"] = ships
    assert faults(ann, text(sides=sides)) == [("battle.sides[0].ships[1].class", "unknown-class")]


def test_odd_sides_are_faults_and_no_errors() -> None:
    """Names that are missing, ships beside `muster`, and conditions about ships not yet chosen."""
    ann = person("ann")
    sides: list[dict[str, Any]] = [{"name": "red", "muster": {}}, {"muster": {}}]
    assert ("battle.sides[1].name", "missing") in faults(ann, text(sides=sides))
    sides[1] = {"name": "blue", "muster": {}, "ships": []}
    assert faults(ann, text(sides=sides)) == [
        ("battle.sides[1].muster", "ships-and-muster"),
    ]
    sides[1].pop("ships")
    condition = {"ships": ["red/s1"], "fate": "destroyed", "reason": "the flagship is lost"}
    assert faults(ann, text(sides=sides, victory=[condition])) == [
        ("battle.victory[0].ships", "unknown-ship")
    ]
    many = [{"name": f"side-{number}", "muster": {}} for number in range(5)]
    assert ("battle.table", "not-a-pair") in faults(ann, text(sides=many, table="wide"))
