"""The reader's profile: preferences, API tokens, calendar link, Discord account and push browsers.

Keys are shown once. Calendar programs do not log in, so the address of the feed is the secret.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils import translation
from django.utils.cache import patch_cache_control
from django.utils.http import parse_etags, quote_etag
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from campaign.errors import NotAllowed, NotFound
from campaign.models.account import THEMES, FeedToken
from campaign.services.bots import bot_set, is_bot
from campaign.services.discord import account_unlink, code_make, is_linked
from campaign.services.outbox import channels_failing
from campaign.services.preferences import (
    calendar_of,
    feed_token_forget,
    feed_token_rotate,
    feed_user,
    preference_of,
    preference_save,
)
from campaign.services.push import devices_of, public_key, push_add, push_forget
from campaign.services.tokens import token_end, token_make, tokens_of
from campaign.web.common import UNPROCESSABLE, absolute, show
from campaign.web.push_browser import remember_push_browser
from campaign.web.timetables import zones
from campaign.words.languages import languages
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase

# In the session, until the next page shows it
TOKEN, FEED, DISCORD = ("shown-token", "shown-feed", "shown-discord")
THEME_WORDS = {
    "auto": phrase("same as my device"),
    "light": phrase("light colours"),
    "dark": phrase("dark colours"),
}

TYPE = "text/calendar; charset=utf-8"


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Show the profile; each of its forms posts here and names its action."""
    if request.method != "POST":
        return _page(request)
    act = ACTS.get(request.POST.get("act", ""))
    if act is not None:
        try:
            return act(request) or redirect("profile")
        except RuleViolations as error:
            return _page(request, error.limited_violations)
    return redirect("profile")


def _page(request: HttpRequest, violations: tuple[Violation, ...] = ()) -> HttpResponse:
    user: Any = request.user
    preference = preference_of(user)
    values = {
        "zone": preference.zone,
        "email": preference.email,
        "messages": preference.messages,
        "sealed_mail": preference.sealed_mail,
        "theme": preference.theme,
        "language": preference.language,
        "single_keys": preference.single_keys,
        "channels": "\n".join(preference.apprise_urls),
    }
    act = request.POST.get("act", "")
    if violations and act == "preferences":
        form = request.POST
        values = {}
        for name in ("zone", "theme", "language", "channels"):
            values[name] = form.get(name, "")
        values |= {
            name: name in form for name in ("email", "messages", "sealed_mail", "single_keys")
        }
    feed = request.session.pop(FEED, "")
    return show(
        request,
        "profile",
        status=UNPROCESSABLE if violations else 200,
        form_data=values,
        faults={act: violations},
        themes=[(theme, THEME_WORDS[theme]) for theme in THEMES],
        languages=languages(),
        zones=zones(),
        site_zone=settings.TIME_ZONE,
        tokens=tokens_of(user=user),
        shown_token=request.session.pop(TOKEN, ""),
        has_feed=FeedToken.objects.filter(user_id=user.pk).exists(),
        feed_url=_feed_url(request, feed) if feed else "",
        bot=is_bot(user),
        discord=bool(settings.DISCORD_PUBLIC_KEY),
        discord_linked=is_linked(user=user),
        discord_code=request.session.pop(DISCORD, ""),
        failing_channels=[index + 1 for index in channels_failing(user=user)],
        devices=devices_of(user=user),
        push_key=public_key(),
    )


def _feed_url(request: HttpRequest, token: str) -> str:
    return absolute(request, reverse("feed", args=[token]))


def _preferences(request: HttpRequest) -> None:
    form = request.POST
    preference_save(
        user=request.user,  # type: ignore[arg-type]
        zone=form.get("zone", "").strip(),
        email="email" in form,
        messages="messages" in form,
        sealed_mail="sealed_mail" in form,
        apprise_urls=form.get("channels", "").split(),
        theme=form.get("theme", "auto"),
        language=form.get("language", ""),
        single_keys="single_keys" in form,
    )
    messages.success(request, phrase("Saved."))


def _token(request: HttpRequest) -> None:
    form = request.POST
    request.session[TOKEN] = token_make(
        user=request.user,  # type: ignore[arg-type]
        name=form.get("name", "").strip(),
        read_only="read_only" in form,
    )


def _token_end(request: HttpRequest) -> None:
    with contextlib.suppress(NotFound):  # deleted in another window
        token_end(user=request.user, public_id=request.POST.get("token", ""))  # type: ignore[arg-type]
    messages.success(request, phrase("The token has been deleted."))


def _bot(request: HttpRequest) -> None:
    bot = request.POST.get("bot") == "yes"
    try:
        bot_set(user=request.user, bot=bot)  # type: ignore[arg-type]
    except NotAllowed as error:
        raise RuleViolations([Violation("bot", "not-allowed", error.words)]) from error
    messages.success(
        request, phrase("This account is a bot.") if bot else phrase("This account is not a bot.")
    )


def _feed(request: HttpRequest) -> None:
    request.session[FEED] = feed_token_rotate(user=request.user)  # type: ignore[arg-type]


def _feed_end(request: HttpRequest) -> None:
    feed_token_forget(user=request.user)  # type: ignore[arg-type]
    messages.success(request, phrase("The calendar link has been deleted."))


def _discord(request: HttpRequest) -> None:
    request.session[DISCORD] = code_make(user=request.user)  # type: ignore[arg-type]


def _discord_end(request: HttpRequest) -> None:
    account_unlink(user=request.user)  # type: ignore[arg-type]
    messages.success(request, phrase("Your Discord account is no longer linked."))


def _push(request: HttpRequest) -> HttpResponse:
    form = request.POST
    device = push_add(
        user=request.user,  # type: ignore[arg-type]
        endpoint=form.get("endpoint", ""),
        p256dh=form.get("p256dh", ""),
        auth=form.get("auth", ""),
    )
    messages.success(request, phrase("Notifications are on in this browser."))
    response = redirect("profile")
    remember_push_browser(response, device.endpoint_sha256)
    return response


def _push_end(request: HttpRequest) -> None:
    push_forget(user=request.user, sha256=request.POST.get("device", ""))  # type: ignore[arg-type]
    messages.success(request, phrase("Notifications are off in that browser."))


ACTS: dict[str, Callable[[HttpRequest], HttpResponse | None]] = {
    "preferences": _preferences,
    "token": _token,
    "token-end": _token_end,
    "bot": _bot,
    "discord": _discord,
    "discord-end": _discord_end,
    "push": _push,
    "push-end": _push_end,
    "feed": _feed,
    "feed-end": _feed_end,
}

urlpatterns: list[URLPattern | URLResolver] = [path("me/", profile, name="profile")]


@require_safe
def feed(request: HttpRequest, token: str) -> HttpResponse:
    """Return the calendar of the token's owner in the owner's language; 404 for other tokens."""
    user = feed_user(token=token)
    if user is None:
        raise Http404
    with translation.override(preference_of(user).message_language):
        body = calendar_of(user)
    etag = quote_etag(hashlib.sha256(body).hexdigest())
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        response = HttpResponse(status=304)
    else:
        response = HttpResponse(body, content_type=TYPE)
    response["ETag"] = etag
    patch_cache_control(response, private=True, max_age=300)
    return response


urlpatterns += [path("feed/<str:token>.ics", feed, name="feed")]
