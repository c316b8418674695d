"""One's own scenarios over the API: kept, judged, replaced, stored and played by their owner, and
nobody else.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from campaign.models import Campaign, PrivateScenario, ScenarioDraft
from campaign.rules.files import fixture_text
from campaign.services.own_scenarios import MOST_KEPT
from campaign.services.tokens import token_make
from tests.campaign.api.calls import Caller, places, refused, shown

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
API = "/api/own-scenarios/"
FIRST = fixture_text("first-steps")


def person(name: str, read_only: bool = False) -> Caller:
    user = User.objects.create_user(name)
    return Caller(user, token_make(user=user, read_only=read_only), "")


@pytest.fixture
def ann() -> Caller:
    return person("ann")


def kept(who: Caller, **given: str) -> Any:
    return who.post(API, given or {"text": FIRST})


def test_a_scenario_is_kept_read_replaced_and_thrown_away(ann: Caller) -> None:
    made = ann.post(API, {"text": FIRST}, **{"Idempotency-Key": "1"})
    sheet = shown(made, 201)
    assert (sheet["name"], sheet["edition"], sheet["text"], sheet["violations"]) == (
        *("First Steps", "second-edition", FIRST),
        [],
    )
    again = ann.post(API, {"text": FIRST}, **{"Idempotency-Key": "1"})
    assert shown(again, 201) == sheet
    where, tag = made.headers["Location"], made.headers["ETag"]
    assert shown(ann.get(where)) == sheet
    assert ann.get(where, **{"If-None-Match": tag}).status_code == 304
    listed = shown(ann.get(API))
    assert (listed["most"], [(one["id"], one["faults"]) for one in listed["scenarios"]]) == (
        MOST_KEPT,
        [(sheet["id"], 0)],
    )
    broken = ann.put(where, {"text": FIRST.replace('"0304"', '"9999"')}, **{"If-Match": tag})
    assert [fault["where"] for fault in shown(broken)["violations"]] == ["systems[0].hex"]
    refused(ann.put(where, {"text": FIRST}, **{"If-Match": tag}), 412, "lost-update")
    assert places(ann.put(where, {"text": "systems: 3"})) == ["systems"]
    assert shown(ann.get(where))["text"] == shown(broken)["text"], (
        "what was refused changes nothing"
    )
    shown(ann.put(where, {"text": FIRST}))
    assert ann.delete(where).status_code == 204
    refused(ann.get(where), 404)
    assert not ScenarioDraft.objects.exists()


def test_a_copy_of_ours_or_a_text_and_not_both(ann: Caller) -> None:
    assert shown(kept(ann, copy_of="lafayette"), 201)["name"] == "The Lafayette Incident"
    assert places(kept(ann, copy_of="lafayette", text=FIRST)) == ["text"]
    assert places(kept(ann, text="")) == ["text"]
    assert places(kept(ann, copy_of="nowhere")) == ["scenario"]
    assert places(kept(ann, text="battle: x")) == ["battle"]
    assert ScenarioDraft.objects.count() == 1


def test_a_file_is_judged_and_nothing_kept(ann: Caller) -> None:
    assert shown(ann.post(f"{API}check/", {"text": FIRST})) == {"violations": []}
    wrong = shown(ann.post(f"{API}check/", {"text": FIRST.replace("weeks: 3", "weks: 3")}))[
        "violations"
    ]
    assert {fault["where"] for fault in wrong} == {"weks", "weeks"}
    for text in ("? [", "systems: 3", "just words"):
        assert shown(ann.post(f"{API}check/", {"text": text}))["violations"], text
    assert not ScenarioDraft.objects.exists()


def test_a_campaign_is_opened_of_it_by_its_owner_alone(ann: Caller) -> None:
    bob = person("bob")
    where = kept(ann).headers["Location"]
    stored = shown(ann.post(f"{where}store/"))
    assert shown(ann.post(f"{where}store/")) == stored
    assert places(bob.post("/api/campaigns/", {"scenario": stored["scenario"]})) == ["scenario"]
    refused(bob.get(f"/api/scenarios/{stored['scenario']}/"), 404)
    opened = shown(
        ann.post("/api/campaigns/", {"scenario": stored["scenario"], "play": "ember"}), 201
    )
    assert opened["scenario"] == stored["scenario"]
    assert Campaign.objects.get().scenario == PrivateScenario.objects.get().scenario
    shown(ann.put(where, {"text": FIRST.replace("weeks: 3", "weeks: 0")}))
    assert places(ann.post(f"{where}store/")) == ["weeks"]


def test_scenarios_of_others_are_not_there(ann: Caller) -> None:
    bob, where = person("bob"), kept(ann).headers["Location"]
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
        refused(answer, 404)
    assert shown(bob.get(API))["scenarios"] == []
    assert ScenarioDraft.objects.get().text == FIRST
    for path in ("", "check/", "x/", "x/store/", "x/balance/"):
        assert Client().get(f"{API}{path}").status_code == 401
    reader = person("reader", read_only=True)
    assert shown(reader.get(API))["scenarios"] == []
    refused(reader.post(API, {"text": FIRST}), 403, "read-only-token")
