"""What the operator sees of the running site: a line and a measure a request, health, metrics.

A request is named by its route and never by its address: addresses carry invitations, feeds and reset links.
"""

from __future__ import annotations

from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache


def RequestMiddleware(get_response):  # noqa
    return get_response


@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """Whether the site and its database answer."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return JsonResponse({"status": "ok"})


@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    return HttpResponse("", content_type="text/plain")
