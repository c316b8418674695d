"""Measure pages and API of a Lafayette war, beside an empty view of the same site.

`python -m tools.bench.web [--week N]` measures the third week, or another; beyond week seven the
war continues without its end.

Every request goes through the whole site in this process, as a server's worker would handle it, and
is measured in CPU time, so other load matters little. The empty views, one of Django and one of the
REST framework, are requested by a visitor without session or token and make no query. "Member,
nothing shown" is the cost of every page of a war before it shows anything: the session, its user,
and the user's membership.
"""

from __future__ import annotations

import argparse
import io
import statistics
import sys
from collections.abc import Callable
from dataclasses import replace
from time import process_time
from typing import Any

from tools.bench.temporary_site import temporary_site

ROUNDS, REQUESTS = 5, 60


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench.web", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--week", type=int, default=3, help="the week of the war (default: 3)")
    week = parser.parse_args().week
    with temporary_site():
        measure(week)


def measure(week: int) -> None:
    """Create the war, request every page, and print the cost of each beside the empty views."""
    from django.conf import settings
    from django.http import HttpRequest, HttpResponse
    from django.test import override_settings
    from django.urls import include, path
    from rest_framework.request import Request
    from rest_framework.response import Response
    from rest_framework.views import APIView

    from campaign.access import Viewer
    from campaign.web.common import member_page

    class EmptyApi(APIView):
        authentication_classes = ()
        permission_classes = ()

        def get(self, _request: Request) -> Response:
            return Response({})

    def empty(_request: HttpRequest) -> HttpResponse:
        return HttpResponse("empty")

    @member_page
    def bare(_request: HttpRequest, _viewer: Viewer) -> HttpResponse:
        return HttpResponse("empty")

    addresses = type(sys)("bench_addresses")
    addresses.urlpatterns = [  # type: ignore[attr-defined]
        path("empty/", empty),
        path("c/<uuid:c>/empty/", bare),
        path("api/empty/", EmptyApi.as_view()),
        path("", include("config.urls")),
    ]
    sys.modules["bench_addresses"] = addresses
    session, token, war = war_in_progress(week)
    cookie = {"HTTP_COOKIE": f"{settings.SESSION_COOKIE_NAME}={session}"}
    bearer = {"HTTP_AUTHORIZATION": f"Token {token}"}
    requests: tuple[tuple[str, str, dict[str, str], str], ...] = (
        ("empty view", "/empty/", {}, ""),
        ("member, nothing shown", f"/c/{war}/empty/", cookie, "empty view"),
        ("star map", f"/c/{war}/map/", cookie, "empty view"),
        ("war room", f"/c/{war}/", cookie, "empty view"),
        ("orders page", f"/c/{war}/orders/", cookie, "empty view"),
        ("ships", f"/c/{war}/ships/", cookie, "empty view"),
        ("reports", f"/c/{war}/reports/", cookie, "empty view"),
        ("home", "/", cookie, "empty view"),
        ("empty API view", "/api/empty/", {}, ""),
        ("GET orders", f"/api/campaigns/{war}/orders/", bearer, "empty API view"),
        ("GET view", f"/api/campaigns/{war}/view/", bearer, "empty API view"),
    )
    with override_settings(ROOT_URLCONF="bench_addresses", ALLOWED_HOSTS=["localhost"]):
        from django.core.handlers.wsgi import WSGIHandler

        site = WSGIHandler()
        for name, address, headers, _ in requests:
            status, size = ask(site, address, headers)
            if status != 200:
                raise SystemExit(f"{name}: {address} answers {status}")
            print(f"  {name}: {size / 1000:.1f} KB") if size > 1000 else None
        requests += tuple(
            (f"{name}, unchanged", address, {**headers, "HTTP_IF_NONE_MATCH": etag}, baseline)
            for name, address, headers, baseline in requests
            if (etag := etag_of(site, address, headers))
        )
        costs: dict[str, list[float]] = {name: [] for name, *_ in requests}
        for _ in range(ROUNDS):
            for name, address, headers, _ in requests:
                costs[name].append(cost(lambda a=address, h=headers: ask(site, a, h)))  # type: ignore[misc]
    middle = {name: statistics.median(values) for name, values in costs.items()}
    print(f"{'':<22} {'ms CPU':>8} {'a second and core':>18} {'of the empty view':>18}")
    for name, _, _, baseline in requests:
        share = f"1/{middle[name] / middle[baseline]:.1f}" if baseline else ""
        print(f"{name:<22} {middle[name] * 1000:>8.2f} {1 / middle[name]:>18.0f} {share:>18}")


def war_in_progress(week: int, played: Any = None, name: str = "admiral") -> tuple[str, str, str]:
    """Play a war with computers up to a week, with a seat for a player of that name.

    Returns:
        The session key, the token and the campaign's id.
    """
    from django.contrib.auth import get_user_model
    from django.contrib.sessions.backends.db import SessionStore
    from django.test import Client

    from campaign import models
    from campaign.access import viewer_of
    from campaign.rules.files import fixture_scenario
    from campaign.rules.scenario import Condition
    from campaign.services.scenarios import scenario_import
    from campaign.services.seats import campaign_begin, campaign_open
    from campaign.services.tokens import token_make
    from umpire.services.stages import stage_resolve
    from umpire.services.stand_ins import computer_admiral

    user = get_user_model().objects.create_user(name, password="bench")
    played = played or fixture_scenario("lafayette")
    if week > played.weeks:
        played = replace(played, weeks=week, victory=(Condition("draw"),))
    campaign = campaign_open(user=user, scenario=scenario_import(scenario=played), play="esu")
    stage = campaign_begin(viewer=viewer_of(user, campaign.public_id))
    campaign.factions.update(admiral="steady")
    while stage.week < week or stage.kind != "orders":
        resolution = stage_resolve(stage=stage.pk, force=True, admiral=computer_admiral)
        if resolution is None or resolution.next is None:
            raise SystemExit("the war ended before it could be measured")
        stage = resolution.next
    assert models.Stage.objects.filter(pk=stage.pk, kind="orders").exists()
    client = Client()
    client.force_login(user, backend="config.sessions.Backend")
    session = client.session
    assert isinstance(session, SessionStore)
    return str(session.session_key), token_make(user=user), str(campaign.public_id)


def ask(site: Any, address: str, headers: dict[str, str]) -> tuple[int, int]:
    """Send one GET through the whole site; return the status and the size of the body."""
    status, _, size = _answer(site, address, headers)
    return status, size


def etag_of(site: Any, address: str, headers: dict[str, str]) -> str:
    """Return the ETag of a page, or ""."""
    return _answer(site, address, headers)[1].get("ETag", "")


def _answer(site: Any, address: str, headers: dict[str, str]) -> tuple[int, dict[str, str], int]:
    responses: list[tuple[str, dict[str, str]]] = []
    environ = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": address,
        "QUERY_STRING": "",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        **headers,
    }
    answer = site(
        environ,
        lambda status, header_list, _error=None: responses.append((status, dict(header_list))),
    )
    size = sum(len(part) for part in answer)
    answer.close()
    status, header_list = responses[0]
    return int(status.split()[0]), header_list, size


def cost(work: Callable[[], object]) -> float:
    """Return the CPU seconds of one call, as a mean of several."""
    started = process_time()
    for _ in range(REQUESTS):
        work()
    return (process_time() - started) / REQUESTS


if __name__ == "__main__":
    main()
