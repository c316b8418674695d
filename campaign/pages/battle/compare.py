"""Two classes compared: those of the reader's own shelf, of a war he plays in, and those that come
with the program.
"""

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
from campaign.kinds import ReckoningKind
from campaign.pages.week.background_battles import STOP, progress, reckoned
from campaign.services.contests import (
    MOST_BATTLES,
    Contest,
    contenders,
    contest_odds,
    contest_of,
    side_by_side,
)
from campaign.services.reckonings import reckoning_of
from campaign.web.common import UNLAWFUL, show
from engine.core.errors import RuleViolations

FIGHT, WAR = "fight", "war"


@never_cache
@login_required
@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """The comparison of two classes; with `fight` workers fight equal points of them while one
    waits, which is a heavy act to ask for. A script is answered with what the battles came to so
    far.
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
        page |= {
            "names": (first.name, second.name),
            "unread": [one.name for one in (first, second) if not one.whole],
        }
        if not page["unread"]:
            contest = contest_of(first, second)
            page |= {"contest": contest, **_fought(request, contest)}
            if request.headers.get("HX-Request") == "true":
                return show(request, "_contest", **page)
        return show(request, "compare", side=side_by_side(first, second), **page)
    except RuleViolations as error:
        return show(request, "compare", status=UNLAWFUL, found=error.listed, **page)


def _user(request: HttpRequest) -> AbstractBaseUser:
    return cast(AbstractBaseUser, request.user)


def _war(request: HttpRequest) -> Viewer | None:
    """The war whose classes are asked for, None: of none.

    Raises NotThere where the reader does not play in it.
    """
    asked = request.GET.get(WAR, "")
    return need(viewer_of(request.user, asked), play=True) if asked else None


def _fought(request: HttpRequest, contest: Contest) -> dict[str, Any]:
    """What battles of a contest came to so far, where they were asked for."""
    asked = contest.asked()
    waits = FIGHT in request.GET and STOP not in request.GET
    if not waits and reckoning_of(_user(request), ReckoningKind.CONTEST, asked) is None:
        return {}
    row = reckoned(request, ReckoningKind.CONTEST, asked, MOST_BATTLES, waits=waits)
    again = {FIGHT: "1"}
    going = progress(
        row, _address(request, **again), _address(request, **again, **{STOP: "1"}), waits=waits
    )
    return {"odds": contest_odds(asked, row.samples), "going": going}


def _address(request: HttpRequest, **more: str) -> str:
    same = {key: request.GET[key] for key in (WAR, "first", "second") if key in request.GET}
    return f"{reverse('designs-compare')}?{urlencode(same | more)}"


urlpatterns: list[URLPattern | URLResolver] = [
    path("designs/compare/", compare, name="designs-compare"),
]
