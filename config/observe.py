"""What the operator sees of the running site: a line and a measure for each request, health, metrics.

A request is named by its route and never by its address: addresses carry invitations, feeds and reset links.
"""

from __future__ import annotations

import secrets
import time
import uuid
from collections.abc import Callable

import structlog
from django.conf import settings
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from config.measures import REQUESTS, registry

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
QUIET = frozenset({"health/", "metrics"})  # routes asked for by machines, every few seconds
UNKNOWN, FILE = "(unknown)", "(file)"

log = structlog.get_logger(__name__)
Handler = Callable[[HttpRequest], HttpResponse]


class RequestMiddleware:
    """Outermost: measures a request and writes its line."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        with structlog.contextvars.bound_contextvars(request=uuid.uuid4().hex[:12]):
            response = self.get_response(request)
            seconds = time.perf_counter() - began
            method = request.method if request.method in METHODS else UNKNOWN
            route = route_of(request, response)
            REQUESTS.observe((method, route, str(response.status_code)), seconds)
            if route != FILE and route not in QUIET:
                who = getattr(getattr(request, "_cached_user", None), "pk", None)
                log.info(
                    "request",
                    method=method,
                    route=route,
                    status=response.status_code,
                    ms=round(seconds * 1e3),
                    user=who,
                )
        return response


def route_of(request: HttpRequest, response: HttpResponse) -> str:
    """The pattern that answered, for instance `c/<uuid:c>/orders/`."""
    if request.resolver_match is not None:
        return request.resolver_match.route or "/"
    return FILE if response.status_code in {200, 206, 304} else UNKNOWN


@never_cache
@require_safe
def health(_request: HttpRequest) -> JsonResponse:
    """Whether the site and its database answer."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Measures for Prometheus, for who shows METRICS_TOKEN; to everybody else they are not there.

    No address is enough: behind a proxy that adds no header every stranger has the proxy's.
    """
    if not may_measure(request):
        raise Http404
    return HttpResponse(generate_latest(registry()), content_type=CONTENT_TYPE_LATEST)


def may_measure(request: HttpRequest) -> bool:
    """Whether the asker has the token."""
    shown = request.headers.get("Authorization", "")
    return secrets.compare_digest(shown.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())
