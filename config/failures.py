"""What is answered when a request fails outside its view as well as in it: 503 while the database is away, else 500.

Django calls this for every exception that a page, a middleware or a session lets through, wherever it came from.
"""

from __future__ import annotations

import sys

import structlog
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error

from campaign.api.problems import problem
from campaign.outage import CODE, DETAIL, RETRY_AFTER, database_away, outage_named

READING = frozenset({"GET", "HEAD"})
log = structlog.get_logger(__name__)


def failed(request: HttpRequest) -> HttpResponse:
    """The answer to a request that failed; the exception is the one being handled."""
    error = sys.exc_info()[1]
    api = request.path.startswith("/api/")
    if error is not None and database_away(error):
        log.warning("database-away", reason=outage_named(error))
        headers = {"Retry-After": str(RETRY_AFTER)}
        if api:
            return problem(503, code=CODE, detail=DETAIL, headers=headers)
        return HttpResponse(render_to_string("503.html"), status=503, headers=headers)
    return problem(500) if api else server_error(request)


class Sessions(SessionMiddleware):
    """Sessions. A page that was only read is shown although its session cannot be saved.

    What is lost is that a message was shown: it is shown again.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        try:
            return super().process_response(request, response)
        except Exception as error:
            if not (database_away(error) and request.method in READING and response.status_code == 200):
                raise
            log.warning("session-not-saved", reason=outage_named(error))
            return response
