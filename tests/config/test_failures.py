"""Requests that fail because the database is away are answered 503: pages, the API, sessions."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import InterfaceError, InternalError, OperationalError, ProgrammingError
from django.db.backends.utils import CursorWrapper
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.test import Client, RequestFactory

from campaign.selectors import due
from campaign.store.outages import is_database_away
from config.middleware import Sessions
from config.sessions import SessionStore

LOCKED = OperationalError("database is locked")
CLOSED = InterfaceError("connection already closed")


def broken(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, error: Exception) -> None:
    def fail(*_args: Any, **_options: Any) -> Any:
        raise error

    monkeypatch.setattr(owner, name, fail)


@pytest.mark.django_db
@pytest.mark.parametrize("error", [LOCKED, CLOSED], ids=["locked", "closed"])
@pytest.mark.parametrize("path", ["/me/", "/api/campaigns/", "/health/"])
def test_outage_is_503_with_retry_after(
    monkeypatch: pytest.MonkeyPatch, path: str, error: Exception
) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_user("ada", password="Petrograd-2178"))
    with monkeypatch.context() as patch:
        broken(patch, CursorWrapper, "execute", error)
        answered = client.get(path)
    assert answered.status_code == 503
    assert int(answered.headers["Retry-After"]) > 0
    assert str(error) not in answered.content.decode()
    if path.startswith("/api/"):
        assert answered.headers["Content-Type"] == "application/problem+json"
        assert answered.json()["code"] == "database-away"
    else:
        assert "Try again in a moment" in answered.content.decode()


@pytest.mark.django_db
def test_program_error_is_an_internal_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_user("ada", password="Petrograd-2178"))
    with monkeypatch.context() as patch:
        broken(patch, CursorWrapper, "execute", ProgrammingError("no such column"))
        assert client.get("/me/").status_code == 500
        answered = client.get("/api/campaigns/")
    assert (answered.status_code, answered.headers["Content-Type"]) == (
        500,
        "application/problem+json",
    )


def test_read_only_postgresql_is_an_outage() -> None:
    for code, away in (("25006", True), ("XX000", False)):
        error = InternalError("told")
        error.__cause__ = type("OfTheDriver", (Exception,), {"sqlstate": code})()
        assert is_database_away(error) is away
    assert not is_database_away(None)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "status", "error", "is_shown"),
    [
        ("GET", 200, LOCKED, True),
        ("POST", 200, LOCKED, False),  # the posted input may have to go into the session
        ("GET", 302, LOCKED, False),  # a redirect leads to what the session holds
        ("GET", 200, ProgrammingError("no such column"), False),
    ],
)
def test_page_is_shown_although_its_session_cannot_be_saved(
    monkeypatch: pytest.MonkeyPatch, method: str, status: int, error: Exception, is_shown: bool
) -> None:
    def view(asked: Any) -> HttpResponse:
        asked.session["told"] = True
        return HttpResponse("a page", status=status)

    broken(monkeypatch, SessionStore, "save", error)
    request = RequestFactory().generic(method, "/")
    if is_shown:
        response = Sessions(view)(request)
        assert isinstance(response, HttpResponse)
        assert response.content == b"a page"
    else:
        with pytest.raises(type(error)):
            Sessions(view)(request)


@pytest.mark.django_db
def test_committed_change_succeeds_without_notification(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    def send(_name: str, _row: int) -> None:
        raise LOCKED

    def fail(_name: str, _row: int) -> None:
        raise ValueError

    monkeypatch.setattr(due, "_senders", {"tests.away": send, "tests.wrong": fail})
    with django_capture_on_commit_callbacks(execute=True):
        due.task_enqueue(name="tests.away", row=1)
    with pytest.raises(ValueError), django_capture_on_commit_callbacks(execute=True):  # noqa: PT011 nothing to match
        due.task_enqueue(name="tests.wrong", row=1)


@pytest.mark.parametrize(
    "name",
    [
        "400",
        "403",
        "403_csrf",
        "404",
        "405",
        "413",
        "500",
        "503",
        "try_later",
        "campaign/invitation_not_found",
    ],
)
def test_error_page_needs_neither_request_nor_database(name: str) -> None:
    text = render_to_string(f"{name}.html", {"words": "too much", "wait": 2})
    assert text.count("<h1") == 1
    assert "style=" not in text
    assert text.count("<svg") == 2, "the mark and the picture"
    assert all(
        f'role="button" {way}' in text for way in ('href="/"', 'class="secondary" href="/help/"')
    )
    assert "/accounts/login/" not in text, "nobody knows whether its reader has logged in"
    assert "your campaigns" not in text, "nor whether he has any"


@pytest.mark.django_db
def test_stranger_is_shown_the_login() -> None:
    ada = Client()
    ada.force_login(User.objects.create_user("ada", password="Petrograd-2178"))
    for client, log_in, leads_home in ((Client(), 2, 0), (ada, 0, 1)):
        answered = client.get("/help/no-such-page/")
        assert answered.status_code == 404
        text = answered.content.decode()
        assert (text.count("/accounts/login/"), text.count('role="button" href="/"')) == (
            log_in,
            leads_home,
        )


@pytest.mark.django_db
def test_unreadable_request_has_the_site_wording() -> None:
    answered = Client().get("/", headers={"host": "nowhere.example"})
    assert answered.status_code == 400
    assert "We could not read this request" in answered.content.decode()
