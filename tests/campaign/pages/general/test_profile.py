"""The profile: preferences, the token for programs, the calendar's address."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from campaign.models import Preference
from campaign.services.preferences import feed_user, preference_save
from campaign.services.tokens import MAX_TOKENS, token_make, tokens_of
from tests.campaign.pages.general.browser_pages import browser, page, read_page
from tests.campaign.seats.people import person

pytestmark = pytest.mark.django_db
READONLY_VALUE = re.compile(r'readonly value="([^"]+)"')


def test_preferences_are_saved_and_shown() -> None:
    person("ann")
    client = browser("ann")
    form = {"act": "preferences", "zone": "Europe/Berlin", "theme": "light", "channels": ""}
    assert client.post("/me/", form)["Location"] == "/me/"
    preference = Preference.objects.get()
    assert (preference.zone, preference.theme, preference.email) == (
        "Europe/Berlin",
        "light",
        False,
    )
    assert 'value="Europe/Berlin"' in client.get("/me/").content.decode()


def test_single_key_shortcuts_can_be_turned_off() -> None:
    person("ann")
    client = browser("ann")
    assert "data-keys" not in client.get("/me/").content.decode()
    client.post("/me/", {"act": "preferences", "zone": "", "theme": "auto", "channels": ""})
    assert not Preference.objects.get().single_keys
    assert 'data-keys="off"' in client.get("/me/").content.decode()
    client.post(
        "/me/",
        {"act": "preferences", "zone": "", "theme": "auto", "channels": "", "single_keys": "on"},
    )
    assert "data-keys" not in client.get("/me/").content.decode()


def test_faulty_preferences_list_all_faults_and_keep_input() -> None:
    person("ann")
    client = browser("ann")
    form = {"act": "preferences", "zone": "Mars", "theme": "neon", "channels": "file:///etc/passwd"}
    answer = client.post("/me/", form)
    result = read_page(answer)
    assert answer.status_code == 422
    for words in ("time zone such as", "must be one of auto", "an Apprise address of"):
        assert words in result.text.lower() or words in result.text
    assert 'value="Mars"' in answer.content.decode()
    assert not Preference.objects.exists()


def test_token_is_shown_once_and_revoked() -> None:
    user = person("ann")
    client = browser("ann")
    client.post("/me/", {"act": "token"})
    token = READONLY_VALUE.findall(client.get("/me/").content.decode())[0]
    assert len(token) == 40
    assert token not in client.get("/me/").content.decode()
    assert client.get("/api/me/", headers={"Authorization": f"Token {token}"}).status_code == 200
    (row,) = tokens_of(user=user)
    client.post("/me/", {"act": "token-end", "token": str(row.public_id)})
    assert tokens_of(user=user) == []


def test_tokens_are_named_listed_and_revoked() -> None:
    person("ann")
    client = browser("ann")
    programs = {}
    for name in ("my bot", "the phone"):
        client.post("/me/", {"act": "token", "name": name})
        token = READONLY_VALUE.findall(client.get("/me/").content.decode())[0]
        programs[name] = Client(headers={"Authorization": f"Token {token}"})
    profile = page(client, "/me/")
    assert "my bot" in profile.text
    assert [program.get("/api/me/").status_code for program in programs.values()] == [200, 200]
    end = next(form for form in profile.forms if "token" in form)
    client.post("/me/", {**end, "act": "token-end"})
    assert [program.get("/api/me/").status_code for program in programs.values()] == [401, 200]
    assert "my bot" not in page(client, "/me/").text
    client.post("/me/", {**end, "act": "token-end"})  # a second time, as from another window
    person("otto")
    other = browser("otto")
    token_form = next(form for form in page(client, "/me/").forms if "token" in form)
    other.post("/me/", {**token_form, "act": "token-end"})
    assert programs["the phone"].get("/api/me/").status_code == 200


def test_account_has_a_token_limit() -> None:
    user = person("ann")
    client = browser("ann")
    preference_save(user=user, zone="Europe/Berlin")
    for _ in range(MAX_TOKENS):
        token_make(user=user)
    answer = client.post("/me/", {"act": "token"})
    assert answer.status_code == 422
    assert "tokens, the maximum" in read_page(answer).text
    assert 'value="Europe/Berlin"' in answer.content.decode(), "the other forms stay as they are"
    assert len(tokens_of(user=user)) == MAX_TOKENS


def test_read_only_token_ends_with_the_password() -> None:
    user = person("ann")
    client = browser("ann")
    client.post("/me/", {"act": "token", "read_only": "on"})
    first = client.get("/me/").content.decode()
    program = Client(headers={"Authorization": f"Token {READONLY_VALUE.findall(first)[0]}"})
    assert program.get("/api/campaigns/").status_code == 200
    assert program.post("/api/campaigns/", {}, content_type="application/json").status_code == 403
    assert "· read only" in page(client, "/me/").text
    user.set_password("a wholly new phrase")
    user.save()
    assert program.get("/api/campaigns/").status_code == 401
    assert tokens_of(user=user) == []


def test_calendar_address_is_shown_once_and_revoked() -> None:
    user = person("ann")
    client = browser("ann")
    client.post("/me/", {"act": "feed"})
    address = READONLY_VALUE.findall(client.get("/me/").content.decode())[0]
    assert READONLY_VALUE.findall(client.get("/me/").content.decode()) == []
    token = address.removesuffix(".ics").rpartition("/")[2]
    assert feed_user(token=token) == user
    client.post("/me/", {"act": "feed-end"})
    assert feed_user(token=token) is None


def test_unknown_action_does_nothing() -> None:
    person("ann")
    assert browser("ann").post("/me/", {"act": "sudo"})["Location"] == "/me/"
    assert "Preferences" in page(browser("ann"), "/me/").text
