"""Orders over the API: whole sets, lost updates, all faults at once, sealing, receipts."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from campaign.models import Draft, IdempotentCall, Stage, Submission
from engine.core.canonical import canonical_json
from tests.campaign.api.calls import War, fault_places, json_of, problem_of, war_at
from tests.umpire.services.wars import resolve_stage

pytestmark = pytest.mark.django_db
NONCE = "00112233445566778899aabbccddeeff"
HOLD = {"schema": 1}


@pytest.fixture
def war() -> War:
    return war_at("orders")


def a_move(war: War) -> dict[str, object]:
    """Return orders that send one fleet of Ember's to a hex in reach."""
    for fleet in json_of(war.ember.get("fleets/"))["fleets"]:
        near = json_of(war.ember.get(f"reach/?fleet={fleet['key']}"))["hexes"]
        if near:
            return {"schema": 1, "moves": [{"fleet": fleet["key"], "to": near[0]["hex"]}]}
    raise AssertionError("ember has no fleet that can move")


def test_orders_are_read_written_and_read_again(war: War) -> None:
    first = war.ember.get("orders/")
    sheet = json_of(first)
    assert (sheet["faction"], sheet["draft"], sheet["orders"], sheet["sealed"]) == (
        "ember",
        0,
        HOLD,
        None,
    )
    assert (sheet["stage"]["week"], sheet["stage"]["kind"], sheet["stage"]["status"]) == (
        1,
        "orders",
        "open",
    )
    move = a_move(war)
    saved = war.ember.put("orders/", move, If_Match=first.headers["ETag"])
    assert json_of(saved)["orders"] == move
    assert saved.headers["ETag"] != first.headers["ETag"]
    again = war.ember.get("orders/")
    assert again.content == saved.content
    assert again.headers["ETag"] == saved.headers["ETag"]
    assert war.ember.get("orders/", If_None_Match=again.headers["ETag"]).status_code == 304
    assert war.ember.get("orders/", If_None_Match=first.headers["ETag"]).status_code == 200


def test_lost_update_is_refused_and_keeps_the_saved_version(war: War) -> None:
    tag, move = war.ember.get("orders/").headers["ETag"], a_move(war)
    json_of(war.ember.put("orders/", move, If_Match=tag))
    problem_of(war.ember.put("orders/", HOLD, If_Match=tag), 412, "lost-update")
    problem_of(war.ember.put("orders/", HOLD, If_Match=f"W/{tag}"), 412, "lost-update")
    problem_of(war.ember.put("orders/", HOLD), 428, "precondition-required")
    problem_of(war.ember.put("orders/", HOLD, If_Match="nonsense"), 400, "bad-condition")
    assert Draft.objects.get().payload == move
    json_of(war.ember.put("orders/", HOLD, If_Match="*"))
    assert Draft.objects.get().payload == HOLD


def faults(answer: Any) -> list[str]:
    """Return the places of the faults of a saved draft."""
    return sorted(fault["where"] for fault in json_of(answer)["violations"])


@pytest.mark.parametrize("junk", [-1, "x", [-1], [[]], {"a": -1}])
@pytest.mark.any_database
def test_page_shows_any_draft(junk: object) -> None:
    war = war_at("deploy")
    reader = Client()
    reader.force_login(war.ember.user)
    fleet = {
        "name": "A",
        "budget": "ember/home",
        "hex": "0804",
        "ships": [["Frigate", "x"]],
        "doctrine": {},
    }
    drafts: list[dict[str, object]] = [{"deploy": [{**fleet, key: junk}]} for key in fleet]
    others: list[dict[str, object]] = [{"deploy": junk}, {"designs": junk}]
    for draft in (*others, *drafts):
        json_of(war.ember.put("orders/", {"schema": 1, **draft}, If_Match="*"))
        assert reader.get(f"/c/{war.campaign.public_id}/deploy/").status_code == 200


