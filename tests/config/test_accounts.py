"""Accounts: by invitation only, a first link that works once, no guessing of passwords."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.core import mail, signing
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaign.access import Viewer
from campaign.models import Invite, Membership, Notification
from campaign.selectors.tournaments import link_token
from campaign.services.invites import (
    INVITED,
    NewInvite,
    invite_accept,
    invite_create,
    invite_revoke,
)
from campaign.services.outbox import ENDED, notifications_deliver
from campaign.services.preferences import preference_of, preference_save
from campaign.services.user_texts import texts_for_users
from config import settings as site
from config.accounts import FIRST, FIRST_LINK_LIVES, first_link
from tests.campaign.seats.people import MONDAY, open_campaign, person
from tests.umpire.services.tournament_site import open_tournament

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough pass phrase"
ANSWERS = {"username": "ada", "email": "", "password1": PASSWORD, "password2": PASSWORD}


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada", "ada@example.org", PASSWORD)


@pytest.mark.any_database
def test_passwords_are_stored_with_argon2(settings: Any) -> None:
    settings.PASSWORD_HASHERS = site.PASSWORD_HASHERS
    assert make_password(PASSWORD).startswith("argon2$argon2id$")


def sign_up(client: Client, **changes: str) -> Any:
    return client.post(reverse("account_signup"), {**ANSWERS, **changes})


def log_in(client: Client, name: str, password: str) -> Any:
    return client.post(reverse("account_login"), {"login": name, "password": password})


def test_sign_up_requires_an_invitation(client: Client) -> None:
    page = client.get(reverse("account_signup"))
    assert b"By invitation only" in page.content
    sign_up(client)
    assert not User.objects.exists()


def test_first_link_makes_the_owner_account_once(
    client: Client,
) -> None:
    link = first_link()
    assert client.get(link).url == reverse("account_signup")  # type: ignore[attr-defined]
    page = client.get(reverse("account_signup"))
    assert b"first account" in page.content
    assert sign_up(client).status_code == 302
    first = User.objects.get()
    assert (first.username, first.is_staff, first.is_superuser) == ("ada", True, False)
    assert first.check_password(PASSWORD)
    assert Client().get(link).status_code == 404


@pytest.mark.parametrize(
    ("zone", "expected"), [("Europe/Berlin", "Europe/Berlin"), ("Mars/Olympus", ""), ("", "")]
)
@pytest.mark.any_database
def test_new_account_has_the_browser_time_zone(client: Client, zone: str, expected: str) -> None:
    client.get(first_link())
    assert b'name="zone" data-own-zone' in client.get(reverse("account_signup")).content
    assert sign_up(client, zone=zone).status_code == 302
    assert preference_of(User.objects.get()).zone == expected


@pytest.mark.any_database
@pytest.mark.parametrize("language", ["de", "fr", "en"])
def test_new_account_gets_mail_in_the_browser_language(client: Client, language: str) -> None:
    client.get(first_link(), headers={"Accept-Language": language})
    answers = {**ANSWERS, "email": "anna@example.org"}
    client.post(reverse("account_signup"), answers, headers={"Accept-Language": language})
    anna = User.objects.get()
    body = texts_for_users([anna.pk], lambda: ENDED.format(campaign="War"))[anna.pk]
    Notification.objects.create(user=anna, dedupe_key="one", body=body)
    assert notifications_deliver(now=timezone.now()) == 1
    over = {"de": "Der Krieg ist vorbei.", "fr": "la guerre est finie.", "en": "the war is over."}
    assert over[language] in mail.outbox[-1].body
    preference_save(user=anna, language="")  # as my browser: the one of the last login
    client.logout()
    name = {"login": anna.username, "password": PASSWORD}
    client.post(reverse("account_login"), name, headers={"Accept-Language": "fr"})
    body = texts_for_users([anna.pk], lambda: ENDED.format(campaign="War"))[anna.pk]
    assert body.endswith(over["fr"])


def test_only_one_user_of_the_first_link_succeeds() -> None:
    quick, slow = Client(), Client()
    for browser in (quick, slow):
        browser.get(first_link())
    sign_up(quick)
    sign_up(slow, username="eve")
    assert list(User.objects.values_list("username", flat=True)) == ["ada"]


@pytest.mark.parametrize(
    "token",
    ["x", "ImZpcnN0Ig:1:x", signing.dumps(FIRST, salt="another")],
    ids=["x", "no signature", "another salt"],
)
def test_forged_first_link_is_not_found(client: Client, token: str) -> None:
    assert client.get(reverse("welcome", args=[token])).status_code == 404
    assert INVITED not in client.session


def test_old_first_link_is_not_found(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    link = first_link()
    monkeypatch.setattr("config.accounts.FIRST_LINK_LIVES", -1)
    assert FIRST_LINK_LIVES > 0
    assert client.get(link).status_code == 404


def invitation() -> tuple[Viewer, NewInvite, str]:
    """Return a host, an invitation, and the path of its link."""
    campaign, host = open_campaign()
    invite = invite_create(viewer=host, faction="ember")
    return host, invite, reverse("join", args=[campaign.public_id, invite.token])


def test_invited_user_signs_up_once_without_owner_rights(client: Client) -> None:
    _, invite, link = invitation()
    client.get(link)
    assert sign_up(client, username="grace").status_code == 302
    assert not User.objects.get(username="grace").is_staff
    assert INVITED not in client.session
    invite.invite.refresh_from_db()
    assert invite.invite.signed_up_at is not None
    assert client.post(link).status_code == 302
    assert Membership.objects.get(user__username="grace").faction == invite.invite.faction


def test_invitation_opened_twice_makes_one_account() -> None:
    _, _, link = invitation()
    quick, slow, late = Client(), Client(), Client()
    for client in (quick, slow):
        client.get(link)
        assert b"By invitation only" not in client.get(reverse("account_signup")).content
    sign_up(slow, username="hope")  # a taken name does not use the link up
    sign_up(quick, username="grace")
    late.get(link)  # the link still gives a seat, but creates no account
    for client in (slow, late):
        assert b"By invitation only" in client.get(reverse("account_signup")).content
        sign_up(client, username="eve")
    quick.post(reverse("account_logout"))
    sign_up(quick, username="eve")
    assert sorted(User.objects.values_list("username", flat=True)) == ["grace", "hope"]


@pytest.mark.parametrize(
    "end", ["revoked", "expired", "taken", "its maker is gone", "session of an older release"]
)
def test_ended_invitation_makes_no_account(end: str, client: Client) -> None:
    host, invite, link = invitation()
    client.get(link)
    if end == "revoked":
        invite_revoke(viewer=host, invite=invite.invite.public_id)
    elif end == "expired":
        Invite.objects.update(created_at=MONDAY - timedelta(days=9), expires=MONDAY)
    elif end == "taken":
        invite_accept(user=person("pia"), public_id=host.campaign.public_id, token=invite.token)
    elif end == "its maker is gone":
        User.objects.filter(username="hope").update(is_active=False)
    else:
        session = client.session
        session[INVITED] = True
        session.save()
    assert b"By invitation only" in client.get(reverse("account_signup")).content
    sign_up(client, username="eve")
    assert not User.objects.filter(username="eve").exists()


def test_invitation_revoked_during_sign_up_makes_no_account(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is revoked between the check and the creation; the second of two at once fails the same
    way.
    """
    host, invite, link = invitation()
    client.get(link)

    def revoked(**kwargs: Any) -> bool:
        invite_revoke(viewer=host, invite=invite.invite.public_id)
        return True

    monkeypatch.setattr("config.accounts.invite_allows_sign_up", revoked)
    assert sign_up(client, username="eve")["Location"] == reverse("account_signup")
    assert not User.objects.filter(username="eve").exists()
    assert "_auth_user_id" not in client.session


