"""Which answers are compressed: those that hold no secret beside anything a stranger can have put there (decision 21).

A compressed answer's length tells how much of it repeats. Who can choose a part of it, by a link that is followed, and
sees how long it is on its way, learns what else stands there. So only what is listed here is compressed: answers to
reading, at addresses whose parts are ids that exist, without a link, token, code or nonce in them. What is not listed,
what failed, and what answers a form is sent as it is.
"""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

READING = frozenset({"GET", "HEAD"})
# Names of routes. Never one that shows a secret of somebody's account or of a sealed envelope.
PAGES = frozenset(
    (
        *("map", "orders", "deploy", "decisions", "reports", "report", "ships", "classes", "public", "campaign-new"),
        *("battle", "battle-sheets", "battle-now", "story", "story-battle"),
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
        *("api-ships", "api-contacts", "api-reports", "api-report", "api-battles", "api-battle", "api-classes"),
        *("api-umpire-world", "api-umpire-fleets", "api-umpire-ships", "api-umpire-battles", "api-umpire-battle"),
        "api-umpire-view",
    )
)
COMPRESSED = PAGES | API
LOOKED_UP = frozenset(
    {"turn", "week", "stage"}
)  # of a query: chooses among what there is, and never stands in the answer


class Compression(GZipMiddleware):
    """Compresses the answers that may be, with a random number of bytes added, as the library does."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        return super().process_response(request, response) if may_be_compressed(request, response) else response


def may_be_compressed(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Whether an answer's length may depend on how much of it repeats."""
    match = request.resolver_match
    return (
        match is not None
        and match.view_name in COMPRESSED
        and request.method in READING
        and response.status_code == 200
        and LOOKED_UP.issuperset(request.GET)
    )
