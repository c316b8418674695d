"""Wrong passwords slow down only those who try them, and nothing reveals which accounts exist."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from axes.models import AccessAttempt
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.auth.models import User
from django.core import mail, signing
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaign.models import Notification
from campaign.services.outbox import BACK_OFF, notifications_deliver
from campaign.services.preferences import preference_save
from campaign.services.tokens import token_make
from config.logins import COOKIE, MAX_PER_ADDRESS, MAX_PER_NAME, SALT, WAIT

pytestmark = pytest.mark.django_db
PASSWORD, WRONG = "a long enough pass phrase", "a wrong pass phrase"
HOME, ELSEWHERE = "192.0.2.7", "198.51.100.9"


@pytest.fixture(autouse=True)
def quick_hashes(settings: Any) -> None:
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]


class CountingHasher(MD5PasswordHasher):
    """A fast hasher that counts its calls."""

    algorithm, hash_calls = "counted", 0

    def encode(self, password: str, salt: str) -> str:
        CountingHasher.hash_calls += 1
        return super().encode(password, salt)


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada", "ada@example.org", PASSWORD)


def log_in(client: Client, password: str, name: str = "ada", address: str = HOME) -> int:
    """Return the status of a log-in on the page: 302 for success, 200 for failure, 429 to wait."""
    form = {"login": name, "password": password}
    return client.post(reverse("account_login"), form, REMOTE_ADDR=address).status_code


def get_token(client: Client, password: str, name: str = "ada", address: str = HOME) -> int:
    """Return the same for the API: 201, 401 or 429."""
    form = {"username": name, "password": password}
    return client.post(
        "/api/token/", form, content_type="application/json", REMOTE_ADDR=address
    ).status_code


def known_device(address: str = HOME) -> Client:
    """Return a browser in which ada has logged in and out."""
    client = Client()
    assert log_in(client, PASSWORD, address=address) == 302
    client.post(reverse("account_logout"))
    assert "_auth_user_id" not in client.session
    return client


def enemy(tries: int, name: str = "ada", address: str = HOME) -> list[int]:
    return [log_in(Client(), WRONG, name, address) for _ in range(tries)]


def later(by: timedelta) -> None:
    """Let time pass for the counters."""
    AccessAttempt.objects.update(attempt_time=F("attempt_time") - by)


def test_remote_attacker_locks_nobody_out(ada: User) -> None:
    assert enemy(7, address=ELSEWHERE) == [200] * 4 + [429] * 3
    assert log_in(Client(), PASSWORD) == 302
    assert get_token(Client(), PASSWORD) == 201
    assert log_in(Client(), PASSWORD, address=ELSEWHERE) == 429


@pytest.mark.any_database
@pytest.mark.parametrize("name", ["ada", "ADA@example.org"])
def test_known_device_logs_in_beside_an_attacker_at_its_address(ada: User, name: str) -> None:
    device, opened, new = known_device(), Client(), Client()
    log_in(opened, PASSWORD)
    token = token_make(user=ada)
    enemy(9, name=name)
    assert log_in(new, PASSWORD, name) == 429
    assert log_in(device, PASSWORD, name) == 302
    assert get_token(device, PASSWORD, name, ELSEWHERE) == 201
    assert opened.get("/me/", REMOTE_ADDR=HOME).status_code == 200
    token = token_make(user=ada)
    assert (
        Client(headers={"Authorization": f"Token {token}"})
        .get("/api/me/", REMOTE_ADDR=HOME)
        .status_code
        == 200
    )


@pytest.mark.any_database
def test_known_device_is_limited_by_its_own_attempts_only(ada: User) -> None:
    device, other = known_device(), known_device()
    assert [log_in(device, WRONG, address=f"192.0.2.{n}") for n in range(6)] == [200] * 4 + [
        429
    ] * 2
    assert log_in(device, PASSWORD, address=ELSEWHERE) == 429
    assert log_in(other, PASSWORD) == 302
    later(WAIT)
    assert log_in(device, PASSWORD) == 302


@pytest.mark.any_database
@pytest.mark.parametrize(
    "case", ["password changed", "another account", "forged", "another key", "closed and opened"]
)
def test_device_unknown_to_the_account_is_a_stranger(ada: User, case: str) -> None:
    device = known_device()
    enemy(5)
    if case == "password changed":
        ada.set_password(PASSWORD + "!")
        ada.save()
    elif case == "another account":
        User.objects.create_user("eve", password=PASSWORD)
        device.cookies.clear()
        assert log_in(device, PASSWORD, "eve") == 302
        device.post(reverse("account_logout"))
    elif case == "forged":
        device.cookies[COOKIE] = device.cookies[COOKIE].value[:-1] + "_"
    elif case == "another key":
        device.cookies[COOKIE] = signing.dumps(
            signing.loads(device.cookies[COOKIE].value, salt=SALT), salt="other"
        )
    else:
        del device.cookies[COOKIE]
    assert (
        log_in(device, ada.password and PASSWORD + ("!" if case == "password changed" else ""))
        == 429
    )


def test_device_stays_known_after_its_password_change(ada: User) -> None:
    device, other, new = Client(), known_device(), PASSWORD + " of another kind"
    log_in(device, PASSWORD)
    form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert device.post(reverse("account_change_password"), form).status_code == 302
    device.post(reverse("account_logout"))
    enemy(5)
    assert (log_in(device, new), log_in(other, new)) == (302, 429)


@pytest.mark.any_database
def test_device_cookie_is_signed_and_reveals_nothing_of_the_password(ada: User) -> None:
    cookie = known_device().cookies[COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    ((pk, _device, mark),) = signing.loads(cookie.value, salt=SALT)
    ada.refresh_from_db()
    assert pk == ada.pk
    assert mark not in ada.password + ada.get_session_auth_hash()


@pytest.mark.any_database
def test_wrong_attempts_count_per_name_and_per_address(
    ada: User,
) -> None:
    User.objects.create_user("ben", password=PASSWORD)
    device = known_device()
    enemy(9, name="ben")
    assert log_in(Client(), PASSWORD) == 302  # only that name has to wait
    assert log_in(Client(), PASSWORD, "ben") == 429
    for number in range((MAX_PER_ADDRESS - MAX_PER_NAME) // 4 + 1):
        enemy(4, name=f"somebody {number}")
    assert log_in(Client(), PASSWORD) == 429  # after so many names the address has to wait
    assert log_in(device, PASSWORD) == 302
    assert log_in(Client(), PASSWORD, address=ELSEWHERE) == 302
    later(WAIT)
    assert log_in(Client(), PASSWORD) == 302


def test_further_attempts_do_not_extend_the_wait(ada: User) -> None:
    enemy(5)
    later(WAIT - timedelta(minutes=1))
    assert enemy(9) == [429] * 9
    later(timedelta(minutes=1))
    assert log_in(Client(), PASSWORD) == 302


def test_own_login_does_not_reset_the_address_count(ada: User) -> None:
    User.objects.create_user("eve", password=PASSWORD)
    for _ in range(2):
        enemy(4)
        log_in(Client(), PASSWORD, "eve")
    assert log_in(Client(), PASSWORD) == 429


def test_one_ipv6_network_is_one_address(ada: User) -> None:
    for number in range(5):
        enemy(1, address=f"2001:db8::{number}")
    assert log_in(Client(), PASSWORD, address="2001:db8::99") == 429
    assert log_in(Client(), PASSWORD, address="2001:db8:0:1::99") == 302


def test_mailed_link_opens_a_locked_account(ada: User, settings: Any) -> None:
    settings.MAIL_IS_SENT, victim, new = (
        True,
        Client(REMOTE_ADDR=HOME),
        PASSWORD + " of another kind",
    )
    enemy(9)
    page = victim.post(reverse("account_login"), {"login": "ada", "password": PASSWORD})
    assert (page.status_code, int(page["Retry-After"])) == (429, WAIT.total_seconds())
    assert reverse("account_reset_password") in page.content.decode()
    victim.post(reverse("account_reset_password"), {"email": "ada@example.org"})
    link = re.search(
        r"http://testserver(/accounts/password/reset/key/\S+)", str(mail.outbox[-1].body)
    )
    assert link is not None
    form = victim.get(link[1], follow=True)
    response = victim.post(form.request["PATH_INFO"], {"password1": new, "password2": new})
    assert (response.status_code, response["Location"]) == (302, reverse("home"))
    assert victim.session["_auth_user_id"] == str(ada.pk)
    assert victim.get("/me/").status_code == 200
    victim.post(reverse("account_logout"))
    assert log_in(victim, new) == 302  # a known device from now on
    assert b"no longer valid" in Client().get(link[1], follow=True).content


@pytest.mark.any_database
def test_requests_for_links_neither_block_them_nor_flood_a_mailbox(
    ada: User, settings: Any
) -> None:
    settings.MAIL_IS_SENT = True
    ask = partial(Client.post, path=reverse("account_reset_password"))
    enemy = [
        ask(Client(), data={"email": "ADA@example.org"}, REMOTE_ADDR=ELSEWHERE) for _ in range(9)
    ]
    own_answer = ask(Client(), data={"email": "ada@example.org"}, REMOTE_ADDR=HOME)
    unknown_answers = [
        ask(Client(), data={"email": "nobody@example.org"}, REMOTE_ADDR="203.0.113.5")
        for _ in range(9)
    ]
    answers = {
        (answer.status_code, answer["Location"])
        for answer in (*enemy, own_answer, *unknown_answers)
    }
    assert answers == {(302, reverse("account_reset_password_done"))}
    assert sum("ada@example.org" in message.to[0].lower() for message in mail.outbox) == 3
    link = re.search(
        r"http://testserver(/accounts/password/reset/key/\S+)", str(mail.outbox[0].body)
    )
    assert link is not None
    assert b"Confirm password" in Client().get(link[1], follow=True).content


NAMES = ("ada", "nobody")


@pytest.mark.any_database
def test_unsent_link_is_mailed_once_the_server_is_back(
    ada: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MAIL_IS_SENT = True
    settings.SITE_URL = "http://testserver"
    preference_save(user=ada, email=False)

    def away(*_: Any) -> int:
        raise ConnectionRefusedError

    with monkeypatch.context() as patch:
        patch.setattr(EmailMessage, "send", away)
        answers = [
            Client().post(reverse("account_reset_password"), {"email": f"{item}@example.org"})
            for item in NAMES
        ]
        assert {(item.status_code, item["Location"]) for item in answers} == {
            (302, reverse("account_reset_password_done"))
        }
        (row,) = Notification.objects.all()
        assert row.user == ada
        assert "reset/key" not in f"{row.body}{row.path}{row.dedupe_key}", (
            "nothing stored opens the account"
        )
        assert notifications_deliver(now=timezone.now()) == 0
    assert notifications_deliver(now=timezone.now() + BACK_OFF[0]) == 1
    (message,) = mail.outbox
    link = re.search(r"http://testserver(/accounts/password/reset/key/\S+)", str(message.body))
    assert link is not None
    assert b"Confirm password" in Client().get(link[1], follow=True).content


@pytest.mark.any_database
def test_answers_and_work_do_not_reveal_accounts(ada: User) -> None:
    answers_by_path = []
    for name in ("ada", "nobody", "ada@example.org", "nobody@example.org"):
        for path in (reverse("account_login"), "/api/token/"):
            CountingHasher.hash_calls = 0
            answers = []
            for _ in range(6):
                if path.startswith("/api"):
                    form, kind = {"username": name, "password": WRONG}, "application/json"
                    answer = Client().post(path, form, content_type=kind)
                else:
                    answer = Client().post(path, {"login": name, "password": WRONG})
                text = re.sub(r'(value|csrf[^=]*)="[^"]*"', "", answer.content.decode())
                answers.append((answer.status_code, text.replace(name, "")))
            answers_by_path.append((path, answers, CountingHasher.hash_calls))
            AccessAttempt.objects.all().delete()
            cache.clear()
    for first, second in (
        (0, 2),
        (1, 3),
        (4, 6),
        (5, 7),
    ):  # existing and missing, each by name and by address
        assert answers_by_path[first] == answers_by_path[second]
    assert {hash_count for _, _, hash_count in answers_by_path} == {
        MAX_PER_NAME
    }  # the cost of one password for each try until it has to wait


def test_second_factor_codes_have_an_attempt_limit(ada: User) -> None:
    Authenticator.objects.create(
        user=ada, type=Authenticator.Type.TOTP, data={"secret": "JBSWY3DPEHPK3PXP"}
    )
    client = Client()
    assert log_in(client, PASSWORD) == 302
    pages = [
        client.post(reverse("mfa_authenticate"), {"code": f"{n:06}"}).content for n in range(6)
    ]
    assert b"Too many" not in b"".join(pages[:5])
    assert b"Too many" in pages[5]
    assert "_auth_user_id" not in client.session
