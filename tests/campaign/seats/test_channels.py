"""Messages to users' own channels: what each service accepts, played by a host on this machine."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote_plus

import pytest
import requests
from apprise.plugins.discord import NotifyDiscord
from apprise.plugins.ntfy import NotifyNtfy
from apprise.plugins.pushbullet import NotifyPushBullet
from apprise.plugins.pushover import NotifyPushover
from apprise.plugins.slack import NotifySlack
from apprise.plugins.telegram import NotifyTelegram
from urllib3.util import parse_url

from campaign.services.channels import channel_post, discord_words
from campaign.services.destinations import HOST

LINK = "https://war.example.org/c/41d0/"
NASTY = "@everyone <!channel> <@123> [free](https://evil.example) *R&D* <b>: the orders stage of week 3 is open."
# address, the service's limit in bytes, and the form of the words
SERVICES = {
    "discord://123456789/abcdefghijklmnop": (
        2000,
        r"\\[free\\](https://evil.example) \\*R&D\\* \\<b\\>:",
    ),
    "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/#general": (4000, "*R&amp;D* &lt;b&gt;:"),
    "tgram://123456789:abcdefghijklmnopqrstuvwxyz123456789/12315544/": (
        4096,
        "*R&amp;D* &lt;b&gt;:",
    ),
    "ntfys://our-table": (4096, "*R&D* <b>:"),
    f"pover://{'u' * 30}@{'t' * 30}": (1024, "*R&D* <b>:"),
    f"pbul://{'a' * 32}": (4096, "*R&D* <b>:"),
}


class Host(ThreadingHTTPServer):
    """A host of channels.

    Attributes:
        taken: Bodies of requests.
        says: Status and headers of its answers.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Taking)
        self.requests: list[str] = []
        self.answer: tuple[int, dict[str, str]] = (200, {})


class Taking(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        host: Any = self.server
        host.requests.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
        answer = b"ok" if "slack" in self.path else b'{"ok": true, "status": 1}'
        status, headers = host.answer
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(answer))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    server = Host()
    here = f"http://127.0.0.1:{server.server_port}"
    for service in (NotifyDiscord, NotifyTelegram, NotifyPushover):
        monkeypatch.setattr(service, "notify_url", f"{here}/bot")
    monkeypatch.setattr(NotifySlack, "webhook_url", f"{here}/slack")
    monkeypatch.setattr(NotifyNtfy, "cloud_notify_url", here)
    monkeypatch.setattr(NotifyPushBullet, "notify_url", f"{here}/{{}}")
    threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
    ).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("url", SERVICES)
def test_channel_message_is_escaped_and_mentions_nobody(host: Host, url: str) -> None:
    most, expected = SERVICES[url]
    assert channel_post(url=url, body=NASTY, link=LINK).is_accepted
    (request,) = host.requests
    text = unquote_plus(request) if url.startswith("pover") else request
    assert LINK in text
    assert expected in text
    assert "@everyone" not in text
    assert "<@123>" not in text
    assert "Apprise" not in text
    host.requests.clear()
    assert channel_post(
        url=url, body="[" * 400, link=f"{LINK}{'x' * 150}"
    ).is_accepted  # the longest message of an outbox
    assert len(unquote_plus(host.requests[0])) < most + 300, (
        "of which the service counts the message alone"
    )


@pytest.mark.parametrize("url", SERVICES)
def test_retry_later_answer_is_not_waited_for(host: Host, url: str) -> None:
    later = str(int(time.time()) + 3600)
    host.answer = (
        429,
        {"Retry-After": "3600", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": later},
    )
    started_at = time.monotonic()
    answer = channel_post(url=url, body="War: the war is over.", link=LINK)
    assert not answer.is_accepted
    if url.startswith("discord"):  # with apprise's waiting time, and ten seconds for wrong clocks
        assert answer.pause is not None
        assert timedelta(minutes=59) < answer.pause <= timedelta(minutes=61)
    assert len(host.requests) == 1
    assert time.monotonic() - started_at < 5


def test_user_channel_is_checked_again_before_sending(
    host: Host,
) -> None:
    inside = f"json://127.0.0.1:{host.server_port}/"
    assert not channel_post(url=inside, body="b", link=LINK).is_accepted
    assert host.requests == []
    assert channel_post(url=inside, body="b", link=LINK, trusted=True).is_accepted
    assert len(host.requests) == 1
    assert not channel_post(url="nonsense", body="b", link=LINK, trusted=True).is_accepted


@pytest.mark.parametrize("url", SERVICES)
def test_channel_address_cannot_choose_its_host(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hosts = []

    def request(_session: Any, method: str, url: str, **__: Any) -> Any:
        hosts.append(parse_url(url).host)
        raise requests.ConnectionError

    monkeypatch.setattr(requests.Session, "request", request)
    schema, _, rest = url.partition("://")
    for spoilt in (
        rest,
        f"x@{rest}",
        f"10.0.0.1/{rest}",
        rf"10.0.0.1\{rest}",
        f"@10.0.0.1:80/{rest}",
    ):
        channel_post(url=f"{schema}://{spoilt}", body="b", link=LINK)
    assert hosts, "the first one at least is sent"
    assert len(set(hosts)) == 1
    assert HOST.fullmatch(str(hosts[0]))


def test_discord_answer_is_escaped_and_short() -> None:
    assert (
        discord_words("The_War: *open* until 12:00 (UTC). [x](y)")
        == r"The\_War: \*open\* until 12:00 (UTC). \[x\](y)"
    )
    for letter in ("a", "*", "\U0001f680"):
        words = discord_words(letter * 3000)
        assert len(words.encode("utf-16-le")) // 2 <= 2000
        assert words.endswith("…")
