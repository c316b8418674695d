"""Identification of the reader's browser for push notifications (`campaign.services.push`).

A signed cookie that scripts cannot read names the browser. So it is recognised without scripts at
logout, when another user logs in, and when its push service gives it a new address.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractBaseUser
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from campaign.errors import NotFound
from campaign.services.push import (
    endpoint_key,
    public_key,
    push_forget,
    push_renew_or_remove,
    push_replace,
)
from campaign.web.common import UNPROCESSABLE
from engine.core.errors import RuleViolations

# Stored in browsers, so neither can be renamed
COOKIE = "told_browser"
SALT = "blindjump.commands-browser"
COOKIE_AGE = 60 * 60 * 24 * 365  # seconds


def remember_push_browser(response: HttpResponse, sha256: str) -> None:
    """Remember this browser by the hash of its push endpoint."""
    response.set_signed_cookie(
        COOKIE,
        sha256,
        salt=SALT,
        max_age=COOKIE_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def keep_push_at_login(
    request: HttpRequest, response: HttpResponse, user: AbstractBaseUser
) -> None:
    """Let this browser notify the user who just logged in, or nobody."""
    sha256 = _endpoint_here(request)
    if not sha256:
        return
    if push_renew_or_remove(user=user, sha256=sha256):
        remember_push_browser(response, sha256)
    else:
        response.delete_cookie(COOKIE)


def end_push_at_logout(
    request: HttpRequest, response: HttpResponse, user: AbstractBaseUser
) -> None:
    """End notifications in this browser. Its script may also name its endpoint."""
    for sha256 in (_endpoint_here(request), endpoint_key(request.POST.get("endpoint", ""))):
        push_forget(user=user, sha256=sha256)
    response.delete_cookie(COOKIE)


def _endpoint_here(request: HttpRequest) -> str:
    """Return the hash of this browser's push endpoint from its cookie, or ""."""
    return str(request.get_signed_cookie(COOKIE, "", salt=SALT))


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def replace_push_address(request: HttpRequest) -> HttpResponse:
    """Replace the push address of this browser, called by its service worker.

    GET returns the keys for the request; POST replaces the old address with the new one. If the old
    address gets no notifications, the new one does not either.
    """
    if request.method != "POST":
        return JsonResponse({"key": public_key(), "token": get_token(request)})
    form = request.POST
    old_endpoint = form.get("before", "")
    try:
        device = push_replace(
            user=request.user,  # type: ignore[arg-type]
            before=endpoint_key(old_endpoint) if old_endpoint else _endpoint_here(request),
            endpoint=form.get("endpoint", ""),
            p256dh=form.get("p256dh", ""),
            auth=form.get("auth", ""),
        )
    except NotFound:
        raise Http404 from None
    except RuleViolations:
        return HttpResponse(status=UNPROCESSABLE)
    response = HttpResponse(status=204)
    remember_push_browser(response, device.endpoint_sha256)
    return response


urlpatterns: list[URLPattern | URLResolver] = [
    path("me/push/", replace_push_address, name="push-replaced")
]