def test_draft_with_faults_is_saved_and_not_sealed(war: War) -> None:
    faulty = {
        "moves": [{"fleet": "frost/f1", "to": "0404"}, {"fleet": "ember/f99", "to": "9999"}],
        "weasels": ["ember/s999"],
        "decide": [{"hex": "0101", "toward": "frost", "choice": "fight"}],
    }
    faulty_places = ["decide[0]", "moves[0].fleet", "moves[1].fleet", "weasels[0]"]
    assert faults(war.ember.put("orders/", faulty, If_Match="*")) == faulty_places
    assert faults(war.ember.get("orders/")) == faulty_places
    assert Draft.objects.get().payload == faulty
    assert fault_places(war.ember.post("orders/seal/")) == [
        f"orders.{place}" for place in faulty_places
    ]
    malformed = {"moves": [{"flet": "ember/f1"}], "decide": "no", "orders": 1, "schema": 2}
    assert len(faults(war.ember.put("orders/", malformed, If_Match="*"))) >= 5
    assert Draft.objects.get().payload == malformed
    assert fault_places(war.ember.put("orders/", ["no orders"], If_Match="*")) == [
        ""
    ]  # no draft at all
    assert Draft.objects.get().payload == malformed
    assert not Submission.objects.filter(stage=war.stage).exists()


def test_orders_are_checked_without_saving(war: War) -> None:
    assert faults(
        war.ember.post("orders/check/", {"moves": [{"fleet": "ember/f99", "to": "0404"}]})
    ) == ["moves[0].fleet"]
    assert faults(war.ember.post("orders/check/", a_move(war))) == []
    assert not Draft.objects.exists()


def test_faults_are_equal_for_hidden_and_invented_fleets(war: War) -> None:
    hidden = json_of(war.frost.get("fleets/"))["fleets"][0]["key"]
    answers = [
        war.ember.put(
            "orders/", {"moves": [{"fleet": key, "to": "0404"}]}, If_Match="*"
        ).content.decode()
        for key in (hidden, "frost/f98")
    ]
    first, second = answers[0].replace(hidden, "X"), answers[1].replace("frost/f98", "X")
    assert first.replace('"draft":1', '"draft":2') == second


@pytest.mark.rule("camp.tugs", "camp.hidden")
def test_towing_another_factions_ship_equals_a_missing_ship(war: War) -> None:
    ships = [ship["key"] for ship in json_of(war.ember.get("ships/"))["ships"]]
    answers = []
    for unknown_ship in ("frost/s1", "ember/s999"):
        orders = {
            "schema": 1,
            "tow": [
                {"tug": unknown_ship, "ships": [ships[0]]},
                {"tug": ships[1], "ships": [unknown_ship]},
            ],
        }
        answer = war.ember.put("orders/", orders, If_Match="*")
        assert faults(answer) == ["tow[0].tug", "tow[1].ships[0]", "tow[1].tug"]
        answers.append(answer.content.replace(unknown_ship.encode(), b"?"))
    assert answers[0].replace(b'"draft":1', b'"draft":2') == answers[1]
    down = {"schema": 1, "tow": [{"tug": ships[0]}]}
    assert json_of(war.ember.put("orders/", down, If_Match="*"))["orders"] == down


@pytest.mark.any_database
def test_receipt_of_a_seal_can_be_recomputed(war: War) -> None:
    move = a_move(war)
    json_of(war.ember.put("orders/", move, If_Match=war.ember.get("orders/").headers["ETag"]))
    sealed = war.ember.post("orders/seal/", {"nonce": NONCE})
    receipt = json_of(sealed, 201)
    assert (receipt["revision"], receipt["nonce"], receipt["source"]) == (1, NONCE, "player")
    assert receipt["orders"] == move
    text = canonical_json(receipt["orders"]) + bytes.fromhex(NONCE)
    assert receipt["digest"] == hashlib.sha256(text).hexdigest()
    assert json_of(war.ember.get(sealed.headers["Location"])) == receipt
    assert json_of(war.ember.get("orders/"))["sealed"]["digest"] == receipt["digest"]
    assert resolve_stage(war.stage).row.body["digests"][0] == receipt["digest"]
    assert json_of(war.ember.get("ledger/"))["rows"][-1]["body"]["digests"][0] == receipt["digest"]


def test_sealing_twice_gives_the_same_receipt(war: War) -> None:
    first = json_of(war.ember.post("orders/seal/", {"orders": HOLD}), 201)
    assert json_of(war.ember.post("orders/seal/"), 200) == first
    assert (
        json_of(war.ember.post("orders/seal/", {"orders": HOLD, "nonce": first["nonce"]}), 200)
        == first
    )
    problem_of(war.ember.post("orders/seal/", {"orders": a_move(war)}), 409, "already-sealed")
    problem_of(war.ember.post("orders/seal/", {"nonce": NONCE}), 409, "already-sealed")
    assert Submission.objects.filter(stage=war.stage).count() == 1


