"""An online battle over the API: two callers, phase by phase, and nobody else learns of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from campaign.services.tokens import token_make
from engine.core.fair import orders_digest
from engine.core.state import OVER
from tests.campaign.api.calls import NOT_THERE, Caller, caller, json_of, problem_of
from tests.umpire.services.online_war import OnlineWar
from tests.umpire.services.wars import attack
from umpire.services.battle_phases import phase_resolve
from umpire.services.stages import stage_resolve

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
NONCE = "ab" * 16


class Fighting:
    """A war at an online battle, and its callers."""

    def __init__(self) -> None:
        self.war = OnlineWar(umpire=True)
        at = str(self.war.campaign.public_id)
        callers = {
            name: Caller(user, token_make(user=user), at) for name, user in self.war.users.items()
        }
        self.ember, self.frost, self.umpire = callers["ember"], callers["frost"], callers["umpire"]
        self.id = {
            name: json_of(callers[name].get("fights/"))["fights"][0]["id"]
            for name in ("ember", "frost")
        }

    def path(self, name: str, rest: str = "") -> str:
        return f"fights/{self.id[name]}/{rest}"

    def next(self) -> None:
        """Let both seal their captains' proposals, and resolve the phase."""
        stage = self.war.open_phase()
        assert stage is not None
        for user, name in ((self.ember, "ember"), (self.frost, "frost")):
            if json_of(user.get(self.path(name)))["state"] == "open":
                json_of(user.post(self.path(name, "orders/seal/"), {}), 201)
        assert phase_resolve(stage=stage.pk)


@pytest.fixture
def fighting() -> Fighting:
    return Fighting()


def test_battle_is_read_ordered_sealed_and_read_back(fighting: Fighting) -> None:
    ember, path = fighting.ember, fighting.path
    (line,) = json_of(ember.get("fights/"))["fights"]
    assert (line["state"], line["phase"]) == (
        "open",
        {"number": 0, "turn": 1, "kind": "plot", "needs_orders": True},
    )
    first = json_of(ember.get(path("ember")))
    assert set(first["mine"]) == set(first["view"]["own"])
    assert first["battle_document"]["stop"] == "plot"
    advice = json_of(ember.get(path("ember", "orders/default/")))["orders"]
    ship = first["mine"][0]
    orders = {"plot": {ship: "+1"}}

    answer = ember.get(path("ember", "orders/"))
    assert json_of(answer)["orders"]["plot"] == advice["plot"]
    problem_of(ember.put(path("ember", "orders/"), orders), 428, "precondition-required")
    saved = ember.put(path("ember", "orders/"), orders, If_Match=answer.headers["ETag"])
    assert json_of(saved)["draft"] == 2
    problem_of(
        ember.put(path("ember", "orders/"), orders, If_Match=answer.headers["ETag"]),
        412,
        "lost-update",
    )
    once = {"Idempotency_Key": "seal-1"}
    sealed = json_of(ember.post(path("ember", "orders/seal/"), {"nonce": NONCE}, **once), 201)
    assert (
        json_of(ember.post(path("ember", "orders/seal/"), {"nonce": NONCE}, **once), 201) == sealed
    )
    assert sealed["digest"] == orders_digest(sealed["orders"], NONCE)
    assert sealed["orders"]["plot"] == {ship: "+1"}
    assert json_of(ember.get(path("ember")))["state"] == "sealed"
    assert json_of(ember.post(path("ember", "orders/seal/"), {}), 200) == sealed
    problem_of(
        ember.post(path("ember", "orders/seal/"), {"orders": {"plot": {}}}), 409, "already-sealed"
    )
    assert json_of(ember.post(path("ember", "orders/unseal/")))["sealed"] is None
    fighting.next()

    now = json_of(ember.get(path("ember")))
    assert [phase["kind"] for phase in now["phases"]] == ["plot", "engage"]
    phase = json_of(ember.get(path("ember", "phases/0/")))
    assert (phase["before"], phase["after"], phase["log"]) == (
        first["view"],
        now["view"],
        now["log"],
    )
    assert {"moved"} <= {event["event"] for event in phase["log"]}
    assert ember.get(path("ember", "phases/1/")).content == NOT_THERE
    receipts = json_of(ember.get(path("ember", "receipts/")))["receipts"]
    assert [
        (receipt["phase"], receipt["revision"], receipt["withdrawn_at"] is None)
        for receipt in receipts
    ] == [
        (0, 2, True),
        (0, 1, False),
    ]


