"""Players who poll and give orders at once, each as a browser or a program.

Every player sends one request after another with a fixed pause: mostly to ask whether the stage has
changed, sometimes to read a page, save orders or seal them. Now and then a visitor without a
session asks for an empty view that is served beside the site. The last player to seal closes the
stage, so the worker is busy meanwhile. Response times are measured by the players, on the same
machine.

`python -m tools.bench.load_players HOST:PORT PROCESSES` runs the web server for it.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import statistics
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType

HERE = "127.0.0.1"
STARTS_WITHIN = 300.0  # seconds
EMPTY, PULSE, WAR_ROOM, MAP, SHEET, SAVE, SEAL = (
    "empty view",
    "pulse",
    "war room",
    "star map",
    "GET orders",
    "PUT orders",
    "seal",
)
# The requests of a player, in turn; each player begins at another one.
ROUND = (
    PULSE,
    EMPTY,
    PULSE,
    WAR_ROOM,
    PULSE,
    SAVE,
    PULSE,
    EMPTY,
    PULSE,
    MAP,
    PULSE,
    SAVE,
    PULSE,
    EMPTY,
    PULSE,
    SEAL,
)
ANSWERS = {
    EMPTY: {200},
    PULSE: {200, 204},
    SAVE: {200, 409, 412},
    SEAL: {201, 409},
}  # else 200; 409: the stage has closed


@dataclass
class Player:
    """A player of one campaign: session, token, and response times by kind of request."""

    number: int
    campaign: str
    session: str
    token: str
    took: dict[str, list[float]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def play(self, port: int, begin: float, end: float, pause: float) -> None:
        """Send requests until the end, over one connection as long as the server keeps it open."""
        line = http.client.HTTPConnection(HERE, port, timeout=60)
        turn, at = self.number, begin
        while at < end:
            time.sleep(max(0.0, at - time.monotonic()))
            try:
                self._do(line, ROUND[turn % len(ROUND)])
            except (OSError, http.client.HTTPException) as error:
                line.close()
                self.wrong.append(f"{ROUND[turn % len(ROUND)]}: {type(error).__name__}")
            turn, at = turn + 1, max(at + pause, time.monotonic())
        line.close()

    def _do(self, line: http.client.HTTPConnection, request_kind: str) -> None:
        api = f"/api/campaigns/{self.campaign}/orders/"
        if request_kind == SAVE:
            etag = self._ask(line, SHEET, "GET", api)
            self._ask(line, SAVE, "PUT", api, {"schema": 1}, {"If-Match": etag})
        elif request_kind == SEAL:
            self._ask(line, SEAL, "POST", f"{api}seal/", {})
        else:
            pages = {
                EMPTY: "/empty/",
                PULSE: f"/c/{self.campaign}/pulse/",
                MAP: f"/c/{self.campaign}/map/",
            }
            self._ask(line, request_kind, "GET", pages.get(request_kind, f"/c/{self.campaign}/"))

    def _ask(
        self,
        line: http.client.HTTPConnection,
        request_kind: str,
        method: str,
        path: str,
        body: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> str:
        """Send one request, and return the answer's ETag."""
        credentials = (
            {"Authorization": f"Token {self.token}"}
            if path.startswith("/api/")
            else {"Cookie": self.session}
        )
        own_headers = {
            **({} if request_kind == EMPTY else credentials),
            **({} if body is None else {"Content-Type": "application/json"}),
        }
        started = time.perf_counter()
        text = None if body is None else json.dumps(body)
        try:
            line.request(method, path, text, {**own_headers, **(headers or {})})
            answer = line.getresponse()
        except (
            ConnectionError,
            http.client.RemoteDisconnected,
        ):  # the connection was idle for too long: open another one, as browsers do
            line.close()
            line.request(method, path, text, {**own_headers, **(headers or {})})
            answer = line.getresponse()
        answer.read()
        self.took.setdefault(request_kind, []).append(time.perf_counter() - started)
        if answer.status not in ANSWERS.get(request_kind, {200}):
            self.wrong.append(f"{request_kind}: {answer.status}")
        return answer.headers.get("ETag", "")


