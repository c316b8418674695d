"""Access: log-ins, tokens, strangers, and the same answer for hidden and for missing things."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from allauth.account.internal.flows.password_reset import reset_password
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.test import Client, override_settings
from django.urls import get_resolver

from campaign.models import ApiToken
from campaign.services.campaigns import membership_add
from campaign.services.tokens import MAX_TOKENS, token_make
from tests.campaign.api.calls import (
    NOT_THERE,
    Caller,
    War,
    caller,
    fault_places,
    json_of,
    lobby,
    problem_of,
    war_at,
)
from tests.umpire.services.wars import campaign_of

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PASSWORD = "a long enough sentence"
UNDER = [
    *(
        "",
        "start/",
        "stages/",
        "ledger/",
        "ledger/head/",
        "ledger/0/proofs/",
        "archive/",
        "luck/",
        "reveal/",
        "archive/own/",
        "timelines/",
        "timelines/answer/",
        "forks/",
        "moments/",
        "moments/x/",
        "moments/x/agree/",
        "rules/",
        "seats/",
        "seats/take/",
        "seats/leave/",
        "seats/computer/",
        "seats/send-away/",
        "gallery/",
        "gallery/weeks/",
        "join/",
    ),
    *(
        f"umpire/{part}/"
        for part in (
            "checklist",
            "events",
            "grace",
            "hold",
            "marks",
            "opened",
            "rulings",
            "time-line",
        )
    ),
    *(
        "invites/",
        "invites/x/",
        "map/",
        "objectives/",
        "reach/",
        "odds/",
        "odds/x/",
        "view/",
        "fleets/",
        "ships/",
        "mines/",
        "contacts/",
        "reports/",
        "reports/x/",
    ),
    "gazette/1/",
    *(
        "battles/",
        "battles/x/",
        "orders/",
        "orders/default/",
        "orders/check/",
        "orders/seal/",
        "orders/unseal/",
        "receipts/",
    ),
    *("fights/", "fights/x/", "fights/x/stops/0/", "fights/x/receipts/", "fights/x/orders/"),
    *(
        "fights/x/orders/default/",
        "fights/x/orders/check/",
        "fights/x/orders/seal/",
        "fights/x/orders/unseal/",
        "fights/x/captain/",
        "umpire/battles/x/mode/",
    ),
    *(
        "classes/",
        "classes/check/",
        "classes/import/",
        "classes/export/",
        "classes/x/",
        "tech-base/",
    ),
    *(
        "receipts/0/",
        "tables/",
        "tables/x/",
        "tables/x/check/",
        "tables/x/receipts/",
        "tables/x/record/",
        "tables/x/record/result/",
        "tables/x/seal/",
        "tables/x/unseal/",
        "umpire/battles/x/result/",
    ),
    *(
        f"umpire/{name}/"
        for name in ("world", "fleets", "ships", "systems", "repairs", "stages", "submissions")
    ),
    *(
        f"umpire/{name}/"
        for name in (
            "battles",
            "battles/x",
            "factions/x/view",
            "acts",
            "resolve",
            "extend",
            "pause",
        )
    ),
    *(
        f"umpire/{name}/"
        for name in (
            *("resume", "excuse", "remind", "rebuild", "remedy", "no-beacon"),
            *("password-link", "rules"),
        )
    ),
    *("messages/", "messages/read/", "umpire/messages/", "memos/", "memos/1/"),
]
UMPIRE_PATHS = [path for path in UNDER if path.startswith("umpire/")]
OF_A_FACTION = [
    *(
        "reach/?fleet=ember/f1",
        "view/",
        "fleets/",
        "ships/",
        "mines/",
        "contacts/",
        "reports/",
        "battles/",
        "orders/",
        "archive/own/",
    ),
    *(
        "orders/default/",
        "receipts/",
        "receipts/0/",
        "classes/",
        "classes/export/",
        "classes/x/",
        "tech-base/",
        "memos/",
    ),
]


@pytest.fixture
def war() -> War:
    return war_at("orders")


def method_of(path: str) -> str:
    """Return a method that the address allows."""
    verbs = (
        "start/",
        "grace/",
        "hold/",
        "no-beacon/",
        "timelines/answer/",
        "reveal/",
        "take/",
        "leave/",
        "computer/",
        "send-away/",
        "weeks/",
        "join/",
        "odds/",
        "seal/",
        "unseal/",
        "captain/",
        "resolve/",
        "extend/",
        "pause/",
    )
    if path.endswith(
        (
            *verbs,
            "resume/",
            "excuse/",
            "remind/",
            "rebuild/",
            "remedy/",
            "umpire/rules/",
            "password-link/",
            "result/",
            "mode/",
            "check/",
            "import/",
            "read/",
            "agree/",
        )
    ):
        return "POST"
    if path == "memos/1/":
        return "PUT"
    return "DELETE" if path.startswith(("invites/x", "moments/x")) else "GET"


def test_list_of_campaign_addresses_is_complete() -> None:
    routes = {
        key
        for key in get_resolver().reverse_dict
        if isinstance(key, str) and key.startswith("api-")
    }
    elsewhere = {
        "health",
        "schema",
        "docs",
        "token",
        "tokens",
        "token-one",
        "me",
        "scenarios",
        "scenario",
        "campaigns",
        "nowhere",
    }
    elsewhere |= {
        "design",
        *(
            f"designs{part}"
            for part in ("", "-check", "-import", "-export", "-compare", "-odds", "-odds-asked")
        ),
    }
    elsewhere |= {"umpire-troubles", "wars-remind", "wars-extend", "wars-pause"}
    elsewhere |= {"daily", "daily-day", "tournaments", "tournament"}
    elsewhere |= {f"tournament-{act}" for act in ("join", "leave", "rounds", "deadline", "result")}
    elsewhere |= {f"tournament-{act}" for act in ("remove", "link", "finish")}
    elsewhere |= {"gallery-list", "own-scenarios", "own-scenarios-check"}
    elsewhere |= {f"own-scenario{part}" for part in ("", "-store", "-balance", "-handicap")}
    elsewhere |= {f"own-scenario-handicap-{act}" for act in ("apply", "undo")}
    assert len(UNDER) == len(routes - {f"api-{name}" for name in elsewhere})


def test_hidden_and_missing_campaigns_get_the_same_answer(war: War) -> None:
    own_id = str(war.campaign.public_id)
    nowhere = (uuid.uuid4(), "1", "x" * 300, "..%2F", "\x7f", "%00", own_id[:-1])
    for path in (
        tail for tail in UNDER if tail != "join/"
    ):  # somebody who joins is a stranger: the request is checked first
        method = method_of(path)
        hidden = war.stranger.request(method, path)
        for id in nowhere:
            answer = war.stranger.request(method, f"/api/campaigns/{id}/{path}")
            assert (answer.status_code, answer.content) == (404, NOT_THERE), path
            assert dict(answer.headers) == dict(hidden.headers), path
    token = {"token": "x"}
    answers = {
        war.stranger.post(f"/api/campaigns/{id}/join/", token).content
        for id in (own_id, uuid.uuid4(), "x")
    }
    assert answers == {NOT_THERE}


def test_login_is_required(war: War) -> None:
    for path in UNDER:
        for id in (war.campaign.public_id, uuid.uuid4()):
            answer = Client().generic(method_of(path), f"/api/campaigns/{id}/{path}")
            problem_of(answer, 401)
            assert answer.headers["WWW-Authenticate"] == "Token"


def test_dashboard_is_for_the_umpire_only(war: War) -> None:
    shared = [
        f"umpire/{verb}/"
        for verb in (
            "resolve",
            "extend",
            "pause",
            "resume",
            "excuse",
            "rules",
            "remedy",
            "no-beacon",
        )
    ]
    for path in UMPIRE_PATHS:
        for user in (war.ember, war.frost, war.observer, war.host):
            answer = user.request(method_of(path), path)
            if user is war.host and path in shared:
                assert answer.status_code != 404, path
            else:
                assert (answer.status_code, answer.content) == (404, NOT_THERE), path


def test_users_without_a_faction_have_no_orders(war: War) -> None:
    for path in OF_A_FACTION:
        for user in (war.host, war.umpire, war.observer):
            answer = user.get(path)
            assert (answer.status_code, answer.content) == (404, NOT_THERE), path


def test_guessed_report_ids_find_nothing(war: War) -> None:
    foreign_id = json_of(war.frost.get("reports/"))["reports"][0]["id"]
    for id in (foreign_id, str(uuid.uuid4()), "x", foreign_id.upper()):
        assert war.ember.get(f"reports/{id}/").content == NOT_THERE
    fleet = json_of(war.frost.get("fleets/"))["fleets"][0]["key"]
    for key in (fleet, "frost/f999", "", "x"):
        assert war.ember.get(f"reach/?fleet={key}").content == NOT_THERE
    for week, stage in ((1, "decisions"), (7, "orders"), (999999, "over")):
        assert war.ember.get(f"view/?week={week}&stage={stage}").content == NOT_THERE


def test_unknown_addresses_answer_like_hidden_ones(war: War) -> None:
    for path in (
        "/api/",
        "/api/nothing",
        "/api/campaigns",
        "/api/me/x/",
        f"/api/campaigns/{war.campaign.public_id}",
    ):
        for method in ("GET", "POST", "PUT", "DELETE"):
            answer = war.ember.request(method, path)
            assert (answer.status_code, answer.content) == (404, NOT_THERE)


def test_unknown_methods_are_refused_everywhere(war: War) -> None:
    for user in (war.ember, war.stranger):
        answer = user.request("DELETE", "orders/")
        problem_of(answer, 405)
        assert "PUT" in answer.headers["Allow"]
        problem_of(user.request("PATCH", "orders/"), 405)
        problem_of(user.request("OPTIONS", "orders/"), 405)


def logged_in(**fields: object) -> tuple[Client, dict[str, Any]]:
    """Return a program that has logged in, and the answer it got."""
    body = json.dumps({"username": "vera", "password": PASSWORD, **fields})
    login = json_of(Client().post("/api/token/", body, content_type="application/json"), 201)
    return Client(headers={"Authorization": f"Token {login['token']}"}), login


def test_second_login_keeps_the_first_token() -> None:
    User.objects.create_user("vera", "vera@example.org", PASSWORD)
    bot, first = logged_in(name="my bot")
    phone, second = logged_in(read_only=True)
    assert json_of(bot.get("/api/me/")) == {"username": "vera", "bot": False, "parts": []}
    assert json_of(phone.get("/api/me/"))["username"] == "vera"
    stored_rows = str(list(ApiToken.objects.values_list()))
    assert first["token"] not in stored_rows
    assert second["token"] not in stored_rows
    report = json_of(bot.get("/api/tokens/"))
    lines = [
        (token["id"], token["name"], token["read_only"], token["this"])
        for token in report["tokens"]
    ]
    assert lines == [(first["id"], "my bot", False, True), (second["id"], "", True, False)]
    assert first["token"] not in str(report)
    problem_of(phone.delete(f"/api/tokens/{first['id']}/"), 403, "read-only-token")
    assert bot.delete(f"/api/tokens/{second['id']}/").status_code == 204
    problem_of(phone.get("/api/me/"), 401)
    problem_of(bot.delete(f"/api/tokens/{second['id']}/"), 404)
    assert bot.delete("/api/token/").status_code == 204
    problem_of(bot.get("/api/me/"), 401)


def test_nobody_revokes_the_token_of_another_user() -> None:
    User.objects.create_user("vera", password=PASSWORD)
    bot, login = logged_in()
    other_client = Client(
        headers={"Authorization": f"Token {token_make(user=User.objects.create_user('otto'))}"}
    )
    problem_of(other_client.delete(f"/api/tokens/{login['id']}/"), 404)
    problem_of(other_client.delete("/api/tokens/nonsense/"), 404)
    assert [token["this"] for token in json_of(other_client.get("/api/tokens/"))["tokens"]] == [
        True
    ]
    assert bot.get("/api/me/").status_code == 200


def test_tokens_have_readable_names_and_a_limit_of_twenty() -> None:
    user = User.objects.create_user("vera", password=PASSWORD)
    bad = {"username": "vera", "password": PASSWORD, "name": "a\u202eb"}
    answer = Client().post("/api/token/", json.dumps(bad), content_type="application/json")
    assert fault_places(answer) == ["name"]
    for _ in range(MAX_TOKENS):
        token_make(user=user)
    bad["name"] = "one more"
    answer = Client().post("/api/token/", json.dumps(bad), content_type="application/json")
    assert problem_of(answer, 422, "violations")["violations"][0]["code"] == "too-many"
    user.set_password("another sentence altogether")
    user.save()
    assert token_make(user=user), "those of the password before do not count"


def test_read_only_token_cannot_write(war: War) -> None:
    credentials = {"username": "vera", "password": PASSWORD, "read_only": True}
    user = User.objects.create_user("vera", password=PASSWORD)
    membership_add(
        campaign=war.campaign,
        user=user,
        role="player",
        faction=war.campaign.factions.get(key="ember"),
    )
    login = json_of(
        Client().post("/api/token/", json.dumps(credentials), content_type="application/json"), 201
    )
    assert login["read_only"] is True
    vera = Caller(user, login["token"], war.ember.at)
    for path in UNDER:
        if method_of(path) == "GET":
            assert vera.get(path).content == war.ember.get(path).content, path
        for method in ("POST", "PUT", "DELETE"):
            problem_of(vera.request(method, path, {}), 403, "read-only-token")
    for method, path in (("POST", "/api/campaigns/"), ("DELETE", "/api/token/")):
        problem_of(vera.request(method, path, {}), 403, "read-only-token")
    assert vera.get("/api/me/").status_code == 200


@pytest.mark.parametrize("way", ["page", "link", "command"])
def test_password_change_ends_tokens(way: str) -> None:
    user = User.objects.create_user("vera", "vera@example.org", PASSWORD)
    program, new = (
        Client(headers={"Authorization": f"Token {token_make(user=user)}"}),
        "quite another sentence",
    )
    assert program.get("/api/me/").status_code == 200
    if way == "page":
        client = Client()
        client.force_login(user)
        client.post(
            "/accounts/password/change/",
            {"oldpassword": PASSWORD, "password1": new, "password2": new},
        )
    elif way == "link":
        reset_password(user, new)
    else:
        user.set_password(new)
        user.save()
    user.refresh_from_db()
    assert user.check_password(new)
    problem_of(program.get("/api/me/"), 401)


@pytest.mark.parametrize(
    "header", ["Token", "Token x", "Token \xe4", "Token a b", "Bearer x", "Basic eDp4"]
)
def test_invalid_tokens_are_no_login(header: str) -> None:
    problem_of(Client(headers={"Authorization": header}).get("/api/me/"), 401)


def test_wrong_passwords_and_unknown_names_get_the_same_answer_and_lock_out() -> None:
    User.objects.create_user("vera", password=PASSWORD)
    wrong = [
        Client().post("/api/token/", json.dumps(body), content_type="application/json")
        for body in (
            {"username": "vera", "password": "no"},
            {"username": "nobody", "password": "no"},
        )
    ]
    assert wrong[0].content == wrong[1].content
    problem_of(wrong[0], 401)
    for _ in range(5):
        Client().post(
            "/api/token/", {"username": "vera", "password": "no"}, content_type="application/json"
        )
    right = {"username": "vera", "password": PASSWORD}
    answer = Client().post("/api/token/", right, content_type="application/json")
    problem_of(answer, 429, "locked-out")
    assert int(answer.headers["Retry-After"]) > 0


def test_password_alone_is_refused_with_two_factor_authentication() -> None:
    user = User.objects.create_user("vera", password=PASSWORD)
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "x"})
    body = {"username": "vera", "password": PASSWORD}
    problem_of(
        Client().post("/api/token/", body, content_type="application/json"), 403, "second-factor"
    )
    assert not ApiToken.objects.exists()


def test_closed_account_cannot_log_in(war: War) -> None:
    User.objects.filter(pk=war.ember.user.pk).update(is_active=False)
    problem_of(war.ember.get("view/"), 401)


def test_session_needs_its_csrf_token_to_write(war: War) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(war.ember.user)
    path = f"/api/campaigns/{war.campaign.public_id}/orders/"
    answer = client.get(path)
    assert json_of(answer)["faction"] == "ember"
    headers = {"If-Match": answer.headers["ETag"]}
    problem_of(client.put(path, b"{}", content_type="application/json", headers=headers), 403)
    client.cookies["csrftoken"] = "a" * 32
    headers["X-CSRFToken"] = "a" * 32
    json_of(client.put(path, b"{}", content_type="application/json", headers=headers))


def test_too_many_requests_get_a_waiting_time(war: War) -> None:
    with override_settings(API_RATES={"write": 2}):
        answers = [war.host.post("umpire/pause/") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    problem_of(answers[2], 429)
    assert 1 <= int(answers[2].headers["Retry-After"]) <= 60


@pytest.mark.parametrize(
    "raw",
    [b"{", b"\xff", b'{"name": NaN}', b'{"name": "\\u0000"}', b'{"name": "\\ud800"}', b"[1,"],
)
def test_invalid_json_is_refused(raw: bytes) -> None:
    _, host, _ = lobby()
    problem_of(host.request("POST", "/api/campaigns/", raw), 400)


def test_out_of_range_number_is_named() -> None:
    _, host, _ = lobby()
    for raw, where in ((b"9" * 5000, ""), (b'{"name": [1, 1e999]}', "name[1]")):
        fault = problem_of(host.request("POST", "/api/campaigns/", raw), 422, "violations")[
            "violations"
        ][0]
        assert (fault["code"], fault["where"]) == ("number", where)


def test_only_json_is_accepted() -> None:
    _, host, _ = lobby()
    problem_of(
        host.request("POST", "/api/campaigns/", b"scenario=x", Content_Type="text/plain"), 415
    )
    for body in (b"[]", b"1", b"null", b'"x"'):
        problem_of(host.request("POST", "/api/campaigns/", body), 422, "violations")


def test_oversized_body_is_refused() -> None:
    _, host, _ = lobby()
    with override_settings(DATA_UPLOAD_MAX_MEMORY_SIZE=100):
        problem_of(host.request("POST", "/api/campaigns/", b" " * 200), 413, "too-large")


def test_server_error_reveals_nothing(war: War, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("frost/f1 is in 0404")

    monkeypatch.setattr("campaign.api.knowledge.list_reports", broken)
    client = Client(
        raise_request_exception=False, headers={"Authorization": f"Token {war.ember.token}"}
    )
    answer = client.get(f"/api/campaigns/{war.campaign.public_id}/reports/")
    assert problem_of(answer, 500) == {
        "type": "about:blank",
        "title": "Internal error",
        "status": 500,
    }


def test_umpire_of_another_campaign_is_a_stranger(war: War) -> None:
    umpire = caller("umpire elsewhere", campaign_of(), "umpire")
    for path in ("", "umpire/world/", "view/", "orders/"):
        assert umpire.get(f"/api/campaigns/{war.campaign.public_id}/{path}").content == NOT_THERE
