"""Notifications in browsers, against a push service on this machine that decrypts them."""

from __future__ import annotations

import base64
import json
import os
import re
import socket
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
import pytest
import pytest_django
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.contrib.auth.models import User
from django.test import Client
from py_vapid import Vapid02

from campaign.models import Notification, PushDevice
from campaign.services import push
from campaign.services.answers import LONGEST_PAUSE
from campaign.services.outbox import BACK_OFF, notifications_deliver
from campaign.services.preferences import preference_save
from engine.core.errors import RuleViolations
from tests.campaign.pages.general.browser_pages import browser, read_page
from tests.campaign.seats.people import MONDAY, person

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PASSWORD = "Vaults-at-1205"
AWAY = "http://127.0.0.1:9"
MOZILLA = "https://updates.push.services.mozilla.com/wpush/v2/abc"


def text_of(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


class Service(ThreadingHTTPServer):
    """A push service.

    Attributes:
        answers: The status for each coming request, then 201.
        later: The Retry-After header of a refusal.
        taken: Headers and bodies.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: list[int] = []
        self.later = ""
        self.requests: list[tuple[str, dict[str, str], bytes]] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        service: Any = self.server
        body = self.rfile.read(int(self.headers["Content-Length"]))
        service.requests.append(
            (self.path, {name.lower(): value for name, value in self.headers.items()}, body)
        )
        status = service.answers.pop(0) if service.answers else 201
        self.send_response(status)
        if service.later and status != 201:
            self.send_header("Retry-After", service.later)
        if status == 307:
            self.send_header("Location", f"{service.address}/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


class Receiver:
    """A browser: its keys, and how it decrypts messages."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = os.urandom(16)

    @property
    def p256dh(self) -> str:
        return text_of(
            self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        )

    def reads(self, body: bytes) -> dict[str, str]:
        message: dict[str, str] = json.loads(
            http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth)
        )
        return message


@pytest.fixture
def service(settings: pytest_django.Settings) -> Iterator[Service]:
    fake_service = Service()
    settings.PUSH_SERVICES = [*settings.PUSH_SERVICES, fake_service.address, AWAY]
    threading.Thread(target=fake_service.serve_forever, daemon=True).start()
    yield fake_service
    fake_service.shutdown()
    fake_service.server_close()


@pytest.fixture
def vera() -> User:
    user = person("vera")
    user.set_password(PASSWORD)
    user.save()
    preference_save(user=user, email=False)
    return user


def device(user: User, receiver: Receiver, service: Service, name: str = "one") -> PushDevice:
    """Return a browser at this machine's service, which no form would accept."""
    return PushDevice.objects.create(
        user=user,
        endpoint=f"{service.address}/{name}",
        endpoint_sha256=(name.encode().hex() + "0" * 64)[:64],
        p256dh=receiver.p256dh,
        auth=text_of(receiver.auth),
        password_sha256=push._password_hash(user),
        created_at=MONDAY,
    )


def write_notification(user: User, key: str = "one") -> Notification:
    return Notification.objects.create(
        user=user, dedupe_key=key, body="War: there is something new.", path="/c/x/"
    )


def form(name: str, receiver: Receiver, **extra: str) -> dict[str, str]:
    """Return what a browser sends about itself, with this end of its endpoint."""
    return {
        "endpoint": f"{MOZILLA}{name}",
        "p256dh": receiver.p256dh,
        "auth": text_of(receiver.auth),
        **extra,
    }


def told_devices(user: User) -> list[str]:
    """Return the ends of the endpoints at which a user is notified."""
    return [
        row.endpoint.removeprefix(MOZILLA)
        for row in push.devices_of(user=User.objects.get(pk=user.pk))
    ]


@pytest.mark.parametrize("contact", ["mailto:host@localhost", "https://war.example.org:8443"])
def test_only_the_browser_reads_a_push_and_the_service_knows_the_sender(
    vera: User, service: Service, settings: pytest_django.Settings, contact: str
) -> None:
    settings.PUSH_CONTACT = contact
    receiver = Receiver()
    device(vera, receiver, service)
    write_notification(vera)
    assert notifications_deliver(now=MONDAY) == 1
    assert notifications_deliver(now=MONDAY) == 0
    ((path, headers, body),) = service.requests
    assert path == "/one"
    message = receiver.reads(body)
    assert re.fullmatch("[0-9a-f]{16}", message.pop("tag"))
    assert message == {
        "title": "Blind Jump",
        "body": "War: there is something new.",
        "path": "/c/x/",
    }
    assert b"something" not in body
    assert headers["content-encoding"] == "aes128gcm"
    assert Vapid02.verify(headers["authorization"])
    assert f"k={push.public_key()}" in headers["authorization"]
    token = headers["authorization"].partition("t=")[2].split(".")[1]
    assert json.loads(base64.urlsafe_b64decode(token + "=="))["sub"] == contact
    with pytest.raises(http_ece.ECEException):
        Receiver().reads(body)