def test_sealed_orders_are_not_overwritten(war: War) -> None:
    json_of(war.ember.post("orders/seal/", {"orders": a_move(war)}), 201)
    tag = war.ember.get("orders/").headers["ETag"]
    problem_of(war.ember.put("orders/", HOLD, If_Match=tag), 409, "already-sealed")
    assert not Draft.objects.exists()


def test_unsealing_allows_changes_and_can_be_repeated(war: War) -> None:
    json_of(war.ember.post("orders/seal/", {"nonce": NONCE, "orders": HOLD}), 201)
    assert json_of(war.ember.post("orders/unseal/"))["sealed"] is None
    assert json_of(war.ember.post("orders/unseal/"))["sealed"] is None
    second = json_of(war.ember.post("orders/seal/", {"orders": HOLD}), 201)
    assert second["revision"] == 2
    lines = json_of(war.ember.get("receipts/"))["receipts"]
    assert [
        (line["stage"]["kind"], line["revision"], line["withdrawn_at"] is None) for line in lines
    ] == [
        ("orders", 2, True),
        ("orders", 1, False),
        ("deploy", 1, True),
    ]


def test_seal_can_require_the_version_it_saw(war: War) -> None:
    tag = war.ember.get("orders/").headers["ETag"]
    json_of(war.ember.put("orders/", a_move(war), If_Match=tag))
    problem_of(war.ember.post("orders/seal/", If_Match=tag), 412, "lost-update")
    assert not Submission.objects.filter(stage=war.stage).exists()


def test_seal_faults_include_those_of_its_nonce(war: War) -> None:
    body = {"nonce": "short", "orders": {"moves": [{"fleet": "ember/f99", "to": "0404"}]}}
    assert fault_places(war.ember.post("orders/seal/", body)) == ["orders.moves[0].fleet", "nonce"]
    assert fault_places(war.ember.post("orders/seal/", {"nonse": NONCE})) == ["nonse"]


def test_repeated_key_changes_nothing_and_gets_the_same_answer(war: War) -> None:
    tag = war.ember.get("orders/").headers["ETag"]
    first = war.ember.put("orders/", HOLD, If_Match=tag, Idempotency_Key="a")
    again = war.ember.put("orders/", HOLD, If_Match=tag, Idempotency_Key="a")
    assert again.content == first.content
    assert again.headers["ETag"] == first.headers["ETag"]
    assert (again.headers["Idempotency-Replayed"], Draft.objects.get().version) == ("true", 1)
    problem_of(
        war.ember.put("orders/", a_move(war), If_Match=tag, Idempotency_Key="a"), 422, "key-reused"
    )
    problem_of(
        war.ember.put("orders/", HOLD, If_Match=tag, Idempotency_Key="b"), 412, "lost-update"
    )
    problem_of(
        war.ember.put("orders/", HOLD, If_Match=tag, Idempotency_Key="x" * 256),
        400,
        "bad-idempotency-key",
    )
    assert IdempotentCall.objects.count() == 1
    other = war.frost.put(
        "orders/", HOLD, If_Match=war.frost.get("orders/").headers["ETag"], Idempotency_Key="a"
    )
    assert "Idempotency-Replayed" not in other.headers


def test_closed_stage_accepts_nothing(war: War) -> None:
    json_of(war.ember.post("orders/seal/", {"orders": HOLD}), 201)
    type(war.stage).objects.filter(pk=war.stage.pk).update(status="closed", closed_at=F("opens"))
    tag = war.frost.get("orders/").headers["ETag"]
    stage = json_of(war.frost.get(""))["stage"]
    for problem in (
        problem_of(war.frost.put("orders/", HOLD, If_Match=tag), 409, "stage-closed"),
        problem_of(war.frost.post("orders/seal/", {"orders": HOLD}), 409, "stage-closed"),
        problem_of(war.ember.post("orders/unseal/"), 409, "stage-closed"),
    ):
        assert problem["closed"] == {
            "week": 1,
            "kind": "orders",
            "at": None,
        }  # early: nobody learns when the last one sealed
        assert problem["now"] == {
            "week": 1,
            "kind": "orders",
            "status": "closed",
            "closes": stage["closes"],
        }
        assert (
            problem["detail"]
            == "the stage 'orders' of week 1 has closed; its result is expected soon"
        )
    deadline = timezone.now() - timedelta(seconds=1)
    opened = deadline - timedelta(hours=1)
    type(war.stage).objects.filter(pk=war.stage.pk).update(
        opens=opened, closes=deadline, closed_at=deadline
    )
    problem = problem_of(war.frost.post("orders/seal/", {"orders": HOLD}), 409, "stage-closed")
    assert problem["closed"]["at"] == deadline.isoformat().replace("+00:00", "Z")