def test_link_of_a_tournament_makes_accounts_that_play_in_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cup = open_tournament("ada")
    link = reverse("tournament-join", args=[cup.public_id, link_token(cup)])
    monkeypatch.setattr("campaign.services.tournaments.MAX_PLAYERS", 2)
    for name in ("grace", "hope"):
        client = Client()
        client.get(link)
        sign_up(client, username=name)
    assert [player.name for player in cup.players.order_by("number")] == ["ada", "grace"]
    assert not User.objects.filter(username="hope").exists()
    assert b"By invitation only" in client.get(reverse("account_signup")).content
    assert b"Create an account" not in client.get(link).content


def test_open_server_allows_sign_up(client: Client, ada: User, settings: Any) -> None:
    settings.SIGNUP_OPEN = True
    assert (
        b"Enter an e-mail address with a public domain"
        in sign_up(client, username="grace", email="grace@localhost").content
    )
    assert sign_up(client, username="grace").status_code == 302
    assert User.objects.filter(username="grace").exists()


@pytest.mark.parametrize("name", ["ada", "ADA", "ada@example.org"])
def test_login_by_name_or_address(client: Client, ada: User, name: str) -> None:
    assert log_in(client, name, PASSWORD).url == reverse("home")
    assert client.session["_auth_user_id"] == str(ada.pk)


