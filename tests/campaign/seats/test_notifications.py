"""The outbox is delivered once, by the channels its receivers chose, and retried after failures."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from smtplib import SMTPServerDisconnected
from typing import Any
from urllib.parse import urlsplit

import pytest
import pytest_django
from django.contrib.auth.models import User
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client

from campaign.models import Campaign, Notification, Preference, Stage
from campaign.services import outbox
from campaign.services.answers import ACCEPTED, REFUSED, DeliveryResult
from campaign.services.channels import channel_post
from campaign.services.outbox import BACK_OFF, LEASE, MAX_ATTEMPTS, notifications_deliver
from campaign.services.preferences import preference_of, preference_save
from campaign.services.seats import campaign_begin
from campaign.services.user_texts import texts_for_users
from tests.campaign.pages.general.browser_pages import browser, read_page
from tests.campaign.seats.people import (
    DAILY,
    MONDAY,
    join_by_invitation,
    open_campaign,
    person,
    viewer,
)
from tests.sealing import orders_seal, orders_unseal
from umpire.services.stages import stage_resolve

pytestmark = pytest.mark.django_db
HOLD = {"schema": 1}
HOUR = timedelta(hours=1)
DISCORD = "discord://123456789/abcdefghijklmnop"
NTFY = "ntfy://our-table"
WORD = "a-secret-word"


class Channels:
    """A replacement for apprise: what was posted where, and which addresses fail."""

    def __init__(self) -> None:
        self.posts: list[tuple[str, str]] = []
        self.broken: set[str] = set()
        self.real = ""  # the address that is really used

    def post(self, row: Notification, url: str) -> DeliveryResult:
        if url == self.real:
            return channel_post(url=url, body=row.body, link="", trusted=True)  # no form accepts it
        if url in self.broken:
            return REFUSED
        self.posts.append((url, row.body))
        return ACCEPTED


@pytest.fixture
def channels(monkeypatch: pytest.MonkeyPatch) -> Channels:
    fake_channels = Channels()
    monkeypatch.setattr(outbox, "_post", fake_channels.post)
    return fake_channels


@pytest.fixture
def vera() -> User:
    return person("vera")


class Host(ThreadingHTTPServer):
    """A host of a channel on this machine.

    Attributes:
        answers: The status for each coming message, then 200.
        taken: Bodies of requests.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Taking)
        self.answers: list[int] = []
        self.requests: list[str] = []

    @property
    def url(self) -> str:
        return f"json://vera:{WORD}@127.0.0.1:{self.server_port}/{WORD}"


