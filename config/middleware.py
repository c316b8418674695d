"""Site-wide middleware: compression, error pages and sessions.

The length of a compressed response reveals repetition. An attacker who controls a part of a
response, for example by a link that the user follows, and can see its length on the network could
guess secrets in the rest of it (decision 21). So only the routes listed here are compressed:
responses to reading requests, at addresses whose parts are existing ids, without a link, token,
code or nonce in them. Unlisted routes, failed requests and responses to forms are sent
uncompressed.

A request that fails, in its view or elsewhere, is answered with 503 while the database is down and
with 500 otherwise. Django calls the handler for every exception that a page, a middleware or a
session raises. Opening a form's target address as a page shows an explanation, where Django's own
response would be empty.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import structlog
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.template.loader import render_to_string
from django.views.defaults import server_error

from campaign.store.outages import CODE, DETAIL, RETRY_AFTER, is_database_away, outage_code
from campaign.web.problems import problem

READING_METHODS = frozenset({"GET", "HEAD"})
# Route names. Never add one that shows a secret of an account or of a sealed envelope.
PAGES = frozenset(
    {
        "battle",
        "battle-now",
        "battle-sheets",
        "battle-so-far",
        "campaign-new",
        "class-sheets",
        "classes",
        "decisions",
        "deploy",
        "fight-sheets",
        "gallery-battle",
        "gallery-moment",
        "gallery-newest",
        "gallery-film",
        "gallery-war",
        "map",
        "orders",
        "public",
        "report",
        "reports",
        "scenarios",
        "ship-sheets",
        "ships",
        "story",
        "story-battle",
        "story-film",
        "story-replay",
        "umpire-battle",
        "umpire-battles",
        "umpire-faction",
        "umpire-fleets",
        "umpire-ledger",
        "umpire-map",
        "umpire-replay",
        "umpire-reports",
        "umpire-ships",
        "war-result",
    }
)
API = frozenset(
    {
        "api-battle",
        "api-battles",
        "api-classes",
        "api-contacts",
        "api-fleets",
        "api-ledger",
        "api-map",
        "api-mines",
        "api-report",
        "api-reports",
        "api-scenario",
        "api-scenarios",
        "api-schema",
        "api-ships",
        "api-stages",
        "api-umpire-battle",
        "api-umpire-battles",
        "api-umpire-fleets",
        "api-umpire-ships",
        "api-umpire-view",
        "api-umpire-world",
        "api-view",
    }
)
COMPRESSED_ROUTES = PAGES | API
# Query keys that select existing data and never appear in the response.
SAFE_QUERY_KEYS = frozenset({"turn", "week", "stage"})

log = structlog.get_logger(__name__)


class Compression(GZipMiddleware):
    """Compresses permitted responses; like Django's class, it adds a random number of bytes."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if may_be_compressed(request, response):
            return super().process_response(request, response)
        return response


def may_be_compressed(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Return whether a response may be compressed. One that holds a secret sets `no-transform`."""
    match = request.resolver_match
    return (
        match is not None
        and match.view_name in COMPRESSED_ROUTES
        and request.method in READING_METHODS
        and response.status_code == 200
        and SAFE_QUERY_KEYS.issuperset(request.GET)
        and "no-transform" not in response.headers.get("Cache-Control", "")
    )


def server_error_page(request: HttpRequest) -> HttpResponse:
    """Return the response to a failed request; the exception is the one being handled."""
    error = sys.exc_info()[1]
    api = request.path.startswith("/api/")
    if error is not None and is_database_away(error):
        log.warning("database-away", reason=outage_code(error))
        headers = {"Retry-After": str(RETRY_AFTER)}
        if api:
            return problem(503, code=CODE, detail=DETAIL, headers=headers)
        return HttpResponse(render_to_string("503.html"), status=503, headers=headers)
    if api:
        return problem(500)
    return server_error(request)


class Methods:
    """Shows the page `405.html` to browsers in place of an empty 405 response.

    Clients that do not accept HTML receive the response unchanged.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if (
            isinstance(response, HttpResponseNotAllowed)
            and request.method in READING_METHODS
            and request.accepts("text/html")
        ):
            response.content = render_to_string("405.html", request=request)
        return response


class Sessions(SessionMiddleware):
    """Sessions that still show a page when the database is down and the session cannot be saved.

    Only the fact that a message was shown is lost: the message appears again.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        try:
            return super().process_response(request, response)
        except Exception as error:
            is_page = request.method in READING_METHODS and response.status_code == 200
            if not (is_page and is_database_away(error)):
                raise
            log.warning("session-not-saved", reason=outage_code(error))
            return response