@pytest.mark.parametrize("name", ["ada", "ada@example.org"])
def test_five_wrong_passwords_lock_out_the_right_one(client: Client, ada: User, name: str) -> None:
    for _ in range(5):
        answer = log_in(client, name, "a wrong pass phrase")
    assert answer.status_code == 429
    assert b"Too many attempts" in answer.content
    assert log_in(client, name, PASSWORD).status_code == 429
    assert "_auth_user_id" not in client.session


@pytest.mark.any_database
def test_wrong_name_and_wrong_password_get_the_same_answer(ada: User) -> None:
    known_answer, unknown = (
        log_in(Client(), name, "a wrong pass phrase").content.decode() for name in ("ada", "nobody")
    )
    value = re.compile(r'value="[^"]*"')  # of the fields: the name itself, and a form's token
    assert value.sub("", known_answer) == value.sub("", unknown)
    assert "not correct" in known_answer


@pytest.mark.any_database
def test_pages_say_whether_the_server_sends_mail(client: Client, ada: User, settings: Any) -> None:
    for sends_mail in (True, False):
        settings.MAIL_IS_SENT = sends_mail
        client.logout()
        settings.SIGNUP_OPEN = True
        pages = [client.get(reverse("account_signup")).content.decode()]
        client.force_login(ada)
        pages.append(client.get(reverse("profile")).content.decode())
        for page in pages:
            assert ("This server sends no e-mail" in page) is not sends_mail


@pytest.mark.any_database
def test_reset_without_mail_names_the_umpire(client: Client) -> None:
    assert b"sends no e-mail" in client.get(reverse("account_reset_password")).content


def test_address_can_be_changed_and_removed(client: Client, ada: User) -> None:
    log_in(client, "ada", PASSWORD)
    response = client.post(
        reverse("account_email"), {"email": "eve@war.example"}
    )  # an open browser is not enough
    assert response.url.startswith(reverse("account_reauthenticate"))  # type: ignore[attr-defined]
    assert b"Confirm your password" in client.get(response.url).content  # type: ignore[attr-defined]
    client.post(response.url, {"password": PASSWORD})  # type: ignore[attr-defined]
    for address in ("ada@war.example", ""):
        assert client.post(reverse("account_email"), {"email": address}).status_code == 302
        ada.refresh_from_db()
        assert ada.email == address
        rows = ada.emailaddress_set.all()  # type: ignore[attr-defined]
        assert [row.email for row in rows] == ([address] if address else [])
    refused = client.post(reverse("account_email"), {"email": "ada@[127.0.0.1]"})
    assert b"Enter an e-mail address with a public domain" in refused.content
    ada.refresh_from_db()
    assert ada.email == ""


@pytest.mark.any_database
@pytest.mark.parametrize(
    "name",
    ["account_login", "account_signup", "account_reset_password", "account_reset_password_done"],
)
def test_public_pages_have_one_heading_and_no_inline_script(client: Client, name: str) -> None:
    page = client.get(reverse(name))
    text = page.content.decode()
    assert text.count("<h1") == 1
    assert "style=" not in text
    assert all("src=" in script.split(">")[0] for script in text.split("<script")[1:])
    assert "default-src 'self'" in page["Content-Security-Policy"]
    assert text.count("What is Blind Jump?") == 1, "whoever is invited is told to what"
    assert all(reverse(page_name) in text for page_name in ("gallery", "help", "league"))


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("is_mail_sent", "words"),
    [
        (True, "for messages, and to reset your password"),
        (False, "to log in with instead of your name"),
    ],
)
def test_links_say_what_the_address_is_for(
    client: Client, ada: User, settings: Any, is_mail_sent: bool, words: str
) -> None:
    settings.MAIL_IS_SENT = is_mail_sent
    client.force_login(ada)
    assert words in client.get(reverse("account_logout")).content.decode()


@pytest.mark.any_database
def test_page_after_the_logout_is_in_the_language_of_the_account(client: Client, ada: User) -> None:
    preference_save(user=ada, language="de")
    client.force_login(ada)
    left = client.post(reverse("account_logout"), HTTP_ACCEPT_LANGUAGE="en", follow=True)
    assert "Du hast dich abgemeldet" in left.content.decode()
    assert 'lang="de"' in left.content.decode()


@pytest.mark.any_database
def test_account_pages_link_to_each_other(client: Client, ada: User) -> None:
    client.force_login(ada)
    pages = ("account_email", "account_change_password", "mfa_index", "account_logout")
    for name in pages[2:]:
        text = client.get(reverse(name)).content.decode()
        assert all(f'href="{reverse(other)}"' in text for other in (*pages, "profile"))
        assert text.count('aria-current="page"') == 1
        assert "What is Blind Jump?" not in text
