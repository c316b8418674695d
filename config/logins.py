"""Wrong passwords: they slow down the address that makes them, and never a device that has logged
in before.

Counted by django-axes in the database, so for all processes together, each for WAIT after the last
one:

    5 for one name at one address           nobody shuts a player out from elsewhere
    30 for all names at one address         guessing through names is slow, too; a shared address is not shut for long
    5 on a device that knows the account    counted for the device alone: no one else's tries are in its way

A device that has logged in keeps a signed cookie, which names its accounts. It opens nothing; it
says under which count a try falls. It ends with the password it was made under.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_client_username
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.core import signing
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.crypto import salted_hmac

from campaign.web.problems import login_wait

MOST_FOR_A_NAME: int = settings.AXES_FAILURE_LIMIT
MOST_OF_AN_ADDRESS = 30
WAIT: timedelta = settings.AXES_COOLOFF_TIME

COOKIE = "known_device"
SALT = "blindjump.known-device"
COOKIE_LIVES = 60 * 60 * 24 * 365  # seconds
MOST_ACCOUNTS = 8  # of one device; the ones used last
LONGEST_NAME = 200
DeviceAccount = tuple[int, str, str]  # the account's key, the device's id, a mark of the password


class Handler(AxesDatabaseHandler):  # type: ignore[misc]
    """Counts by name and address, or by a device that is known."""

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """Wrong passwords that count against this try; those of a whole address as a share of what
        it may.
        """
        limits = (MOST_FOR_A_NAME, MOST_OF_AN_ADDRESS)  # in the order of `counted_by`
        counts = zip(self.get_user_attempts(request, credentials), limits, strict=False)
        return max(_failures(attempts) * MOST_FOR_A_NAME // most for attempts, most in counts)

    def reset_user_attempts(
        self, request: HttpRequest, credentials: dict[str, Any] | None = None
    ) -> int:
        """Forget the wrong passwords of who has given the right one, and none of his
        neighbours'.
        """
        name = get_client_username(request, credentials)
        own = AccessAttempt.objects.filter(username=name, ip_address=request.axes_ip_address)  # type: ignore[attr-defined]
        return int(own.delete()[0])


def lockout_parameters(
    request: HttpRequest, credentials: Mapping[str, Any] | None = None
) -> list[str | list[str]]:
    """The keys by which wrong passwords are counted against a try (AXES_LOCKOUT_PARAMETERS)."""
    return (
        ["username"]
        if _device_of(request, credentials)
        else [["username", "ip_address"], "ip_address"]
    )


def attempt_name(request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> str:
    """Under which name a try is counted (AXES_USERNAME_CALLABLE): the name, and the device where it
    is known.
    """
    device = _device_of(request, credentials)
    name = _name(request, credentials)
    return f"{name}\n{device}" if device else name  # no name holds the end of a line


def lockout_page(
    request: HttpRequest, _response: HttpResponse, _credentials: Any = None
) -> HttpResponse:
    """The page for who has to wait (AXES_LOCKOUT_CALLABLE)."""
    context = {"minutes": WAIT // timedelta(minutes=1), "mail": settings.MAIL_IS_SENT}
    response = render(request, "account/locked_out.html", context, status=429)
    response.headers["Retry-After"] = login_wait()
    return response


def device_remember(request: HttpRequest, response: HttpResponse, user: AbstractBaseUser) -> None:
    """Let this device be known to an account that has just logged in on it."""
    before = _device_accounts(request)
    device = next(
        (id for pk, id, mark in before if pk == user.pk and mark == _mark(user)),
        secrets.token_hex(8),
    )
    others = [entry for entry in before if entry[0] != user.pk]
    response.set_cookie(
        COOKIE,
        signing.dumps([*others, (user.pk, device, _mark(user))][-MOST_ACCOUNTS:], salt=SALT),
        max_age=COOKIE_LIVES,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _device_of(request: HttpRequest, credentials: Mapping[str, Any] | None) -> str:
    """The id of the device where it has logged in to this account before; empty where it has
    not.
    """
    name = _name(request, credentials)
    accounts = _device_accounts(request) if name else []
    users = (
        get_user_model()._default_manager.in_bulk([pk for pk, _, _ in accounts]) if accounts else {}
    )
    for pk, device, mark in accounts:
        user = users.get(pk)
        if user is not None and mark == _mark(user) and name in _names_of(user):
            return device
    return ""


def _device_accounts(request: HttpRequest) -> list[DeviceAccount]:
    """The accounts of this device, as its cookie names them."""
    try:
        entries = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=COOKIE_LIVES)
    except signing.BadSignature:
        return []
    return [(int(pk), str(device), str(mark)) for pk, device, mark in entries]


def _mark(user: Any) -> str:
    """What changes with the password, and tells nothing of it."""
    return salted_hmac(SALT, user.get_session_auth_hash(), algorithm="sha256").hexdigest()[:32]


def _names_of(user: Any) -> set[str]:
    """What an account is called at the login."""
    addresses = EmailAddress.objects.filter(user_id=user.pk).values_list("email", flat=True)
    return {_plain(name) for name in (user.get_username(), user.email, *addresses)} - {""}


def _name(request: HttpRequest, credentials: Mapping[str, Any] | None) -> str:
    data = credentials or {}
    return _plain(data.get("username") or data.get("email") or request.POST.get("login") or "")


def _plain(name: Any) -> str:
    return " ".join(str(name).lower().split())[:LONGEST_NAME]


def _failures(attempts: Any) -> int:
    return attempts.aggregate(all=Sum("failures_since_start"))["all"] or 0