@pytest.mark.parametrize("status", [404, 410])
def test_vanished_browser_is_deleted_and_others_notified(
    vera: User, service: Service, status: int
) -> None:
    gone, here = Receiver(), Receiver()
    device(vera, gone, service, "gone")
    device(vera, here, service, "here")
    write_notification(vera)
    service.answers = [status]
    assert notifications_deliver(now=MONDAY) == 1
    assert [row.endpoint.rpartition("/")[2] for row in PushDevice.objects.all()] == ["here"]
    assert [path for path, *_ in service.requests] == ["/gone", "/here"]


@pytest.mark.parametrize("status", [429, 500, 307])
def test_refusing_push_service_is_retried_without_duplicates(
    vera: User, service: Service, status: int
) -> None:
    device(vera, Receiver(), service, "one")
    device(vera, Receiver(), service, "two")
    write_notification(vera)
    service.answers = [status]
    assert notifications_deliver(now=MONDAY) == 0
    assert [path for path, *_ in service.requests] == ["/one", "/two"]  # and nowhere else
    assert notifications_deliver(now=MONDAY + BACK_OFF[0]) == 1
    assert [path for path, *_ in service.requests] == ["/one", "/two", "/one"]
    assert PushDevice.objects.count() == 2


@pytest.mark.parametrize(
    ("status", "later", "pause"),
    [
        (429, "1800", timedelta(minutes=30)),
        (503, "Mon, 02 Nov 2026 13:00:00 GMT", timedelta(hours=1)),
        (503, "Mon Nov  2 13:00:00 2026", timedelta(hours=1)),
        (429, "5", BACK_OFF[0]),  # its own time is longer
        (429, "Mon, 02 Nov 2026 11:00:00 GMT", BACK_OFF[0]),
        (429, "999999999999999999999", LONGEST_PAUSE),
        (503, "Sat, 02 Nov 2126 13:00:00 GMT", LONGEST_PAUSE),
        (429, "-5", BACK_OFF[0]),
        (503, "soon", BACK_OFF[0]),
        (500, "1800", BACK_OFF[0]),  # it answers nothing there
    ],
)
def test_retry_after_of_a_push_service_is_respected(
    vera: User, service: Service, status: int, later: str, pause: timedelta
) -> None:
    now = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)
    device(vera, Receiver(), service)
    write_notification(vera)
    service.answers, service.later = [status], later
    assert notifications_deliver(now=now) == 0
    assert Notification.objects.get().due_at == now + pause
    assert notifications_deliver(now=now + pause - timedelta(seconds=1)) == 0
    assert len(service.requests) == 1
    assert notifications_deliver(now=now + pause) == 1


def test_unreachable_push_service_is_retried(vera: User, service: Service) -> None:
    device(vera, Receiver(), service)
    PushDevice.objects.update(endpoint=f"{AWAY}/nobody")
    write_notification(vera)
    assert notifications_deliver(now=MONDAY) == 0
    assert Notification.objects.get().attempts == 1


def test_browsers_are_added_and_removed_on_the_profile(vera: User) -> None:
    client, receiver = browser("vera"), Receiver()
    assert push.public_key() in client.get("/me/").content.decode()
    assert client.post("/me/", form("", receiver, act="push")).status_code == 302
    (row,) = push.devices_of(user=vera)
    assert row.endpoint == MOZILLA
    assert "Browser added" in read_page(client.get("/me/")).text
    other = person("otto")
    push.push_forget(user=other, sha256=row.endpoint_sha256)
    assert push.devices_of(user=vera) == [row]
    assert (
        client.post("/me/", {"act": "push-end", "device": row.endpoint_sha256}).status_code == 302
    )
    assert push.devices_of(user=vera) == []


