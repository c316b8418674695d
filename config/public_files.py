"""Well-known files: robots.txt (RFC 9309), security.txt (RFC 9116), the key of signatures."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from campaign.store.signatures import site_key

TYPE = "text/plain; charset=utf-8"
# Pages of wars and accounts, and addresses for programs. Search engines may index gallery, help and
# league.
NOT_FOR_ROBOTS = (
    "/accounts/",
    "/api/",
    "/c/",
    "/discord/",
    "/feed/",
    "/me/",
    "/metrics",
    "/welcome/",
)
EXPIRES = timedelta(days=180)  # counted from each request


@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    """Return robots.txt."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in NOT_FOR_ROBOTS)]
    return HttpResponse("\n".join(lines) + "\n", content_type=TYPE)


@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """Return security.txt, or 404 if the operator has set no SECURITY_CONTACT."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    expires = (timezone.now() + EXPIRES).replace(hour=0, minute=0, second=0, microsecond=0)
    lines = [f"Contact: {settings.SECURITY_CONTACT}", f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}"]
    lines.append(f"Preferred-Languages: {', '.join(code for code, _ in settings.LANGUAGES)}")
    if settings.SITE_URL:
        lines.append(f"Canonical: {settings.SITE_URL}{request.path}")
    return HttpResponse("\n".join(lines) + "\n", content_type=TYPE)


@require_safe
def signing_key(_request: HttpRequest) -> HttpResponse:
    """Return the public key of the site's signatures, as a C2SP verifier key."""
    return HttpResponse(f"{site_key().verifier}\n", content_type=TYPE)
