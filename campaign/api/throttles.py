"""How many requests are answered: counted a minute, by account, or by address where nobody is logged in."""

from __future__ import annotations

import time
from typing import Any

from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from config.addresses import asker_of

MINUTE = 60
SAFE = ("GET", "HEAD")

# Requests a minute; `API_RATES` of the settings changes them. Generous: a program that plays a war is welcome.
RATES = {"read": 60_000, "write": 1200, "stranger": 600, "token": 20}


class Counted(BaseThrottle):
    """A counter for each caller, kind and minute. With several processes each counts its own."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        user = request.user
        if user is not None and user.is_authenticated:
            kind, who = ("read" if request.method in SAFE else "write"), f"u{user.pk}"
        else:
            kind, who = getattr(view, "throttled_as", "stranger"), asker_of(request._request)
        most = rates()[kind]
        now = int(time.time())
        key = f"api/{kind}/{who}/{now // MINUTE}"
        cache.add(key, 0, MINUTE * 2)
        try:
            count = cache.incr(key)
        except ValueError:  # it went away just now: a new minute, or a full cache
            return True
        self.left = MINUTE - now % MINUTE
        return count <= most

    def wait(self) -> float:
        return float(self.left)


def rates() -> dict[str, int]:
    """The rates in force."""
    changed: dict[str, Any] = getattr(settings, "API_RATES", {})
    return {**RATES, **changed}