def test_browser_belongs_to_its_last_user_and_ten_are_kept(vera: User) -> None:
    receiver, otto = Receiver(), person("otto")
    keys = {"p256dh": receiver.p256dh, "auth": text_of(receiver.auth)}
    for number in range(push.MAX_DEVICES + 2):
        push.push_add(user=vera, endpoint=f"{MOZILLA}{number}", **keys)
    endpoints = [row.endpoint for row in push.devices_of(user=vera)]
    assert endpoints == [f"{MOZILLA}{number}" for number in range(2, push.MAX_DEVICES + 2)]
    push.push_add(user=otto, endpoint=f"{MOZILLA}5", **keys)
    assert [row.endpoint for row in push.devices_of(user=otto)] == [f"{MOZILLA}5"]
    assert len(push.devices_of(user=vera)) == push.MAX_DEVICES - 1


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://updates.push.services.mozilla.com/x",
        "https://127.0.0.1/x",
        "https://evil.example/push.services.mozilla.com",
        "https://evilpush.services.mozilla.com.example.org/x",
        "https://notpush.services.mozilla.com@10.0.0.1/x",
        "https://push.services.mozilla.com:8080/x",
        "https://push.services.mozilla.com:x/",
        "https://[",
        r"https://127.0.0.1\.fcm.googleapis.com/",
        "https://127.0.0.1%5C.fcm.googleapis.com/",
        "https://10.0.0.1#.fcm.googleapis.com/",
        "https://10.0.0.1?.fcm.googleapis.com/",
        "https://user:word@fcm.googleapis.com/",
        "https://-x_y.fcm.googleapis.com/",
        "https://fcm.googleapis.com\t/",
        "https:/127.0.0.1/.fcm.googleapis.com/",
        "https:fcm.googleapis.com/x",
        f"{MOZILLA}{'x' * 600}",
        "",
    ],
)
def test_push_cannot_target_other_machines(vera: User, endpoint: str) -> None:
    receiver = Receiver()
    with pytest.raises(RuleViolations, match="does not know"):
        push.push_add(
            user=vera, endpoint=endpoint, p256dh=receiver.p256dh, auth=text_of(receiver.auth)
        )
    assert push.devices_of(user=vera) == []


def test_checked_address_is_the_one_used(vera: User) -> None:
    receiver = Receiver()
    endpoint = "HTTPS://WNS2-by3p.notify.windows.com:443/w/?token=BQ%2b%3d#here"
    row = push.push_add(
        user=vera, endpoint=endpoint, p256dh=receiver.p256dh, auth=text_of(receiver.auth)
    )
    assert row.endpoint == "https://wns2-by3p.notify.windows.com/w/?token=BQ%2B%3D"
    assert row.endpoint_sha256 == push.endpoint_key(endpoint), "by which the browser is known"


def test_stored_address_is_checked_again(vera: User, service: Service) -> None:
    row = device(vera, Receiver(), service)
    bad = rf"https://127.0.0.1:{service.server_port}\.fcm.googleapis.com/"
    PushDevice.objects.update(endpoint=bad)
    write_notification(vera)
    notifications_deliver(now=MONDAY)
    assert push.devices_of(user=vera) == []
    row.refresh_from_db()
    assert not push.push_send(device=row, body="b", path="/", tag="t", now=MONDAY).is_accepted
    assert service.requests == []


