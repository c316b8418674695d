"""Damage control of an online battle over the API: shown, checked, sealed, and reported to both."""

from __future__ import annotations

import pytest

from campaign.services.tokens import token_make
from tests.campaign.api.calls import Caller, json_of, problem_of
from tests.umpire.services.damaged_battle import (
    LOST_SYSTEMS,
    OTHER_FACTION,
    OWN_FACTION,
    DamagedBattle,
)

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def test_damage_control_is_read_checked_sealed_and_resolved() -> None:
    war = DamagedBattle()
    at = str(war.campaign.public_id)
    ours, theirs = (
        Caller(war.users[key], token_make(user=war.users[key]), at)
        for key in (OWN_FACTION, OTHER_FACTION)
    )
    (line,) = json_of(ours.get("fights/"))["fights"]
    path = f"fights/{line['id']}/"
    assert (line["state"], line["phase"]["kind"]) == ("open", "control")
    sheet = json_of(ours.get(path))
    ship = sheet["mine"][0]
    own_state = sheet["view"]["own"][ship]
    assert own_state["repairable"] == LOST_SYSTEMS
    parties = own_state["parties"]
    advice = json_of(ours.get(path + "orders/default/"))["orders"]["control"]
    assert advice[ship]["repairs"][-1] == {"system": "drive", "parties": min(parties, 3)}
    wrong = {"control": {ship: {"repairs": [{"system": "drive", "parties": 9}], "dump": True}}}
    violations = json_of(ours.post(path + "orders/check/", wrong))["violations"]
    assert [(fault["where"], fault["code"]) for fault in violations] == [
        (f"control.{ship}.repairs[0].parties", "parties"),
        (f"control.{ship}.repairs", "too-many-parties"),
        (f"control.{ship}", "core-holds"),
    ]
    problem_of(ours.post(path + "orders/seal/", {"orders": wrong}), 422, "violations")
    orders = {"control": {ship: {"repairs": [{"system": "drive", "parties": 1}]}}}
    assert json_of(ours.put(path + "orders/", orders, If_Match="*"))["draft"] == 2
    sealed = json_of(ours.post(path + "orders/seal/", {}), 201)
    assert (sealed["kind"], sealed["orders"]["control"]) == ("control", orders["control"])
    war.resolve_phase()
    for caller in (ours, theirs):
        (line,) = json_of(caller.get("fights/"))["fights"]
        log = json_of(caller.get(f"fights/{line['id']}/"))["log"]
        (repair,) = [event for event in log if event["event"] == "repair"]
        assert (repair["system"], repair["parties"], repair["succeeded"]) == (
            "drive",
            1,
            repair["die"] == 1,
        )
    assert [
        phase["needs_orders"]
        for phase in json_of(theirs.get("fights/" + line["id"] + "/"))["phases"]
    ][:2] == [True, False]


def test_damage_control_orders_are_in_the_schema() -> None:
    war = DamagedBattle(at_control=False)
    caller = Caller(
        war.users[OWN_FACTION], token_make(user=war.users[OWN_FACTION]), str(war.campaign.public_id)
    )
    schemas = json_of(caller.get("/api/schema/"))["components"]["schemas"]
    assert set(schemas["DamageControl"]["properties"]) == {
        *("repairs", "dump", "abandon"),
        *("repel", "marines"),
    }
    assert set(schemas["RepairJob"]["properties"]) == {"system", "parties"}