def measure(options: argparse.Namespace, worker: int) -> list[str]:
    """Run all players for a while; print response times, and return what went wrong."""
    from tools.bench.load import cpu_of, process

    people = players(options.players)
    port = _free_port()
    with process("-m", "tools.bench.load_players", f"{HERE}:{port}", "2") as web:
        _await_server(port)
        before = cpu_of(web), cpu_of(worker)
        pause = len(people) / options.rate
        begin = time.monotonic() + 0.5
        threads = [
            threading.Thread(
                target=player.play,
                args=(port, begin + pause * n / len(people), begin + options.seconds, pause),
            )
            for n, player in enumerate(people)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        wall = time.monotonic() - begin
        by_web, by_worker = cpu_of(web) - before[0], cpu_of(worker) - before[1]
    took: dict[str, list[float]] = {}
    for player in people:
        for request_kind, seconds in player.took.items():
            took.setdefault(request_kind, []).extend(seconds)
    request_count = sum(map(len, took.values()))
    print(
        f"  {len(people)} players, {request_count} requests in {wall:.0f} s ({request_count / wall:.0f} a second);"
        f" CPU {by_web:.1f} s of the web server ({1000 * by_web / max(1, request_count):.1f} ms each),"
        f" {by_worker:.1f} s of the worker; load {os.getloadavg()[0]:.1f}"
    )
    for request_kind in sorted(took, key=lambda name: percentile(took[name], 95)):
        half, most = (1000 * percentile(took[request_kind], percent) for percent in (50, 95))
        ratio = f"{most / 1000 / percentile(took[EMPTY], 95):.1f} x" if EMPTY in took else ""
        print(
            f"    {request_kind:<12} {len(took[request_kind]):>6} asked, half in {half:>7.1f} ms, 95 % in {most:>7.1f} ms {ratio:>8}"
        )
    return sorted({line for player in people for line in player.wrong})


def percentile(values: Sequence[float], percent: int) -> float:
    """Return the value that so many per cent do not exceed."""
    return (
        statistics.quantiles(values, n=100, method="inclusive")[percent - 1]
        if len(values) > 1
        else values[0]
    )


def players(count: int) -> list[Player]:
    """Return the first so many users, each with one campaign, a session and a token."""
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.db import transaction
    from django.test import Client

    from campaign.models import Membership
    from campaign.services.tokens import token_make

    player_list = []
    with transaction.atomic():
        for number, user in enumerate(User.objects.order_by("pk")[:count]):
            seat = Membership.objects.filter(user=user).order_by("pk").select_related("campaign")[0]
            client = Client()
            client.force_login(user, backend="config.sessions.Backend")
            session = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
            player_list.append(
                Player(number, str(seat.campaign.public_id), session, token_make(user=user))
            )
    return player_list


def serve(arguments: Sequence[str]) -> int:
    """Run the web server of `config.web` with an empty view beside the site."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.conf import settings
    from django.http import HttpRequest, HttpResponse
    from django.urls import include, path

    from config import web

    def empty(_request: HttpRequest) -> HttpResponse:
        return HttpResponse("empty")

    addresses = ModuleType("bench_addresses")
    addresses.urlpatterns = [path("empty/", empty), path("", include("config.urls"))]  # type: ignore[attr-defined]
    sys.modules["bench_addresses"] = addresses
    settings.ROOT_URLCONF = "bench_addresses"
    return web.main(arguments)


def _free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind((HERE, 0))
        port: int = probe.getsockname()[1]
        return port


def _await_server(port: int) -> None:
    """Wait until the server answers."""
    deadline = time.monotonic() + STARTS_WITHIN
    while True:
        line = http.client.HTTPConnection(HERE, port, timeout=5)
        try:
            line.request("GET", "/empty/")
            if line.getresponse().status == 200:
                return
        except OSError:
            if time.monotonic() > deadline:
                raise
        finally:
            line.close()
        time.sleep(0.1)


if __name__ == "__main__":
    sys.exit(serve(sys.argv[1:]))
