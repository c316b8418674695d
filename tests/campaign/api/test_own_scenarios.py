"""The caller's own scenarios over the API: saved, checked, replaced, played, and hidden from
others.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from campaign.models import Campaign, PrivateScenario, ScenarioDraft
from campaign.rules.files import fixture_text
from campaign.services.own_scenarios import MAX_STORED
from campaign.services.tokens import token_make
from tests.campaign.api.calls import Caller, fault_places, json_of, problem_of

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
API = "/api/own-scenarios/"
FIRST = fixture_text("first-steps")


def person(name: str, read_only: bool = False) -> Caller:
    user = User.objects.create_user(name)
    return Caller(user, token_make(user=user, read_only=read_only), "")


@pytest.fixture
def ann() -> Caller:
    return person("ann")


def post_scenario(caller: Caller, **fields: str) -> Any:
    return caller.post(API, fields or {"text": FIRST})


def test_scenario_is_saved_read_replaced_and_deleted(ann: Caller) -> None:
    answer = ann.post(API, {"text": FIRST}, **{"Idempotency-Key": "1"})
    sheet = json_of(answer, 201)
    assert (sheet["name"], sheet["edition"], sheet["text"], sheet["violations"]) == (
        *("First Steps", "second-edition", FIRST),
        [],
    )
    again = ann.post(API, {"text": FIRST}, **{"Idempotency-Key": "1"})
    assert json_of(again, 201) == sheet
    where, tag = answer.headers["Location"], answer.headers["ETag"]
    assert json_of(ann.get(where)) == sheet
    assert ann.get(where, **{"If-None-Match": tag}).status_code == 304
    listing = json_of(ann.get(API))
    assert (listing["most"], [(row["id"], row["faults"]) for row in listing["scenarios"]]) == (
        MAX_STORED,
        [(sheet["id"], 0)],
    )
    broken = ann.put(where, {"text": FIRST.replace('"0304"', '"9999"')}, **{"If-Match": tag})
    assert [fault["where"] for fault in json_of(broken)["violations"]] == ["systems[0].hex"]
    problem_of(ann.put(where, {"text": FIRST}, **{"If-Match": tag}), 412, "lost-update")
    assert fault_places(ann.put(where, {"text": "systems: 3"})) == ["systems"]
    assert json_of(ann.get(where))["text"] == json_of(broken)["text"], (
        "what was refused changes nothing"
    )
    json_of(ann.put(where, {"text": FIRST}))
    assert ann.delete(where).status_code == 204
    problem_of(ann.get(where), 404)
    assert not ScenarioDraft.objects.exists()


def test_new_scenario_is_a_copy_or_a_text_not_both(ann: Caller) -> None:
    copy = json_of(post_scenario(ann, copy_of="lafayette"), 201)
    assert copy["name"] == "The Lafayette Incident (copy)"
    assert fault_places(post_scenario(ann, copy_of="lafayette", text=FIRST)) == ["text"]
    assert fault_places(post_scenario(ann, text="")) == ["text"]
    assert fault_places(post_scenario(ann, copy_of="nowhere")) == ["scenario"]
    assert fault_places(post_scenario(ann, text="battle: 3")) == ["battle"]
    assert ScenarioDraft.objects.count() == 1


def test_file_is_checked_without_saving(ann: Caller) -> None:
    assert json_of(ann.post(f"{API}check/", {"text": FIRST})) == {"violations": []}
    wrong = json_of(ann.post(f"{API}check/", {"text": FIRST.replace("weeks: 3", "weks: 3")}))[
        "violations"
    ]
    assert {fault["where"] for fault in wrong} == {"weks", "weeks"}
    for text in ("? [", "systems: 3", "just words"):
        assert json_of(ann.post(f"{API}check/", {"text": text}))["violations"], text
    assert not ScenarioDraft.objects.exists()


def test_only_the_owner_opens_a_campaign_from_a_scenario(ann: Caller) -> None:
    bob = person("bob")
    where = post_scenario(ann).headers["Location"]
    stored_scenario = json_of(ann.post(f"{where}store/"))
    assert json_of(ann.post(f"{where}store/")) == stored_scenario
    assert fault_places(bob.post("/api/campaigns/", {"scenario": stored_scenario["scenario"]})) == [
        "scenario"
    ]
    problem_of(bob.get(f"/api/scenarios/{stored_scenario['scenario']}/"), 404)
    opened = json_of(
        ann.post("/api/campaigns/", {"scenario": stored_scenario["scenario"], "play": "ember"}), 201
    )
    assert opened["scenario"] == stored_scenario["scenario"]
    assert Campaign.objects.get().scenario == PrivateScenario.objects.get().scenario
    json_of(ann.put(where, {"text": FIRST.replace("weeks: 3", "weeks: 0")}))
    assert fault_places(ann.post(f"{where}store/")) == ["weeks"]


def test_scenarios_of_other_users_are_not_found(ann: Caller) -> None:
    bob, where = person("bob"), post_scenario(ann).headers["Location"]
    for answer in (
        *(
            bob.get(where),
            bob.put(where, {"text": FIRST}),
            bob.delete(where),
            bob.post(f"{where}store/"),
        ),
        *(
            bob.get(f"{where}balance/"),
            bob.post(f"{where}balance/"),
            bob.delete(f"{where}balance/"),
        ),
        *(ann.get(f"{API}x/"), ann.get(f"{API}00000000-0000-0000-0000-000000000001/")),
    ):
        problem_of(answer, 404)
    assert json_of(bob.get(API))["scenarios"] == []
    assert ScenarioDraft.objects.get().text == FIRST
    for path in ("", "check/", "x/", "x/store/", "x/balance/"):
        assert Client().get(f"{API}{path}").status_code == 401
    reader = person("reader", read_only=True)
    assert json_of(reader.get(API))["scenarios"] == []
    problem_of(reader.post(API, {"text": FIRST}), 403, "read-only-token")
