"""The umpire's problem list, and actions in several wars over the API."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import resolve
from django.utils import timezone

from campaign.models import Act, Campaign, Notification, Stage
from campaign.services.campaigns import membership_add
from tests.campaign.api.calls import NOT_THERE, War, fault_places, json_of, problem_of, war_at
from tests.umpire.services.wars import start_campaign

pytestmark = pytest.mark.django_db
TROUBLES = "/api/umpire/troubles/"
UNKNOWN_ID = "00000000-0000-0000-0000-000000000007"


@pytest.fixture
def war() -> War:
    return war_at("orders")


def add_war(war: War, name: str, role: str = "umpire", closes_in: int | None = 72) -> Stage:
    """Create one more war, in which the umpire has this role and Frost has no player."""
    campaign, stage = start_campaign(seed=len(name))
    Campaign.objects.filter(pk=campaign.pk).update(name=name)
    membership_add(campaign=campaign, user=war.umpire.user, role=role)
    player = User.objects.create_user(f"ember of {name}")
    ember = campaign.factions.get(key="ember")
    membership_add(campaign=campaign, user=player, role="player", faction=ember)
    campaign.factions.update(admiral="")
    closes = None if closes_in is None else timezone.now() + timedelta(hours=closes_in)
    Stage.objects.filter(pk=stage.pk).update(closes=closes)
    stage.refresh_from_db()
    return stage


def id_of(stage: Stage) -> str:
    return str(stage.branch.campaign.public_id)


def body_rows(*stages: Stage) -> list[dict[str, Any]]:
    return [{"id": id_of(stage), "stage": stage.ordinal} for stage in stages]


def clocks() -> set[tuple[int, datetime | None]]:
    return set(Stage.objects.values_list("pk", "closes"))


def test_list_has_war_kind_time_page_and_resource(war: War) -> None:
    opened = timezone.now() - timedelta(hours=9)
    closes = opened + timedelta(hours=10)
    Stage.objects.filter(pk=war.stage.pk).update(opens=opened, closes=closes)
    empty = add_war(war, "Empty war")
    troubles = json_of(war.umpire.get(TROUBLES))["troubles"]
    seat, closing = troubles
    assert (seat["campaign"], seat["name"], seat["stage"]) == (
        id_of(empty),
        "Empty war",
        empty.ordinal,
    )
    assert (seat["kind"], seat["urgent"], seat["faction"]) == ("empty-seat", True, "frost")
    assert seat["text"].startswith("Nobody plays ")
    assert datetime.fromisoformat(seat["since"]) == empty.branch.campaign.started_at
    assert (closing["kind"], closing["urgent"], closing["faction"]) == ("closing", False, None)
    assert closing["text"] == "ember and frost have not sealed"
    assert (closing["since"], datetime.fromisoformat(closing["until"])) == (None, closes)
    assert closing["resource"] == f"/api/campaigns/{war.umpire.at}/umpire/remind/"
    for trouble in troubles:
        assert resolve(trouble["page"].partition("?")[0]).url_name == "umpire-act"
        assert resolve(trouble["resource"]).url_name != "api-nowhere"
    json_of(war.umpire.post(closing["resource"], {"stage": closing["stage"]}))
    in_german = war.umpire.get(TROUBLES, Accept_Language="de")
    assert in_german.headers["Content-Language"] == "de"
    assert json_of(in_german)["troubles"][0]["text"] != seat["text"]


def test_list_is_private_to_the_umpire(war: War) -> None:
    add_war(war, "War of another umpire's host", role="host")
    assert json_of(war.umpire.get(TROUBLES))["troubles"] == []
    for caller in (war.ember, war.frost, war.host, war.observer, war.stranger):
        assert caller.get(TROUBLES).content == NOT_THERE


@pytest.mark.any_database
def test_list_costs_equal_queries_for_twice_as_many_wars(war: War) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            json_of(war.umpire.get(TROUBLES))
        return len(captured)

    add_war(war, "War 1")
    queries()
    two = queries()
    for number in range(2):
        add_war(war, f"War of number {number}")
    assert queries() == two


def test_several_wars_are_extended_with_results_each(war: War) -> None:
    soon = add_war(war, "Soon war", closes_in=5)
    hosted = add_war(war, "Hosted war", "host")
    never = add_war(war, "Open war", closes_in=None)
    body = {"wars": body_rows(soon, hosted, never), "hours": 24, "reason": "the club is closed"}
    for _ in range(2):
        rows = json_of(war.umpire.post("/api/umpire/extend/", body, Idempotency_Key="once"))["wars"]
    assert [(row["name"], row["succeeded"]) for row in rows] == [
        ("Soon war", True),
        ("Hosted war", True),
        ("Open war", False),
    ]
    for stage, row in zip((soon, hosted), rows, strict=False):
        assert stage.closes is not None
        later = stage.closes + timedelta(hours=24)
        assert (
            Stage.objects.get(pk=stage.pk).closes == later == datetime.fromisoformat(row["closes"])
        )
    assert rows[2]["refusal"]["code"] == "not-allowed"
    assert "no deadline" in rows[2]["refusal"]["message"]
    assert [act.body["reason"] for act in Act.objects.filter(verb="extend")] == [
        "the club is closed"
    ] * 2
    old = {"wars": [{"id": id_of(soon), "stage": soon.ordinal + 1}], "hours": 1}
    (late,) = json_of(war.umpire.post("/api/umpire/extend/", old))["wars"]
    assert late["refusal"]["code"] == "stage-closed"


def test_several_wars_are_reminded_and_paused(war: War) -> None:
    other = add_war(war, "Late war")
    wars = body_rows(war.stage, other)
    reminded = json_of(war.umpire.post("/api/umpire/remind/", {"wars": wars}))["wars"]
    assert [row["reminders"] for row in reminded] == [2, 1]
    again = json_of(war.umpire.post("/api/umpire/remind/", {"wars": wars}))["wars"]
    assert [(row["succeeded"], row["reminders"]) for row in again] == [(True, 0), (True, 0)]
    assert Notification.objects.filter(dedupe_key__contains="by-hand").count() == 3
    until = timezone.now() + timedelta(days=3)
    body = {"wars": [{"id": row["id"]} for row in wars], "until": until.isoformat()}
    paused = json_of(war.umpire.post("/api/umpire/pause/", body))["wars"]
    assert [datetime.fromisoformat(row["paused_until"]) for row in paused] == [until, until]
    assert set(Campaign.objects.filter(paused_until=until)) == {war.campaign, other.branch.campaign}


def test_bad_input_names_every_war_and_changes_nothing(war: War) -> None:
    foreign, _ = start_campaign(seed=9)
    hosted = add_war(war, "Hosted war", "host")
    wars = body_rows(war.stage, hosted, war.stage)
    wars += [
        {"id": str(foreign.public_id), "stage": 1},
        {"id": UNKNOWN_ID, "stage": -1},
        {"id": "x", "stage": 1},
    ]
    before = clocks()
    refusal = problem_of(
        war.umpire.post("/api/umpire/extend/", {"wars": wars, "hours": 0}), 422, "violations"
    )
    assert [(fault["where"], fault["code"]) for fault in refusal["violations"]] == [
        ("wars[2].id", "named-twice"),
        ("wars[3].id", "no-such-campaign"),
        ("wars[4].id", "no-such-campaign"),
        ("wars[5].id", "not-an-id"),
        ("wars[4].stage", "bad-number"),
        ("hours", "bad-number"),
    ]
    messages = [fault["message"] for fault in refusal["violations"]]
    assert messages[1].replace(str(foreign.public_id), UNKNOWN_ID) == messages[2], (
        "hidden is like not there"
    )
    assert fault_places(war.umpire.post("/api/umpire/remind/", {"wars": body_rows(hosted)})) == [
        "wars[0].id"
    ]
    assert fault_places(war.umpire.post("/api/umpire/remind/", {"wars": []})) == ["wars"]
    many = [{"id": UNKNOWN_ID, "stage": 1}] * 101
    assert fault_places(war.umpire.post("/api/umpire/remind/", {"wars": many})) == ["wars"]
    for until in ("2020-01-01T00:00Z", "2026-12-24T00:00"):
        body = {
            "wars": [{"id": war.umpire.at}, {"id": UNKNOWN_ID}],
            "until": until,
            "reason": "x" * 401,
        }
        assert fault_places(war.umpire.post("/api/umpire/pause/", body)) == [
            "wars[1].id",
            "until",
            "reason",
        ]
    assert clocks() == before
    assert not Act.objects.exclude(verb="join").exists()
    assert not Notification.objects.filter(dedupe_key__contains="by-hand").exists()
    assert not Campaign.objects.filter(paused_at__isnull=False).exists()


@pytest.mark.any_database
def test_foreign_and_missing_wars_are_equal(war: War) -> None:
    bodies: dict[str, dict[str, Any]] = {
        "remind": {"wars": body_rows(war.stage)},
        "extend": {"wars": body_rows(war.stage), "hours": 5},
        "pause": {
            "wars": [{"id": war.umpire.at}],
            "until": (timezone.now() + timedelta(days=1)).isoformat(),
        },
    }
    for verb, body in bodies.items():
        nowhere = {**body, "wars": [{**body["wars"][0], "id": UNKNOWN_ID}]}
        for caller in (war.ember, war.observer, war.stranger):
            hidden = caller.post(f"/api/umpire/{verb}/", body)
            none = caller.post(f"/api/umpire/{verb}/", nowhere)
            assert hidden.status_code == 422
            assert (
                hidden.content.replace(war.umpire.at.encode(), UNKNOWN_ID.encode()) == none.content
            )
    assert not Act.objects.exclude(verb="join").exists()


def test_refusal_costs_equal_queries_for_twice_as_many_wars(war: War) -> None:
    def queries(many: int) -> int:
        wars = [{"id": UNKNOWN_ID[:-2] + f"{number:02}", "stage": 1} for number in range(many)]
        with CaptureQueriesContext(connection) as captured:
            assert len(fault_places(war.umpire.post("/api/umpire/remind/", {"wars": wars}))) == many
        return len(captured)

    queries(1)
    assert queries(10) == queries(20)