class Taking(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        host: Any = self.server
        host.requests.append(
            json.loads(self.rfile.read(int(self.headers["Content-Length"])))["message"]
        )
        self.send_response(host.answers.pop(0) if host.answers else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@pytest.fixture
def host() -> Iterator[Host]:
    server = Host()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def write_notification(user: User | None, key: str = "one") -> Notification:
    return Notification.objects.create(
        user=user, dedupe_key=key, body="War: the orders of week 2", path="/c/some/"
    )


def test_notification_is_sent_once_with_its_link(
    vera: User, settings: pytest_django.Settings
) -> None:
    settings.SITE_URL = "https://war.example.org"
    write_notification(vera)
    assert notifications_deliver(now=MONDAY) == 1
    assert notifications_deliver(now=MONDAY) == 0
    assert notifications_deliver(now=MONDAY + timedelta(days=30)) == 0
    (message,) = mail.outbox
    assert (message.to, message.subject) == (["vera@example.org"], "War: the orders of week 2")
    assert message.body.startswith("War: the orders of week 2\n\nhttps://war.example.org/c/some/\n")
    assert Notification.objects.get().sent_at == MONDAY


def test_mail_explains_its_reason_and_how_to_stop(
    vera: User, client: Client, settings: pytest_django.Settings
) -> None:
    settings.SITE_URL = "https://war.example.org"
    preference_save(user=vera, language="de")
    write_notification(vera)
    notifications_deliver(now=MONDAY)
    headers = mail.outbox[0].message()
    assert headers["Auto-Submitted"] == "auto-generated"
    assert headers["Message-ID"].endswith("@war.example.org>")
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "Du bekommst diese Mail, weil du an dieser Kampagne teilnimmst" in mail.outbox[0].body
    link = headers["List-Unsubscribe"].strip("<>")
    assert link in mail.outbox[0].body

    path = urlsplit(link).path
    assert "E-mails are off" not in client.get(path).content.decode()
    assert preference_of(vera).email  # mail programs and scanners open links
    assert client.get(f"{path[:-2]}x/").status_code == 404
    page = Client(enforce_csrf_checks=True).post(path, {"List-Unsubscribe": "One-Click"})
    assert "E-mails are off" in page.content.decode()
    assert not preference_of(vera).email


def test_nobody_gets_mail_about_their_own_action() -> None:
    """A player alone against the computer already sees the result of each seal on the page."""
    _, player = open_campaign(play="ember", timetable={**DAILY, "early_close": True})
    faction = player.faction
    assert faction is not None
    stage: Stage | None = campaign_begin(viewer=player, now=MONDAY)
    assert stage is not None
    orders_seal(stage=stage, faction=faction, payload=HOLD, author=player.user, now=MONDAY)
    resolution = stage_resolve(stage=stage.pk, now=MONDAY)
    assert not Notification.objects.exists()
    assert resolution is not None
    stage = resolution.next
    assert stage is not None
    assert stage.closes is not None
    stage_resolve(
        stage=stage.pk, now=stage.closes
    )  # the deadline closes it while the player is away
    assert [row.user for row in Notification.objects.all()] == [player.user]


def test_who_asked_for_it_gets_the_receipt_of_each_seal_by_mail(channels: Channels) -> None:
    _, player = open_campaign(play="ember", timetable=DAILY)
    faction = player.faction
    assert faction is not None
    stage = campaign_begin(viewer=player, now=MONDAY)
    sealing: dict[str, Any] = {"stage": stage, "faction": faction, "author": player.user}
    orders_seal(**sealing, payload=HOLD, now=MONDAY)
    assert not Notification.objects.filter(dedupe_key__startswith="sealed/").exists()
    orders_unseal(stage=stage, faction=faction, now=MONDAY)
    user = User.objects.get(pk=player.user.pk)
    User.objects.filter(pk=user.pk).update(email="hope@example.org")
    preference_save(user=user, email=False, sealed_mail=True, apprise_urls=[NTFY])
    orders_seal(**sealing, payload=HOLD, now=MONDAY + HOUR)
    notifications_deliver(now=MONDAY + HOUR)
    (message,) = mail.outbox
    assert "orders are sealed (revision 2)" in message.subject
    assert f"1/{stage.ordinal}/0/ember/2\n" in message.body
    assert "\nsealed 20" in message.body
    assert channels.posts == []


def test_last_of_several_sides_to_seal_gets_the_same_mail() -> None:
    campaign, host = open_campaign(play="ember", timetable={**DAILY, "early_close": True})
    flo = join_by_invitation(host, "flo", faction="frost")
    stage = campaign_begin(viewer=host, now=MONDAY)
    for sealing_viewer in (viewer(campaign, "hope"), flo):
        assert sealing_viewer.faction is not None
        orders_seal(
            stage=stage,
            faction=sealing_viewer.faction,
            payload=HOLD,
            author=sealing_viewer.user,
            now=MONDAY + HOUR,
        )
    stage_resolve(stage=stage.pk, now=MONDAY + HOUR)
    notifications = Notification.objects.filter(dedupe_key__contains="/1/1/").order_by("user_id")
    assert [row.user for row in notifications] == [host.user, flo.user]


def test_campaign_name_cannot_forge_a_header(vera: User) -> None:
    Notification.objects.create(
        user=vera, dedupe_key="one", body="War\r\nBcc: all@example.org: orders"
    )
    assert notifications_deliver(now=MONDAY) == 1
    assert mail.outbox[0].subject == "War"
    assert "Bcc" not in mail.outbox[0].extra_headers
    assert mail.outbox[0].recipients() == ["vera@example.org"]


@pytest.mark.any_database
def test_users_get_the_notifications_they_chose(vera: User, channels: Channels) -> None:
    quiet, away, inactive = person("quiet"), person("away"), person("gone")
    preference_save(user=vera, apprise_urls=[DISCORD, NTFY])
    preference_save(user=quiet, email=False)
    preference_save(user=away, email=False, apprise_urls=[NTFY])
    User.objects.filter(pk=inactive.pk).update(is_active=False)
    for user in (vera, quiet, away, inactive):
        write_notification(user, user.username)
    assert notifications_deliver(now=MONDAY) == 4
    assert [message.to for message in mail.outbox] == [["vera@example.org"]]
    assert [url for url, _ in channels.posts] == [DISCORD, NTFY, NTFY]


def test_site_channels_get_their_notifications(
    settings: pytest_django.Settings, channels: Channels
) -> None:
    settings.APPRISE_URLS = [DISCORD]
    write_notification(None)
    assert notifications_deliver(now=MONDAY) == 1
    assert [url for url, _ in channels.posts] == [DISCORD]


@pytest.mark.any_database
def test_successful_channel_is_not_used_again(vera: User, channels: Channels) -> None:
    preference_save(user=vera, apprise_urls=[DISCORD, NTFY])
    channels.broken = {DISCORD}
    write_notification(vera)
    assert notifications_deliver(now=MONDAY) == 0
    assert notifications_deliver(now=MONDAY) == 0  # not before its time
    channels.broken = set()
    assert notifications_deliver(now=MONDAY + BACK_OFF[0]) == 1
    assert len(mail.outbox) == 1
    assert [url for url, _ in channels.posts] == [NTFY, DISCORD]
    row = Notification.objects.get()
    assert len(row.delivered_channels) == 3
    assert "discord" not in str(row.delivered_channels)


@pytest.mark.any_database
@pytest.mark.parametrize("status", [404, 429, 500])
def test_refusing_host_is_retried_and_reported_to_its_owner(
    vera: User, host: Host, channels: Channels, capfd: pytest.CaptureFixture[str], status: int
) -> None:
    channels.real = host.url
    Preference.objects.create(
        user=vera, email=False, apprise_urls=[NTFY, host.url]
    )  # no form accepts the second
    write_notification(vera)
    host.answers = [status]
    assert notifications_deliver(now=MONDAY) == 0
    assert outbox.channels_failing(user=vera) == [1]
    assert "Line 2 did not accept the last message" in read_page(browser("vera").get("/me/")).text
    assert notifications_deliver(now=MONDAY + BACK_OFF[0]) == 1
    assert notifications_deliver(now=MONDAY + timedelta(days=9)) == 0
    assert (len(host.requests), len(channels.posts)) == (2, 1)
    assert outbox.channels_failing(user=vera) == []
    assert "did not accept" not in read_page(browser("vera").get("/me/")).text
    assert WORD not in "".join(capfd.readouterr())
    assert WORD not in str(Notification.objects.values().get())


def test_retries_become_rarer_and_end(vera: User, monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[int] = []

    def refuse(self: EmailMessage) -> int:
        tries.append(1)
        raise SMTPServerDisconnected("away")

    monkeypatch.setattr(EmailMessage, "send", refuse)
    write_notification(vera)
    now = MONDAY
    for pause in (*BACK_OFF, timedelta(days=30), timedelta(days=30)):
        notifications_deliver(now=now)
        now += pause
    assert len(tries) == MAX_ATTEMPTS
    row = Notification.objects.get()
    assert (row.sent_at, row.abandoned_at is not None) == (None, True)


def test_row_of_a_dead_worker_waits_for_its_lease(
    vera: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_notification(vera)

    def die(self: EmailMessage) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(EmailMessage, "send", die)
        with pytest.raises(KeyboardInterrupt):
            notifications_deliver(now=MONDAY)
    assert notifications_deliver(now=MONDAY + LEASE - timedelta(seconds=1)) == 0
    assert notifications_deliver(now=MONDAY + LEASE) == 1
    assert len(mail.outbox) == 1


def test_two_workers_never_take_the_same_row(vera: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one sends, another runs and finds nothing to do."""
    write_notification(vera)
    sent_counts: list[int] = []

    def send(self: EmailMessage) -> int:
        sent_counts.append(notifications_deliver(now=MONDAY))
        return 1

    monkeypatch.setattr(EmailMessage, "send", send)
    assert notifications_deliver(now=MONDAY) == 1
    assert sent_counts == [0]


def test_run_takes_a_limited_number_oldest_first(vera: User) -> None:
    for key in "abc":
        write_notification(vera, key)
    assert notifications_deliver(now=MONDAY, limit=2) == 2
    assert list(Notification.objects.filter(sent_at=None).values_list("dedupe_key", flat=True)) == [
        "c"
    ]


def test_email_is_in_the_reader_language(vera: User) -> None:
    preference_save(user=vera, language="de")
    other = person("otto")
    campaign = Campaign(name="War", timetable={"zone": "Europe/Berlin"})
    texts = texts_for_users(
        [None, vera.pk, other.pk],
        lambda: outbox.WAITS_UNTIL.format(
            campaign=campaign.name, closes=outbox.moment_in(campaign, MONDAY)
        ),
    )
    assert texts[vera.pk].startswith("War: Dein Gefecht braucht deine Befehle bis Mo., ")
    assert texts[None] == texts[other.pk]
    assert texts[None].startswith("War: your battle needs your orders until Mon ")
