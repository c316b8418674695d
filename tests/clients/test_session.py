"""The session of a program: repeated and refused requests, and where its token is stored."""

from __future__ import annotations

import stat
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from blindjump.api import ATTEMPTS, LONGEST_WAIT, Api, address_of
from blindjump.errors import (
    NOT_LOGGED_IN,
    UNREACHABLE,
    USAGE,
    ApiError,
    ClientError,
    NotLoggedIn,
    Unreachable,
    UsageError,
)
from blindjump.login_store import Login, login_forget, login_keep, login_read

from clients import bot

TOKEN = "5" * 40
ROOT = Path(__file__).resolve().parents[2]


class Server:
    """A server with scripted answers that records what it was sent."""

    def __init__(self, *acts: httpx.Response | Exception) -> None:
        self.acts = list(acts)
        self.requests: list[httpx.Request] = []
        self.slept: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        act = self.acts.pop(0)
        if isinstance(act, Exception):
            raise act
        return act

    def api(self) -> Api:
        return Api(
            "http://127.0.0.1:1",
            TOKEN,
            transport=httpx.MockTransport(self),
            sleep=self.slept.append,
        )


def test_lost_write_is_repeated_with_the_same_key() -> None:
    server = Server(
        httpx.ConnectError("gone"), httpx.ReadTimeout("slow"), httpx.Response(201, json={"a": 1})
    )
    assert server.api().post("x/") == {"a": 1}
    keys = [request.headers["Idempotency-Key"] for request in server.requests]
    assert (len(keys), len(set(keys))) == (3, 1)
    assert server.slept == [1.0, 2.0]
    assert {request.headers["Authorization"] for request in server.requests} == {f"Token {TOKEN}"}


def test_separate_writes_have_separate_keys() -> None:
    server = Server(httpx.Response(201, json={}), httpx.Response(201, json={}))
    api = server.api()
    api.post("x/")
    api.post("x/")
    assert len({request.headers["Idempotency-Key"] for request in server.requests}) == 2


def test_busy_server_is_asked_again_later() -> None:
    server = Server(
        httpx.Response(429, headers={"Retry-After": "7"}), httpx.Response(200, json={"a": 1})
    )
    assert server.api().get("x/") == {"a": 1}
    assert server.slept == [7.0]


@pytest.mark.parametrize(
    ("act", "attempts", "words"),
    [
        (lambda: httpx.ConnectError("gone"), ATTEMPTS, "cannot be reached: gone"),
        (lambda: httpx.ReadTimeout("slow"), ATTEMPTS, "did not answer in time"),
        (lambda: httpx.Response(503, json={"detail": "away"}), ATTEMPTS, "is busy (503): away"),
        (
            lambda: httpx.Response(429, headers={"Retry-After": str(int(LONGEST_WAIT) + 1)}),
            1,
            "try again in 31 seconds",
        ),
    ],
)
def test_client_gives_up_and_says_why(
    act: Callable[[], httpx.Response | Exception], attempts: int, words: str
) -> None:
    server = Server(*(act() for _ in range(ATTEMPTS)))
    with pytest.raises(Unreachable) as error:
        server.api().get("x/")
    assert (words in str(error.value), len(server.requests), error.value.status) == (
        True,
        attempts,
        UNREACHABLE,
    )


def test_refusal_is_printed_and_not_repeated() -> None:
    faults = [
        {"code": "no-such-hex", "where": "moves[0].to", "message": "no fleet can enter hex '9999'"}
    ]
    server = Server(
        httpx.Response(422, json={"title": "Faults", "code": "violations", "violations": faults})
    )
    with pytest.raises(ApiError) as error:
        server.api().post("x/")
    assert (error.value.http, error.value.code, error.value.violations) == (
        422,
        "violations",
        faults,
    )
    assert "moves[0].to: no fleet can enter hex '9999'" in str(error.value)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (httpx.Response(401, json={"detail": "log in"}), NotLoggedIn, "run `blindjump login http"),
        (
            httpx.Response(302, headers={"Location": "https://elsewhere.example"}),
            ClientError,
            "elsewhere.example",
        ),
        (
            httpx.Response(200, text="<html>"),
            ClientError,
            "is not the address of a Blind Jump site",
        ),
        (
            httpx.Response(404, text="<html>"),
            ClientError,
            "is not the address of a Blind Jump site",
        ),
        (
            httpx.Response(404, json={"title": "Not found"}),
            ApiError,
            "this does not exist, or you may not see it",
        ),
        (httpx.Response(500, text="<html>"), ApiError, "500"),
    ],
)
def test_other_server_answers(answer: httpx.Response, kind: type[ClientError], words: str) -> None:
    server = Server(answer)
    with pytest.raises(kind, match=words):
        server.api().get("x/")
    assert len(server.requests) == 1


def test_passwords_never_travel_unencrypted() -> None:
    assert address_of("http://127.0.0.1:8000/") == "http://127.0.0.1:8000"
    assert address_of("war.example.org") == "https://war.example.org"
    with pytest.raises(UsageError, match="--plain-http"):
        address_of("http://war.example.org")
    assert address_of("http://war.example.org", plain=True) == "http://war.example.org"
    with pytest.raises(UsageError, match="not a web address"):
        address_of("ftp://war.example.org")


def test_token_file_is_private(tmp_path: Path) -> None:
    environment = {"BLINDJUMP_CONFIG": str(tmp_path / "kept")}
    login = Login("http://127.0.0.1:1", TOKEN)
    path = login_keep(environment, login)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert login_read(environment) == login
    assert TOKEN not in repr(login)
    login_keep(environment, Login("http://127.0.0.1:2", TOKEN))
    assert login_read(environment).address == "http://127.0.0.1:2"
    assert list(path.parent.iterdir()) == [path]
    path.chmod(0o640)
    with pytest.raises(UsageError, match="chmod 600") as error:
        login_read(environment)
    assert error.value.status == USAGE
    path.chmod(0o600)
    path.write_text("{}")
    with pytest.raises(UsageError, match="log in again"):
        login_read(environment)
    assert login_forget(environment)
    assert not login_forget(environment)
    with pytest.raises(NotLoggedIn, match="blindjump login") as missing:
        login_read(environment)
    assert missing.value.status == NOT_LOGGED_IN


def test_environment_replaces_the_file(tmp_path: Path) -> None:
    environment = {
        "BLINDJUMP_CONFIG": str(tmp_path),
        "BLINDJUMP_URL": "https://a.example/",
        "BLINDJUMP_TOKEN": TOKEN,
    }
    assert login_read(environment) == Login("https://a.example", TOKEN)


def test_bot_survives_an_outage_and_reports_the_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    over = httpx.Response(200, json={"state": "over"})
    late = httpx.Response(409, json={"code": "stage-closed", "detail": "too late"})
    end = httpx.Response(200, json={"view": {"result": "a draw"}})
    failures = [httpx.ConnectError("gone")] * ATTEMPTS
    wars = httpx.Response(
        200,
        json={"campaigns": [{"campaign": "x", "name": "X", "state": "war", "faction": "ember"}]},
    )
    server = Server(*failures, wars, *failures, late, over, end)  # away at first, and later on
    assert bot.play(server.api(), Namespace(war=""), 0.0) == "a draw"
    assert "cannot be reached: gone" in capsys.readouterr().err
    assert len((ROOT / "clients" / "bot.py").read_text().splitlines()) <= 130
