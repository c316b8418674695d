"""Accounts: who may make one, and the one-time link for the first.

Nobody signs up uninvited. Whoever opens a valid invitation, or the server's one-time first link, gets `INVITED` into
the session and may; SIGNUP=open lets everybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

INVITED = "invited"
FIRST = "first"  # the invitation of the first account, which runs the server
SALT = "blindjump.first-account"
FIRST_LINK_LIVES = 7 * 24 * 60 * 60  # seconds


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Sign-up by invitation; the first account runs the server."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        if settings.SIGNUP_OPEN:
            return True
        invited = request.session.get(INVITED)
        return bool(invited) and (invited != FIRST or not accounts_exist())

    def save_user(self, request: HttpRequest, user: Any, form: Any, commit: bool = True) -> AbstractBaseUser:
        saved: AbstractBaseUser = super().save_user(request, user, form, commit=False)
        if request.session.pop(INVITED, None) == FIRST and not accounts_exist():
            saved.is_staff = True  # type: ignore[attr-defined]
        if commit:
            saved.save()
        return saved


def accounts_exist() -> bool:
    """Whether the first account has been made."""
    return get_user_model().objects.exists()


def first_link() -> str:
    """The path that lets its reader make the first account; worthless once there is one."""
    return reverse("welcome", args=[signing.dumps(FIRST, salt=SALT)])


@never_cache
@require_safe
def welcome(request: HttpRequest, token: str) -> HttpResponse:
    """The first link: on to signing up, where it is genuine and no account exists yet."""
    try:
        signing.loads(token, salt=SALT, max_age=FIRST_LINK_LIVES)
    except signing.BadSignature:
        raise Http404 from None
    if accounts_exist():
        raise Http404
    request.session[INVITED] = FIRST
    return redirect("account_signup")


def tried_name(request: HttpRequest | None, credentials: Mapping[str, Any] | None = None) -> str:
    """The name a login was tried with, for the lock-out."""
    given = credentials or {}
    name = given.get("username") or given.get("email")
    if not name and request is not None:
        name = request.POST.get("login")
    return str(name or "").strip().lower()[:200]
