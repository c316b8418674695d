"""The umpire dashboard over the API: the truth, lists, entries, battles and the clock."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.models import Act, Campaign, IdempotentCall, Snapshot, Stage
from campaign.sight.views import current_sight
from tests.campaign.api.calls import NOT_THERE, War, fault_places, json_of, problem_of, war_at
from tests.umpire.services.wars import resolve_stage

pytestmark = pytest.mark.django_db
HOLD = {"schema": 1}


@pytest.fixture
def war() -> War:
    return war_at("orders")


def test_world_equals_the_snapshot(war: War) -> None:
    head = Snapshot.objects.order_by("-seq")[0]
    sheet = json_of(war.umpire.get("umpire/world/"))
    assert (sheet["seq"], sheet["sha256"], sheet["world"]) == (
        head.seq,
        head.sha256,
        head.world["body"],
    )
    first = json_of(war.umpire.get("umpire/world/?seq=0"))
    assert (first["stage"], first["world"]["fleets"]) == ("deploy", [])
    assert war.umpire.get("umpire/world/?seq=99").content == NOT_THERE
    assert fault_places(war.umpire.get("umpire/world/?seq=x")) == ["seq"]


def test_lists_are_searched_filtered_and_paginated(war: War) -> None:
    world = json_of(war.umpire.get("umpire/world/"))["world"]
    everything = json_of(war.umpire.get("umpire/fleets/"))
    assert [row["key"] for row in everything["results"]] == [
        fleet["key"] for fleet in world["fleets"]
    ]
    embers = json_of(war.umpire.get("umpire/fleets/?faction=ember"))["results"]
    assert {row["faction"] for row in embers} == {"ember"}
    name = embers[0]["name"]
    assert embers[0] in json_of(war.umpire.get(f"umpire/fleets/?search={name.lower()}"))["results"]
    assert json_of(war.umpire.get("umpire/fleets/?search=nothing like it"))["count"] == 0
    page = json_of(war.umpire.get("umpire/ships/?page_size=2&page=2&ordering=-name"))
    names = sorted((ship["name"] for ship in world["ships"]), reverse=True)
    assert [row["name"] for row in page["results"]] == names[2:4]
    assert page["count"] == len(names)
    assert war.umpire.get("umpire/ships/?page=999").content == NOT_THERE
    assert json_of(war.umpire.get("umpire/ships/?condition=damaged"))["count"] == 0
    assert fault_places(war.umpire.get("umpire/ships/?condition=merry")) == ["condition"]
    for condition in ("short", "towed", "laid-up"):
        assert json_of(war.umpire.get(f"umpire/ships/?condition={condition}"))["count"] == 0
    row = page["results"][0]
    assert (row["stock"], row["tug"], row["laid_up"], row["cargo"]) == ([], "", False, "")
    assert {row["key"] for row in json_of(war.umpire.get("umpire/systems/"))["results"]} == {
        holding["system"] for holding in world["holdings"]
    }
    assert json_of(war.umpire.get("umpire/repairs/"))["count"] == 0


def test_umpire_sees_all_submissions(war: War) -> None:
    json_of(war.ember.post("orders/seal/", {"orders": HOLD}), 201)
    seats = json_of(war.umpire.get("umpire/stages/"))["stages"][-1]["seats"]
    assert [(seat["faction"], seat["sealed_at"] is None, seat["awaited"]) for seat in seats] == [
        ("ember", False, False),
        ("frost", True, True),
    ]
    entries = json_of(war.umpire.get("umpire/submissions/"))["entries"]
    assert [(entry["faction"], entry["author"], entry["orders"]) for entry in entries] == [
        ("ember", "ember", HOLD)
    ]
    deployed = json_of(war.umpire.get("umpire/submissions/?stage=0"))["entries"]
    assert [entry["faction"] for entry in deployed] == ["ember", "frost"]
    assert war.umpire.get("umpire/submissions/?stage=99").content == NOT_THERE


def test_each_view_equals_what_the_faction_sees(war: War) -> None:
    for player, key in ((war.ember, "ember"), (war.frost, "frost")):
        assert json_of(war.umpire.get(f"umpire/factions/{key}/view/")) == json_of(
            player.get("view/")
        )
    then = json_of(war.umpire.get("umpire/factions/ember/view/?week=0&stage=deploy"))
    assert then["view"]["faction"] == "ember"
    assert then["seq"] != current_sight(war.campaign, war.campaign.factions.get(key="ember")).seq
    assert war.umpire.get("umpire/factions/x/view/").content == NOT_THERE


@pytest.mark.any_database
def test_battles_are_described_completely() -> None:
    war = war_at("battles", admirals={"ember": "attack"})
    stage = war.stage
    while not json_of(war.umpire.get("umpire/battles/"))["battles"]:
        following = resolve_stage(stage).next
        assert following is not None
        stage = following
    waiting = json_of(war.umpire.get("umpire/battles/"))["battles"][0]
    assert (waiting["status"], waiting["result"]) == ("waiting", None)
    resolve_stage(stage)
    battle_document = json_of(war.umpire.get(f"umpire/battles/{waiting['id']}/"))
    assert battle_document["status"] == "fought"
    assert battle_document["phases"][-1]["seq"] == len(battle_document["phases"]) - 1
    assert json_of(war.umpire.get("umpire/battles/?week=99"))["battles"] == []
    for id in ("x", str(war.campaign.public_id)):
        assert war.umpire.get(f"umpire/battles/{id}/").content == NOT_THERE


def test_stage_is_closed_once_for_repeated_requests(war: War) -> None:
    body = {"stage": war.stage.ordinal, "reason": "the evening is late"}
    assert json_of(war.umpire.post("umpire/resolve/", body), 202)["status"] in (
        "closed",
        "resolved",
    )
    assert json_of(war.umpire.post("umpire/resolve/", body), 202)["ordinal"] == war.stage.ordinal
    assert Act.objects.filter(verb="resolve").count() == 1
    problem_of(war.umpire.post("umpire/resolve/", {"stage": 99}), 409, "stage-closed")
    assert fault_places(war.umpire.post("umpire/resolve/", {"stage": -1})) == ["stage"]
    assert fault_places(war.umpire.post("umpire/resolve/", {"stage": 10**30})) == ["stage"]
    assert fault_places(war.umpire.post("umpire/resolve/", {})) == ["stage"]


def test_deadline_is_extended_once(war: War) -> None:
    problem_of(war.host.post("umpire/extend/", {"stage": 1, "hours": 24}), 403, "not-allowed")
    closes = timezone.now() + timedelta(hours=10)
    Stage.objects.filter(pk=war.stage.pk).update(closes=closes)
    answers = [
        json_of(war.host.post("umpire/extend/", {"stage": 1, "hours": 24}, Idempotency_Key="k"))
        for _ in range(2)
    ]
    assert answers[0] == answers[1]
    assert Stage.objects.get(pk=war.stage.pk).closes == closes + timedelta(hours=24)
    assert fault_places(war.host.post("umpire/extend/", {"stage": 1})) == ["hours"]
    assert fault_places(
        war.host.post("umpire/extend/", {"stage": 1, "until": "2030-01-01T00:00:00"})
    ) == ["until"]
    assert fault_places(war.host.post("umpire/extend/", {"stage": 1, "until": "soon"})) == ["until"]


def test_clock_is_paused_and_resumed(war: War) -> None:
    for _ in range(2):
        assert json_of(war.host.post("umpire/pause/", {"reason": "holidays"}))["paused"]
    assert Campaign.objects.get().paused_at is not None
    for _ in range(2):
        assert not json_of(war.host.post("umpire/resume/"))["paused"]
    verbs = [act["verb"] for act in json_of(war.umpire.get("umpire/acts/"))["acts"]]
    assert verbs == ["resume", "pause"]
    until = (timezone.now() + timedelta(days=2)).replace(microsecond=0)
    for _ in range(2):
        assert json_of(war.host.post("umpire/pause/", {"until": until.isoformat()}))["paused"]
    assert Campaign.objects.get().paused_until == until
    assert fault_places(war.host.post("umpire/pause/", {"until": "2030-01-01T00:00:00"})) == [
        "until"
    ]
    assert fault_places(war.host.post("umpire/pause/", {"until": "2020-01-01T00:00:00Z"})) == [
        "until"
    ]
    assert not json_of(war.umpire.post("umpire/resume/"))["paused"]
    assert Campaign.objects.get().paused_until is None
    newest = json_of(war.umpire.get("umpire/acts/"))["acts"][:2]
    assert [act["verb"] for act in newest] == ["resume", "pause"]


def test_unsealed_players_are_reminded(war: War) -> None:
    stage = {"stage": war.stage.ordinal}
    assert json_of(war.umpire.post("umpire/remind/", stage)) == {"reminders": 2}
    assert json_of(war.umpire.post("umpire/remind/", stage)) == {"reminders": 0}
    assert war.host.post("umpire/remind/", stage).status_code == 404


def test_faction_is_excused(war: War) -> None:
    assert json_of(war.umpire.post("umpire/excuse/", {"faction": "frost"})) == {
        "faction": "frost",
        "week": 1,
    }
    assert json_of(war.umpire.get("umpire/stages/"))["stages"][-1]["seats"][1]["excused"]
    assert fault_places(war.umpire.post("umpire/excuse/", {"faction": "x"})) == ["faction"]
    assert fault_places(war.umpire.post("umpire/excuse/", {"faction": "frost", "week": 99})) == [
        "week"
    ]


def test_password_link_is_not_stored(war: War) -> None:
    links = [
        json_of(
            war.umpire.post("umpire/password-link/", {"username": "ember"}, Idempotency_Key="k"),
            201,
        )
        for _ in "12"
    ]
    assert links[0]["path"].startswith("/")
    assert links[1] == {"path": None}
    assert links[0]["path"] not in IdempotentCall.objects.get().body
    assert war.umpire.post("umpire/password-link/", {"username": "stranger"}).content == NOT_THERE
