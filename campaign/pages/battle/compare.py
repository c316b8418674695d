"""The comparison of two ship classes.

Classes come from the reader's design library, a war the reader plays in, or the built-in ones.
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

from campaign.access import Viewer, require, viewer_of
from campaign.errors import NotFound
from campaign.kinds import SimulationKind
from campaign.pages.week.background_battles import STOP, progress, run_background_battles
from campaign.services.contests import (
    MOST_BATTLES,
    Contest,
    contest_odds,
    contest_of,
    list_contenders,
    side_by_side,
)
from campaign.services.simulations import simulation_of
from campaign.web.common import UNPROCESSABLE, show
from engine.core.errors import RuleViolations

FIGHT, WAR = "fight", "war"


@never_cache
@login_required
@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """Compare two classes.

    With `fight` in the query, background workers simulate battles between equal points of both (a
    rate-limited action). Requests from a script get the results so far.
    """
    try:
        viewer = _war(request)
        contenders_by_key = list_contenders(_user(request), viewer)
    except NotFound as error:
        raise Http404 from error
    keys = (request.GET.get("first", ""), request.GET.get("second", ""))
    page: dict[str, Any] = {
        "known": [(key, contender.name) for key, contender in contenders_by_key.items()],
        "keys": keys,
    }
    page |= {"war": None if viewer is None else viewer.campaign}
    if not all(key in contenders_by_key for key in keys):
        return show(request, "compare", **page)
    first, second = contenders_by_key[keys[0]], contenders_by_key[keys[1]]
    try:
        page |= {
            "names": (first.name, second.name),
            "unread": [
                contender.name for contender in (first, second) if not contender.is_complete
            ],
        }
        if not page["unread"]:
            contest = contest_of(first, second)
            page |= {"contest": contest, **_contest_results(request, contest)}
            if request.headers.get("HX-Request") == "true":
                return show(request, "_duel_odds", **page)
        return show(request, "compare", side=side_by_side(first, second), **page)
    except RuleViolations as error:
        return show(
            request, "compare", status=UNPROCESSABLE, found=error.limited_violations, **page
        )


def _user(request: HttpRequest) -> AbstractBaseUser:
    return cast(AbstractBaseUser, request.user)


def _war(request: HttpRequest) -> Viewer | None:
    """Return the viewer of the war named in the query, or None if the query names no war.

    Raises:
        NotFound: If the reader does not play in that war.
    """
    war_id = request.GET.get(WAR, "")
    if war_id:
        return require(viewer_of(request.user, war_id), play=True)
    return None


def _contest_results(request: HttpRequest, contest: Contest) -> dict[str, Any]:
    """Return the results of the simulated battles so far, if the query asks for any."""
    request_text = contest.question()
    waits = FIGHT in request.GET and STOP not in request.GET
    if not waits and simulation_of(_user(request), SimulationKind.CONTEST, request_text) is None:
        return {}
    row = run_background_battles(
        request, SimulationKind.CONTEST, request_text, MOST_BATTLES, is_watched=waits
    )
    again = {FIGHT: "1"}
    simulation = progress(
        row, _address(request, **again), _address(request, **again, **{STOP: "1"}), is_watched=waits
    )
    return {"odds": contest_odds(request_text, row.samples), "simulation": simulation}


def _address(request: HttpRequest, **extra: str) -> str:
    query = {}
    for key in (WAR, "first", "second"):
        if key in request.GET:
            query[key] = request.GET[key]
    return f"{reverse('designs-compare')}?{urlencode(query | extra)}"


urlpatterns: list[URLPattern | URLResolver] = [
    path("designs/compare/", compare, name="designs-compare"),
]
