"""Limits on wrong passwords that slow down an attacker's address, but never a known device.

django-axes counts them in the database, so the counts hold for all processes. Each count lasts for
WAIT after the last wrong password:

    5 for one name at one address           so that a player cannot be locked out from elsewhere
    30 for all names at one address         slows guessing across names, but locks shared
                                            addresses only briefly
    5 on a device that knows the account    counted for this device alone, so other attempts
                                            do not affect it

A device that has logged in keeps a signed cookie that names its accounts. The cookie grants no
access; it only decides which count applies. It becomes invalid when the password changes.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, NamedTuple

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

MAX_PER_NAME: int = settings.AXES_FAILURE_LIMIT
MAX_PER_ADDRESS = 30
WAIT: timedelta = settings.AXES_COOLOFF_TIME

COOKIE = "known_device"
SALT = "blindjump.known-device"
COOKIE_LIVES = 60 * 60 * 24 * 365  # seconds
MAX_ACCOUNTS = 8  # per device; the most recently used are kept
LONGEST_NAME = 200


class DeviceAccount(NamedTuple):
    """An account in which a device has logged in, as its cookie stores it.

    Attributes:
        pk: The primary key of the account.
        device: The id of the device, drawn at random.
        password_mark: Changes with the password (`_password_mark`).
    """

    pk: int
    device: str
    password_mark: str


class Handler(AxesDatabaseHandler):  # type: ignore[misc]
    """Counts wrong passwords by name and address, or by known device."""

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """Return the wrong passwords that count against this attempt.

        Those of a whole address are scaled from its own limit to the limit for one name.
        """
        limits = (MAX_PER_NAME, MAX_PER_ADDRESS)  # in the order of `lockout_parameters`
        counts = zip(self.get_user_attempts(request, credentials), limits, strict=False)
        return max(_failures(attempts) * MAX_PER_NAME // most for attempts, most in counts)

    def reset_user_attempts(
        self, request: HttpRequest, credentials: dict[str, Any] | None = None
    ) -> int:
        """Delete the wrong passwords of a user who logged in, but not those of others at the
        address.
        """
        name = get_client_username(request, credentials)
        own = AccessAttempt.objects.filter(username=name, ip_address=request.axes_ip_address)  # type: ignore[attr-defined]
        return int(own.delete()[0])


def lockout_parameters(
    request: HttpRequest, credentials: Mapping[str, Any] | None = None
) -> list[str | list[str]]:
    """Return the keys by which wrong passwords are counted (AXES_LOCKOUT_PARAMETERS)."""
    if _device_of(request, credentials):
        return ["username"]
    return [["username", "ip_address"], "ip_address"]


def attempt_name(request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> str:
    """Return the name under which an attempt is counted (AXES_USERNAME_CALLABLE).

    The device id is part of it if the device is known.
    """
    device = _device_of(request, credentials)
    name = _name(request, credentials)
    return f"{name}\n{device}" if device else name  # no name contains a line break


def lockout_page(
    request: HttpRequest, _response: HttpResponse, _credentials: Any = None
) -> HttpResponse:
    """Return the page shown during a lockout (AXES_LOCKOUT_CALLABLE)."""
    context = {"minutes": WAIT // timedelta(minutes=1)}
    response = render(request, "account/locked_out.html", context, status=429)
    response.headers["Retry-After"] = login_wait()
    return response


def device_remember(request: HttpRequest, response: HttpResponse, user: AbstractBaseUser) -> None:
    """Remember in a cookie that this device has logged in to an account."""
    password_mark = _password_mark(user)
    device = secrets.token_hex(8)
    others = []
    for account in _device_accounts(request):
        if account.pk != user.pk:
            others.append(account)
        elif account.password_mark == password_mark:
            device = account.device
    accounts = [*others, DeviceAccount(user.pk, device, password_mark)]
    response.set_cookie(
        COOKIE,
        signing.dumps(accounts[-MAX_ACCOUNTS:], salt=SALT),
        max_age=COOKIE_LIVES,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _device_of(request: HttpRequest, credentials: Mapping[str, Any] | None) -> str:
    """Return the device id if the device has logged in to this account before, else an empty
    string.
    """
    name = _name(request, credentials)
    accounts = _device_accounts(request) if name else []
    if not accounts:
        return ""
    users = get_user_model()._default_manager.in_bulk([account.pk for account in accounts])
    for account in accounts:
        user = users.get(account.pk)
        if user is None or account.password_mark != _password_mark(user):
            continue
        if name in _names_of(user):
            return account.device
    return ""


def _device_accounts(request: HttpRequest) -> list[DeviceAccount]:
    """Return the accounts named by the device's cookie."""
    try:
        entries = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=COOKIE_LIVES)
    except signing.BadSignature:
        return []
    return [DeviceAccount(int(pk), str(device), str(mark)) for pk, device, mark in entries]


def _password_mark(user: Any) -> str:
    """Return a value that changes with the password but does not reveal it."""
    return salted_hmac(SALT, user.get_session_auth_hash(), algorithm="sha256").hexdigest()[:32]


def _names_of(user: Any) -> set[str]:
    """Return the names and addresses by which an account can log in."""
    addresses = EmailAddress.objects.filter(user_id=user.pk).values_list("email", flat=True)
    return {_normalize(name) for name in (user.get_username(), user.email, *addresses)} - {""}


def _name(request: HttpRequest, credentials: Mapping[str, Any] | None) -> str:
    """Return the name or address with which somebody tries to log in."""
    data = credentials or {}
    return _normalize(data.get("username") or data.get("email") or request.POST.get("login") or "")


def _normalize(name: Any) -> str:
    """Return a name in lower case, with single spaces and a limited length."""
    return " ".join(str(name).lower().split())[:LONGEST_NAME]


def _failures(attempts: Any) -> int:
    """Return how many wrong passwords these rows have counted."""
    return attempts.aggregate(all=Sum("failures_since_start"))["all"] or 0
