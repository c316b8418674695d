"""Guests: a stranger takes a side in a single battle, and may keep the account by choosing a name.

A guest's session is marked. It can open only the addresses listed here; the API refuses it.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any, cast

from allauth.account.adapter import get_adapter
from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.models import AbstractBaseUser, User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from campaign.access import SAFE_METHODS, Viewer
from campaign.errors import NotAllowed, NotFound
from campaign.rules.timetable import zone_exists
from campaign.selectors.clock import waiting_stage
from campaign.services.daily import daily_open
from campaign.services.guests import LIFETIME, guest_battle_open, guest_create, guest_keep
from campaign.services.invites import INVITED
from campaign.services.preferences import preference_save
from campaign.web.guests import GUEST, is_guest
from campaign.web.next_action import current_action
from campaign.web.problems import problem
from config.accounts import SignupForm, email_save
from config.logins import device_remember
from engine.core.errors import RuleViolations
from engine.core.phrase import phrase
from umpire.services.moment_positions import may_play_moment, moment_play, moment_sides
from umpire.services.moments import find_public_moment

BACKEND = "config.sessions.Backend"
# Names of URLs that everybody may open; a guest, too.
PUBLIC = frozenset(
    {
        *("home", "help", "help-topic", "help-words", "aids", "aid-reference", "aid-pdf"),
        *("gallery", "gallery-war", "gallery-film", "gallery-battle"),
        *("gallery-newest", "gallery-moment", "gallery-moment-picture"),
        *("league", "daily", "daily-day"),
        *("robots", "security-txt", "signing-key", "health", "web-health", "metrics"),
        *("guest-start", "guest-keep", "daily-start", "account_logout"),
        "moment-play",
    }
)
# Names of URLs of a guest's own battle that the guest may read.
OWN_BATTLE = frozenset(
    {
        *("lobby", "pulse", "orders", "battle-now", "battle-so-far", "battle"),
        "battle-result",
        *("fight-sheets", "fight-sheets-pdf", "ships", "ship", "reports", "report"),
        *("story", "story-film", "story-battle", "story-replay"),
    }
)
# Names of URLs to which a guest may send a form.
FORMS = frozenset(
    {
        *("battle-now", "guide", "guest-start", "guest-keep", "daily-start", "account_logout"),
        "moment-play",
    }
)


class GuestMiddleware:
    """Keeps guests to the addresses that are listed for them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponseBase | None:
        """Refuse the API, and send readers of other pages to the page for choosing a name."""
        match = request.resolver_match
        name = "" if match is None else match.url_name or ""
        is_reading = request.method in SAFE_METHODS
        if (is_reading and name in PUBLIC) or not is_guest(request):
            return None
        if name in (OWN_BATTLE if is_reading else FORMS):
            return None
        if request.path_info.startswith("/api/"):
            return problem(403, code="guest", detail=phrase("guests cannot use the API"))
        if is_reading:
            return redirect("guest-keep")
        raise PermissionDenied


@never_cache
@require_POST
def guest_start(request: HttpRequest) -> HttpResponse:
    """Open a battle for a stranger, who becomes a guest, or for a guest whose battle is over."""
    if request.user.is_authenticated and not is_guest(request):
        return redirect("campaign-new")
    side = request.POST.get("side", "")
    return _battle_start(request, lambda user: guest_battle_open(user=user, side=side))


@never_cache
@require_POST
def daily_start(request: HttpRequest) -> HttpResponse:
    """Open the battle of the day for a player, a guest or a stranger, who becomes a guest."""
    return _battle_start(request, lambda user: daily_open(user=user))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def moment_play_page(request: HttpRequest, moment: uuid.UUID) -> HttpResponse:
    """Offer the sides of a public moment's position; a POST begins a battle from it."""
    try:
        row = find_public_moment(moment)
    except NotFound as error:
        raise Http404 from error
    if not may_play_moment(request.user, row):
        raise Http404
    if request.method != "POST":
        return render(request, "moment_play.html", {"moment": row, "sides": moment_sides(row)})
    side = request.POST.get("side", "")
    return _battle_start(request, lambda user: moment_play(user=user, moment=row, side=side))


def _battle_start(
    request: HttpRequest, battle_open: Callable[[AbstractBaseUser], Viewer]
) -> HttpResponse:
    """Open a battle for a reader and go to it; a stranger becomes a guest first."""
    user: Any = request.user
    try:
        with transaction.atomic():
            if not user.is_authenticated:
                if not ratelimit.consume(request, action="guest"):
                    return render(request, "guest_limit.html", status=429)
                user = guest_create()
            viewer = battle_open(user)
    except (NotAllowed, RuleViolations):
        return redirect("home")
    if not request.user.is_authenticated:
        login(request, user, backend=BACKEND)
        request.session[GUEST] = True
        request.session.set_expiry(LIFETIME)
    return redirect(current_action(viewer, waiting_stage(campaign=viewer.campaign)).href)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def guest_keep_page(request: HttpRequest) -> HttpResponse:
    """Let a guest choose a name and a password."""
    if not is_guest(request):
        raise Http404
    user = cast(User, request.user)
    is_open = get_adapter(request).is_open_for_signup(request)
    form = SignupForm(request.POST or None)
    if request.method == "POST" and is_open and form.is_valid():
        try:
            _keep(request, user, form.cleaned_data)
        except (NotFound, NotAllowed):  # the invitation was just used by another sign-up
            return redirect("guest-keep")
        update_session_auth_hash(request, user)
        request.session.pop(GUEST)
        request.session.set_expiry(None)
        messages.success(request, phrase("The account is yours, with everything you played."))
        response = redirect("home")
        device_remember(request, response, user)
        return response
    return render(request, "guest_keep.html", {"form": form, "is_open": is_open})


@transaction.atomic
def _keep(request: HttpRequest, user: User, data: dict[str, Any]) -> None:
    """Give a guest's account its name, and use up the invitation of a closed site.

    Raises:
        NotFound: The invitation is no longer valid.
        NotAllowed: The tournament has no place left.
    """
    get_adapter(request).admit(user, str(request.session.pop(INVITED, "")))
    user.username = data["username"]
    user.set_password(data["password1"])
    user.save()
    email_save(user, data.get("email") or "")
    zone = request.POST.get("zone", "")
    preference_save(
        user=user,
        zone=zone if zone_exists(zone) else None,
        language=translation.get_language(),
    )
    guest_keep(user=user)
