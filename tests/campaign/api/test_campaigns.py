"""Campaigns over the API: opening one, inviting, joining, starting."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from campaign.models import Campaign, IdempotentCall, Invite
from campaign.rules.files import fixture_scenario
from campaign.rules.queries import class_name
from campaign.services.scenarios import scenario_import
from campaign.services.tokens import calls_forget, token_make
from campaign.store.documents import scenario_of
from tests.campaign.api.calls import (
    NOT_THERE,
    Caller,
    fault_places,
    json_of,
    lobby,
    problem_of,
    war_at,
)
from tests.umpire.services.test_single_battles import start_single_battle, week_of
from tests.umpire.services.wars import SMALL
from umpire.services.stages import stage_resolve

pytestmark = pytest.mark.django_db
CAMPAIGNS = "/api/campaigns/"
PART = ("campaign", "name", "roles", "faction")
STANDING = ("name", "roles", "faction", "state", "paused", "stage", "wants")


@pytest.fixture
def host() -> Caller:
    return lobby()[1]


def test_scenarios_are_listed_and_described(host: Caller) -> None:
    line = json_of(host.get("/api/scenarios/"))["scenarios"][0]
    assert (line["slug"], [power["key"] for power in line["factions"]]) == (
        SMALL,
        ["ember", "frost"],
    )
    assert json_of(host.get(f"/api/scenarios/{SMALL}/"))["scenario"]["catalogue"]
    assert host.get("/api/scenarios/nothing/").content == NOT_THERE


def test_creator_of_a_campaign_is_its_host(host: Caller) -> None:
    body = {
        "scenario": SMALL,
        "name": "Ours",
        "timetable": "evening",
        "zone": "Europe/Berlin",
        "play": "ember",
        "class_names": {"frost": "nac"},
    }
    answer = host.post(CAMPAIGNS, body)
    sheet = json_of(answer, 201)
    assert (sheet["name"], sheet["state"], sheet["roles"]) == ("Ours", "lobby", ["host", "player"])
    assert (sheet["faction"], sheet["timetable"]["zone"]) == ("ember", "Europe/Berlin")
    assert json_of(host.get(answer.headers["Location"])) == sheet
    newest = Campaign.objects.get(name="Ours")
    assert class_name(scenario_of(newest), "frost", "Destroyer") == "Ticonderoga"
    names = [line["name"] for line in json_of(host.get(CAMPAIGNS))["campaigns"]]
    assert sorted(names)[-1] == "Ours"
    mine = [
        {name: line[name] for name in PART} for line in json_of(host.get(CAMPAIGNS))["campaigns"]
    ]
    assert json_of(host.get("/api/me/"))["parts"] == mine


def listed_wars(caller: Caller) -> dict[str, tuple[str, str, bool]]:
    """Return the state and next action of somebody's wars; the list must agree with each war's
    sheet.
    """
    lines = json_of(caller.get(CAMPAIGNS))["campaigns"]
    for line in lines:
        sheet = json_of(caller.get(f"/api/campaigns/{line['campaign']}/"))
        assert {name: line[name] for name in STANDING} == {name: sheet[name] for name in STANDING}
    return {
        line["campaign"]: (line["state"], line["wants"]["task"], line["wants"]["due"])
        for line in lines
    }


def test_list_shows_state_and_next_action_of_each_war() -> None:
    war = war_at("decisions")
    ember = war.ember
    second = json_of(
        ember.post(CAMPAIGNS, {"scenario": SMALL, "name": "A second", "play": "frost"}), 201
    )["id"]
    first = str(war.campaign.public_id)
    assert listed_wars(ember) == {
        first: ("war", "decisions", True),
        second: ("lobby", "begin", True),
    }
    assert [listed_wars(caller) for caller in war.callers[2:]] == [
        {first: ("war", "host", False)},
        {first: ("war", "umpire", False)},
        {first: ("war", "watch", False)},
        {},
    ]
    json_of(ember.post("orders/seal/", {"orders": {"decide": []}}), 201)
    assert listed_wars(ember)[first] == ("war", "wait", False)
    assert listed_wars(war.frost)[first] == ("war", "decisions", True)


@pytest.mark.any_database
def test_list_marks_finished_wars() -> None:
    campaign = start_single_battle("first-battle", "captains")
    user = User.objects.get(username="nac")
    nac, war = Caller(user, token_make(user=user), ""), str(campaign.public_id)
    assert listed_wars(nac) == {war: ("war", "doctrine", True)}
    assert stage_resolve(stage=week_of(campaign).pk, force=True) is not None
    assert listed_wars(nac) == {war: ("over", "over", False)}
    fleets = json_of(nac.get(f"{CAMPAIGNS}{war}/fleets/"))["fleets"]
    assert fleets
    for fleet in fleets:
        assert json_of(nac.get(f"{CAMPAIGNS}{war}/reach/?fleet={fleet['key']}"))["hexes"] == []


def test_new_campaign_reports_every_fault(host: Caller) -> None:
    before = Campaign.objects.count()
    assert fault_places(
        host.post(CAMPAIGNS, {"scenario": SMALL, "play": "x", "admirals": {"y": "bold"}})
    ) == [
        "play",
        "admirals.y",
    ]
    assert fault_places(host.post(CAMPAIGNS, {"scenario": "nothing"})) == ["scenario"]
    names = {"ember": "nobody", "nowhere": "nac"}
    assert fault_places(host.post(CAMPAIGNS, {"scenario": SMALL, "class_names": names})) == [
        "class_names.ember",
        "class_names.nowhere",
    ]
    assert fault_places(host.post(CAMPAIGNS, {"scenario": SMALL, "timetable": "hourly"})) == [
        "timetable"
    ]
    assert fault_places(
        host.post(CAMPAIGNS, {"scenario": SMALL, "timetable": {"zone": "Moon"}})
    ) == ["timetable.zone"]
    assert fault_places(host.post(CAMPAIGNS, {"name": 1, "umpire": "yes", "more": 1})) == [
        "more",
        "name",
        "scenario",
        "umpire",
    ]
    assert Campaign.objects.count() == before


def test_repeated_call_opens_one_campaign(host: Caller) -> None:
    before = Campaign.objects.count()
    answers = [host.post(CAMPAIGNS, {"scenario": SMALL}, Idempotency_Key="k") for _ in range(3)]
    assert Campaign.objects.count() == before + 1
    assert len({answer.content for answer in answers}) == 1
    assert {answer.headers["Location"] for answer in answers} == {answers[0].headers["Location"]}
    problem_of(
        host.post(CAMPAIGNS, {"scenario": "nothing"}, Idempotency_Key="l"), 422, "violations"
    )
    json_of(
        host.post(CAMPAIGNS, {"scenario": SMALL}, Idempotency_Key="l"), 201
    )  # the failure left no trace


def test_answers_expire_after_a_week(host: Caller) -> None:
    json_of(host.post(CAMPAIGNS, {"scenario": SMALL}, Idempotency_Key="k"), 201)
    assert calls_forget(now=timezone.now() + timedelta(days=6)) == 0
    assert calls_forget(now=timezone.now() + timedelta(days=8)) == 1
    assert not IdempotentCall.objects.exists()


@pytest.mark.any_database
def test_invitation_is_accepted_and_the_war_begins() -> None:
    _, host, guest = lobby()
    invite = json_of(host.post("invites/", {"role": "player", "faction": "frost"}), 201)
    assert [line["id"] for line in json_of(host.get("invites/"))["invites"]] == [invite["id"]]
    assert guest.get("").content == NOT_THERE
    assert guest.post("join/", {"token": "wrong"}).content == NOT_THERE
    joined = json_of(guest.post("join/", {"token": invite["token"]}))
    assert (joined["faction"], joined["roles"]) == ("frost", ["player"])
    assert json_of(guest.post("join/", {"token": invite["token"]})) == joined
    assert json_of(host.get("invites/"))["invites"] == []
    assert [seat["players"] for seat in json_of(guest.get("seats/"))["seats"]] == [[], ["stranger"]]
    problem_of(guest.get("orders/"), 409, "not-started")
    assert guest.get("view/").content == NOT_THERE
    assert guest.post("start/").content == NOT_THERE
    assert json_of(host.post("start/"), 201)["kind"] == "deploy"
    problem_of(host.post("start/"), 409, "already-started")
    assert json_of(guest.get(""))["state"] == "war"
    assert json_of(guest.get("orders/"))["faction"] == "frost"


def test_revoked_invitation_leaves_no_secret() -> None:
    _, host, guest = lobby()
    invite = json_of(host.post("invites/", {"role": "observer"}, Idempotency_Key="k"), 201)
    again = json_of(host.post("invites/", {"role": "observer"}, Idempotency_Key="k"), 201)
    assert (again["id"], again["token"]) == (invite["id"], None)
    assert invite["token"] not in IdempotentCall.objects.get().body
    assert Invite.objects.count() == 1
    assert host.delete(f"invites/{invite['id']}/").status_code == 204
    assert host.delete(f"invites/{invite['id']}/").status_code == 204
    assert guest.post("join/", {"token": invite["token"]}).content == NOT_THERE
    assert fault_places(host.post("invites/", {"role": "player"})) == ["faction"]
    assert fault_places(host.post("invites/", {"role": "king"})) == ["role"]


def test_forbidden_invitations_say_why() -> None:
    war = war_at("orders")
    problem_of(war.ember.post("invites/", {"role": "umpire"}), 403, "not-allowed")
    json_of(war.ember.post("invites/", {"role": "staff", "faction": "ember"}), 201)
    assert war.observer.post("invites/", {"role": "observer"}).content == NOT_THERE


def test_host_takes_a_free_faction_and_the_computer_another() -> None:
    _, host, _ = lobby()
    after_taking = json_of(host.post("seats/take/", {"faction": "ember"}))
    assert [seat["players"] for seat in after_taking["seats"]] == [["host"], []]
    assert json_of(host.post("seats/take/", {"faction": "ember"})) == after_taking
    after_leaving = json_of(host.post("seats/computer/", {"faction": "ember", "character": "bold"}))
    assert (after_leaving["seats"][0]["players"], after_leaving["seats"][0]["admiral"]) == (
        [],
        "bold",
    )
    assert fault_places(host.post("seats/computer/", {"faction": "ember", "character": "lazy"}))


def test_player_leaves_a_seat() -> None:
    war = war_at("orders")
    assert war.observer.post("seats/leave/").status_code == 204
    assert json_of(war.observer.get(""))["roles"] == []  # public pages stay open
    problem_of(war.observer.get("invites/"), 403, "seat-ended")
    problem_of(war.host.post("seats/leave/"), 403, "not-allowed")


@pytest.mark.any_database
def test_campaign_document_contains_no_secret() -> None:
    war = war_at("orders")
    for caller in war.callers[:5]:
        for path in ("", "seats/", "stages/", "ledger/", "map/"):
            text = caller.get(path).content.decode()
            assert war.campaign.seed not in text
            assert war.campaign.id_secret not in text
            assert war.campaign.dice_key not in text
    assert json_of(war.ember.get(""))["seed_sha256"] == war.campaign.seed_sha256


def test_newest_version_of_a_scenario_is_listed(host: Caller) -> None:
    newer = scenario_import(scenario=replace(fixture_scenario(SMALL), name="Again"))
    assert [
        (line["version"], line["name"])
        for line in json_of(host.get("/api/scenarios/"))["scenarios"]
    ] == [(newer.version, "Again")]
