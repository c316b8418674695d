"""Two classes compared: those of the reader's own shelf, of a war he plays in, and those that come with the program."""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractBaseUser
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaign.access import Viewer, need, viewer_of
from campaign.errors import NotThere
from campaign.pages.common import UNLAWFUL, show, weighed
from campaign.services.contests import STEPS, Contest, contenders, contest_of, next_step, odds_fought, odds_so_far
from engine.core.errors import RuleViolations

BATTLES, STOP, WAR = "battles", "stop", "war"


@never_cache
@login_required
@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """The comparison of two classes; with `battles` equal points of them are fought, a heavy act, more while one waits.

    A script is answered with the battles alone.
    """
    try:
        viewer = _war(request)
        known = contenders(_user(request), viewer)
    except NotThere as error:
        raise Http404 from error
    keys = (request.GET.get("first", ""), request.GET.get("second", ""))
    page: dict[str, Any] = {"known": [(key, one.name) for key, one in known.items()], "keys": keys}
    page |= {"war": None if viewer is None else viewer.campaign}
    if not all(key in known for key in keys):
        return show(request, "compare", **page)
    first, second = known[keys[0]], known[keys[1]]
    try:
        contest = contest_of(_user(request), first, second)
        page |= _fought(request, contest)
    except RuleViolations as error:
        return show(request, "compare", status=UNLAWFUL, names=(first.name, second.name), found=error.listed, **page)
    part = "_contest" if request.headers.get("HX-Request") == "true" else "compare"
    return show(request, part, contest=contest, names=contest.names, first_step=STEPS[0], **page)


def _user(request: HttpRequest) -> AbstractBaseUser:
    return cast(AbstractBaseUser, request.user)


def _war(request: HttpRequest) -> Viewer | None:
    """The war whose classes are asked for, None: of none. Raises NotThere where the reader does not play in it."""
    asked = request.GET.get(WAR, "")
    return need(viewer_of(request.user, asked), play=True) if asked else None


def _fought(request: HttpRequest, contest: Contest) -> dict[str, Any]:
    """The battles that are asked for, and the addresses of more of them and of no more."""
    asked = request.GET.get(BATTLES, "")
    if not (asked.isascii() and asked.isdigit() and 0 < len(asked) <= len(str(STEPS[-1]))):
        return {}
    wanted = min(STEPS[-1], max(1, int(asked)))
    odds = odds_so_far(contest, wanted)
    stopped = bool(request.GET.get(STOP))
    if odds is None or (odds.runs < wanted and not stopped):
        with weighed(request):
            odds = odds_fought(contest, wanted)
    more = next_step(odds.runs)
    return {
        "odds": odds,
        "next": more,
        "more": _address(request, **{BATTLES: str(more)}) if more else "",
        "stop": _address(request, **{BATTLES: str(odds.runs), STOP: "1"}),
        "stopped": stopped,
    }


def _address(request: HttpRequest, **more: str) -> str:
    same = {key: request.GET[key] for key in (WAR, "first", "second") if key in request.GET}
    return f"{reverse('designs-compare')}?{urlencode(same | more)}"


urlpatterns: list[URLPattern | URLResolver] = [
    path("designs/compare/", compare, name="designs-compare"),
]
