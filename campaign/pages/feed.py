"""The calendar feed: for calendar programs, which do not log in. The address is the secret."""

from __future__ import annotations

import hashlib

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path
from django.utils.cache import patch_cache_control
from django.utils.http import parse_etags, quote_etag
from django.views.decorators.http import require_safe

from campaign.services.calendar import calendar_of
from campaign.services.preferences import feed_user

TYPE = "text/calendar; charset=utf-8"


@require_safe
def feed(request: HttpRequest, token: str) -> HttpResponse:
    """The calendar of whom the token belongs to; for any other token there is nothing here."""
    user = feed_user(token=token)
    if user is None:
        raise Http404
    body = calendar_of(user)
    etag = quote_etag(hashlib.sha256(body).hexdigest())
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        response = HttpResponse(status=304)
    else:
        response = HttpResponse(body, content_type=TYPE)
    response["ETag"] = etag
    patch_cache_control(response, private=True, max_age=300)
    return response


urlpatterns: list[URLPattern | URLResolver] = [path("feed/<str:token>.ics", feed, name="feed")]