def test_orders_for_an_earlier_stage_say_when_it_closed(
    war: War,
) -> None:
    tag = war.ember.get("orders/").headers["ETag"]
    saved = json_of(war.ember.put("orders/", a_move(war), If_Match=tag))
    deployment = {"deploy": [{"budget": "first", "name": "Late", "hex": "0101", "ships": []}]}
    before = Stage.objects.get(branch=war.stage.branch, kind="deploy")
    at = before.publishes_at
    assert at is not None
    Stage.objects.filter(pk=before.pk).update(closed_at=before.opens)  # early
    for problem in (
        problem_of(war.ember.post("orders/check/", deployment), 409, "stage-closed"),
        problem_of(war.ember.post("orders/seal/", {"orders": deployment}), 409, "stage-closed"),
        problem_of(war.ember.put("orders/", deployment, If_Match="*"), 409, "stage-closed"),
    ):
        assert problem["closed"] == {
            "week": 0,
            "kind": "deploy",
            "at": at.isoformat().replace("+00:00", "Z"),
        }
        closes = saved["stage"]["closes"]
        assert problem["now"] == {"week": 1, "kind": "orders", "status": "open", "closes": closes}
        words = f"the deployment was over at {at:%Y-%m-%d %H:%M:%S} UTC; now the stage 'orders' of week 1 is open"
        assert problem["detail"] == words + (
            f" until {closes.replace('T', ' ')[:19]} UTC" if closes else ""
        )
    assert json_of(war.ember.get("orders/")) == saved
    both_stages = {**deployment, **a_move(war)}
    assert fault_places(war.ember.post("orders/seal/", {"orders": both_stages})) == [
        "orders.deploy"
    ]


def test_orders_for_a_later_stage_are_a_fault() -> None:
    war = war_at("deploy")
    early = {"moves": [{"fleet": "ember/f1", "to": "0404"}]}
    assert fault_places(war.ember.post("orders/seal/", {"orders": early})) == ["orders.moves"]


def test_default_orders_can_be_sealed_unchanged() -> None:
    war = war_at("deploy")
    standard = json_of(war.ember.get("orders/default/"))["orders"]
    assert standard["deploy"]
    problem_of(war.ember.post("orders/seal/"), 409, "no-draft")
    assert json_of(war.ember.post("orders/seal/", {"orders": standard}), 201)["orders"] == standard


@pytest.mark.any_database
def test_decision_is_ordered_in_its_stage() -> None:
    war = war_at("decisions", admirals={"ember": "attack"})
    while not json_of(war.ember.get("contacts/"))["open_decisions"]:
        war = resume(war)
    question = json_of(war.ember.get("contacts/"))["open_decisions"][0]
    choice = {"hex": question["hex"], "toward": question["toward"], "choice": "fight"}
    tag = war.ember.get("orders/").headers["ETag"]
    assert (
        json_of(war.ember.put("orders/", {"decide": [choice]}, If_Match=tag))["stage"]["kind"]
        == "decisions"
    )
    late = {"orders": {"moves": [{"fleet": "ember/f1", "to": "0404"}]}}
    assert (
        problem_of(war.ember.post("orders/seal/", late), 409, "stage-closed")["closed"]["kind"]
        == "orders"
    )
    assert json_of(war.ember.post("orders/seal/"), 201)["orders"]["decide"] == [choice]


def resume(war: War) -> War:
    """Return the same people at the decisions of the next week."""
    stage = war.stage
    while True:
        following = resolve_stage(stage).next
        assert following is not None
        stage = following
        if stage.kind == "decisions":
            return War(war.campaign, stage, *war.callers)