def test_known_name_resolving_inside_is_not_contacted(
    vera: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name server may lie, or answer differently the second time."""
    connected = []
    inside = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 443))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [inside])
    monkeypatch.setattr(
        socket, "create_connection", lambda place, *_, **__: connected.append(place)
    )
    row = push.push_add(
        user=vera, endpoint=MOZILLA, p256dh=Receiver().p256dh, auth=text_of(os.urandom(16))
    )
    assert not push.push_send(device=row, body="b", path="/", tag="t", now=MONDAY).is_accepted
    assert connected == []


@pytest.mark.parametrize(
    ("p256dh", "auth"), [("x", "A" * 22), ("BBBB", "A" * 22), (None, "short"), (None, "ü" * 22)]
)
def test_invalid_keys_are_refused(vera: User, p256dh: str | None, auth: str) -> None:
    with pytest.raises(RuleViolations):
        push.push_add(user=vera, endpoint=MOZILLA, p256dh=p256dh or Receiver().p256dh, auth=auth)


def test_equal_texts_are_two_messages_and_a_resend_is_one(vera: User, service: Service) -> None:
    receiver = Receiver()
    device(vera, receiver, service)
    write_notification(vera)
    write_notification(vera, "two")
    service.answers = [500]  # it may have been accepted nevertheless
    notifications_deliver(now=MONDAY)
    notifications_deliver(now=MONDAY + BACK_OFF[0])
    first, second, again = (receiver.reads(body)["tag"] for _, _, body in service.requests)
    assert first == again != second


def test_longest_message_fits_push_limits(vera: User, service: Service) -> None:
    receiver = Receiver()
    device(vera, receiver, service)
    longest = Notification._meta.get_field("body").max_length
    assert longest is not None
    body = "\U0001f680" * longest
    Notification.objects.create(user=vera, dedupe_key="long", body=body, path="/c/" + "x" * 190)
    assert notifications_deliver(now=MONDAY) == 1
    ((_, _, body_sent),) = service.requests
    assert len(body_sent) <= 4096  # RFC 8291
    assert receiver.reads(body_sent)["body"] == body


def test_logout_ends_push_in_this_browser_only(vera: User) -> None:
    home, club = browser("vera"), browser("vera")
    home.post("/me/", form("home", Receiver(), act="push"))
    club.post("/me/", form("club", Receiver(), act="push"))
    club.post("/accounts/logout/")
    assert told_devices(vera) == ["home"]
    assert club.cookies["told_browser"].value == ""
    del home.cookies[
        "told_browser"
    ]  # added by an earlier release: the page's script names the browser
    home.post("/accounts/logout/", {"endpoint": f"{MOZILLA}home"})
    assert told_devices(vera) == []


def test_logout_does_not_end_the_push_of_others(vera: User) -> None:
    browser("vera").post("/me/", form("home", Receiver(), act="push"))
    person("otto")
    browser("otto").post("/accounts/logout/", {"endpoint": f"{MOZILLA}home"})
    Client().post("/accounts/logout/", {"endpoint": f"{MOZILLA}home"})
    assert told_devices(vera) == ["home"]


def test_login_ends_the_push_of_another_user_in_this_browser(vera: User) -> None:
    """The other user's session may have expired."""
    otto = person("otto")
    otto.set_password(PASSWORD)
    otto.save()
    shared = browser("vera")
    shared.post("/me/", form("club", Receiver(), act="push"))
    shared.cookies.pop("sessionid")
    assert told_devices(vera) == ["club"]
    shared.post("/accounts/login/", {"login": "vera", "password": PASSWORD})
    assert told_devices(vera) == ["club"]
    shared.cookies.pop("sessionid")
    shared.post("/accounts/login/", {"login": "otto", "password": PASSWORD})
    assert told_devices(vera) == []


def test_new_password_ends_push_in_other_browsers(vera: User) -> None:
    home, club = browser("vera"), browser("vera")
    club.post("/me/", form("club", Receiver(), act="push"))
    home.post("/me/", form("home", Receiver(), act="push"))
    new = {"oldpassword": PASSWORD, "password1": "Vaults-of-1306", "password2": "Vaults-of-1306"}
    assert home.post("/accounts/password/change/", new).status_code == 302
    assert told_devices(vera) == ["home"]
    User.objects.get(pk=vera.pk).delete()
    assert PushDevice.objects.count() == 0


def test_changed_push_address_is_used(vera: User) -> None:
    client, receiver = browser("vera"), Receiver()
    client.post("/me/", form("one", receiver, act="push"))
    assert client.get("/me/push/").json()["key"] == push.public_key()
    assert (
        client.post("/me/push/", form("two", receiver, before=f"{MOZILLA}one")).status_code == 204
    )
    assert told_devices(vera) == ["two"]
    assert (
        client.post("/me/push/", form("three", receiver)).status_code == 204
    )  # the cookie names the device
    assert told_devices(vera) == ["three"]


@pytest.mark.parametrize("before", ["nothing", "otto", ""])
def test_unknown_push_address_is_not_replaced(vera: User, before: str) -> None:
    person("otto")
    browser("otto").post("/me/", form("otto", Receiver(), act="push"))
    client, old = browser("vera"), f"{MOZILLA}{before}" if before else ""
    assert client.post("/me/push/", form("new", Receiver(), before=old)).status_code == 404
    assert (
        Client().post("/me/push/", form("new", Receiver(), before=f"{MOZILLA}otto")).status_code
        == 302
    )
    client.post("/me/", form("vera", Receiver(), act="push"))
    assert (
        client.post("/me/push/", form("otto", Receiver(), before=f"{MOZILLA}vera")).status_code
        == 404
    )
    bad = form("new", Receiver(), before=f"{MOZILLA}vera") | {"endpoint": "https://127.0.0.1/x"}
    assert client.post("/me/push/", bad).status_code == 422
    assert [row.endpoint.removeprefix(MOZILLA) for row in PushDevice.objects.order_by("pk")] == [
        "otto",
        "vera",
    ]


def test_another_secret_gives_another_key(settings: pytest_django.Settings) -> None:
    first = push.public_key()
    settings.PUSH_SECRET = "another"
    assert push.public_key() != first
    assert len(base64.urlsafe_b64decode(first + "=")) == push.POINT_LENGTH
