"""What goes around every answer of the site: compression, and what is said of a failure.

Compressed is what holds no secret beside anything a stranger can have put there (decision 21). A
compressed answer's length tells how much of it repeats. Who can choose a part of it, by a link that
is followed, and sees how long it is on its way, learns what else stands there. So only what is
listed here is compressed: answers to reading, at addresses whose parts are ids that exist, without
a link, token, code or nonce in them. What is not listed, what failed, and what answers a form is
sent as it is.

A request that fails, outside its view or in it, is answered 503 while the database is away, else
500. Django calls this for every exception that a page, a middleware or a session lets through,
wherever it came from. Who opens an address that takes forms alone is told so on a page, where
Django answers with an empty one.
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
# Names of routes. Never one that shows a secret of somebody's account or of a sealed envelope.
PAGES = frozenset(
    (
        *(
            "map",
            "orders",
            "deploy",
            "decisions",
            "reports",
            "report",
            "ships",
            "classes",
            "public",
            "campaign-new",
        ),
        *("battle", "battle-sheets", "battle-now", "battle-so-far", "story", "story-battle"),
        *(
            "ship-sheets",
            "class-sheets",
            "fight-sheets",
            "scenarios",
            "gallery-war",
            "gallery-battle",
        ),
        *("story-replay", "umpire-replay"),
        *("umpire-map", "umpire-reports", "umpire-battles", "umpire-battle", "umpire-faction"),
        *("umpire-fleets", "umpire-ships", "umpire-ledger"),
    )
)
API = frozenset(
    (
        *(
            "api-schema",
            "api-scenarios",
            "api-scenario",
            "api-stages",
            "api-ledger",
            "api-map",
            "api-view",
            "api-fleets",
        ),
        *(
            "api-ships",
            "api-contacts",
            "api-reports",
            "api-report",
            "api-battles",
            "api-battle",
            "api-classes",
        ),
        *(
            "api-umpire-world",
            "api-umpire-fleets",
            "api-umpire-ships",
            "api-umpire-battles",
            "api-umpire-battle",
        ),
        "api-umpire-view",
    )
)
COMPRESSED_ROUTES = PAGES | API
SAFE_QUERY_KEYS = frozenset(
    {"turn", "week", "stage"}
)  # of a query: chooses among what there is, and never stands in the answer

log = structlog.get_logger(__name__)


class Compression(GZipMiddleware):
    """Compresses the answers that may be, with a random number of bytes added, as the library
    does.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        return (
            super().process_response(request, response)
            if may_be_compressed(request, response)
            else response
        )


def may_be_compressed(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Whether an answer's length may depend on how much of it repeats; one that holds a secret says
    `no-transform`.
    """
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
    """The answer to a request that failed; the exception is the one being handled."""
    error = sys.exc_info()[1]
    api = request.path.startswith("/api/")
    if error is not None and is_database_away(error):
        log.warning("database-away", reason=outage_code(error))
        headers = {"Retry-After": str(RETRY_AFTER)}
        if api:
            return problem(503, code=CODE, detail=DETAIL, headers=headers)
        return HttpResponse(render_to_string("503.html"), status=503, headers=headers)
    return problem(500) if api else server_error(request)


class Methods:
    """Gives an answer 405 that has no words the page `405.html`.

    Programs, which look for no HTML, get it as it is.
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
    """Sessions. A page that was only read is shown although its session cannot be saved.

    What is lost is that a message was shown: it is shown again.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        try:
            return super().process_response(request, response)
        except Exception as error:
            if not (
                is_database_away(error)
                and request.method in READING_METHODS
                and response.status_code == 200
            ):
                raise
            log.warning("session-not-saved", reason=outage_code(error))
            return response
