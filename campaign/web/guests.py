"""The mark of guests in their browser's session (`campaign.services.guests`)."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

GUEST = "guest"  # the key in the session


def is_guest(request: HttpRequest) -> bool:
    """Return whether a request comes from a guest's browser."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return False
    return GUEST in request.session and request.user.is_authenticated