def test_all_faults_are_reported_and_nothing_is_sealed(fighting: Fighting) -> None:
    ember, path = fighting.ember, fighting.path
    foreign = json_of(fighting.frost.get(path("frost")))["mine"][0]
    ship = json_of(ember.get(path("ember")))["mine"][0]
    wrong = {"plot": {ship: "P9+9", foreign: "+1"}, "engage": {}}
    violations = json_of(ember.post(path("ember", "orders/check/"), wrong))["violations"]
    assert {fault["where"] for fault in violations} == {f"plot.{ship}", f"plot.{foreign}", "engage"}
    assert json_of(ember.get(path("ember", "orders/")))["draft"] == 1
    saved = json_of(ember.put(path("ember", "orders/"), wrong, If_Match="*"))
    assert (saved["draft"], saved["orders"]["plot"], saved["violations"]) == (
        2,
        wrong["plot"],
        violations,
    )
    for body in ({}, {"orders": wrong}):
        refusal = problem_of(ember.post(path("ember", "orders/seal/"), body), 422, "violations")
        assert {fault["where"] for fault in refusal["violations"]} == {
            f"orders.{fault['where']}" for fault in violations
        }
    assert json_of(ember.get(path("ember")))["state"] == "open"
    assert json_of(ember.post(path("ember", "orders/check/"), {"plot": {}}))["violations"] == []


def test_battle_is_hidden_from_everybody_else(fighting: Fighting) -> None:
    campaign = fighting.war.campaign
    strangers = [
        caller("host", campaign, "host"),
        caller("observer", campaign, "observer"),
        caller("nobody", campaign),
    ]
    for outsider in (*strangers, fighting.umpire):
        assert outsider.get("fights/").content == NOT_THERE
    for name, opponent in (("ember", fighting.frost), ("frost", fighting.ember)):
        for rest in ("", "phases/0/", "orders/", "orders/default/", "receipts/"):
            for outsider in (*strangers, fighting.umpire, opponent):
                assert outsider.get(fighting.path(name, rest)).content == NOT_THERE
        for rest in ("orders/check/", "orders/seal/", "orders/unseal/"):
            assert opponent.post(fighting.path(name, rest)).content == NOT_THERE
    for outsider in (strangers[0], strangers[1]):
        before = [outsider.get(path).content for path in ("", "stages/", "ledger/")]
        fighting.next()
        assert [outsider.get(path).content for path in ("", "stages/", "ledger/")] == before


def test_answer_contains_nothing_of_the_other_side(fighting: Fighting) -> None:
    hidden = {
        name: json_of(fighting.__dict__[name].get(fighting.path(name)))["mine"]
        for name in ("ember", "frost")
    }
    for _ in range(5):
        for name, other in (("ember", "frost"), ("frost", "ember")):
            caller: Caller = fighting.__dict__[name]
            texts = [
                caller.get(fighting.path(name, rest)).content.decode()
                for rest in ("", "orders/", "orders/default/")
            ]
            if json_of(caller.get(fighting.path(name)))["phase"]["number"]:
                texts.append(caller.get(fighting.path(name, "phases/0/")).content.decode())
            assert not [
                ship for ship in hidden[other] for text in texts if json.dumps(ship) in text
            ]
        fighting.next()


def test_finished_battle_is_readable_and_asks_for_nothing(fighting: Fighting) -> None:
    fighting.next()
    path = fighting.path("ember")
    fighting.war.stage.refresh_from_db()
    assert stage_resolve(stage=fighting.war.stage.pk, force=True, admiral=attack)
    sheet = json_of(fighting.ember.get(path))
    assert (sheet["state"], sheet["opens"]) == (OVER, None)
    problem_of(fighting.ember.get(path + "orders/"), 409, "stage-closed")
    problem_of(
        fighting.ember.post(path + "orders/seal/", {"orders": {"engage": {}}}), 409, "stage-closed"
    )
    battle: dict[str, Any] = json_of(fighting.ember.get(f"battles/{fighting.id['ember']}/"))
    assert battle["phases"][0] == json_of(fighting.ember.get(path + "phases/0/"))["before"] | {
        "log": json_of(fighting.ember.get(path + "phases/0/"))["log"]
    }
