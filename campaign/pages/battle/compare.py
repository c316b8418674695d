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
from campaign.services.contests import (
    MAX_BATTLES,
    Contest,
    contest_odds,
    contest_of,
    list_contenders,
    side_by_side,
)
from campaign.services.simulations import simulation_of
from campaign.web.background_battles import STOP, progress, run_background_battles
from campaign.web.common import UNPROCESSABLE, show
from engine.core.errors import RuleViolations

# Parameters of the query
FIGHT = "fight"  # simulate battles
WAR = "war"  # offer the classes of this war too


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
    context: dict[str, Any] = {
        "contenders": [(key, contender.name) for key, contender in contenders_by_key.items()],
        "keys": keys,
        "war": None if viewer is None else viewer.campaign,
    }
    pair = [contenders_by_key[key] for key in keys if key in contenders_by_key]
    if len(pair) < len(keys):
        return show(request, "compare", **context)
    first, second = pair
    context["names"] = (first.name, second.name)
    incomplete_names = [contender.name for contender in pair if not contender.is_complete]
    context["incomplete_names"] = incomplete_names
    try:
        if not incomplete_names:
            contest = contest_of(first, second)
            context |= {"contest": contest, **_contest_results(request, contest)}
            if request.headers.get("HX-Request") == "true":
                return show(request, "_duel_odds", **context)
        return show(request, "compare", comparison=side_by_side(first, second), **context)
    except RuleViolations as error:
        context["violations"] = error.limited_violations
        return show(request, "compare", status=UNPROCESSABLE, **context)


def _user(request: HttpRequest) -> AbstractBaseUser:
    """Return the logged-in user with its type."""
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
    """Return the results of the simulated battles so far.

    Empty if none were asked for, now or earlier.
    """
    question = contest.question()
    is_watched = FIGHT in request.GET and STOP not in request.GET
    kind = SimulationKind.CONTEST
    if not is_watched and simulation_of(_user(request), kind, question) is None:
        return {}
    row = run_background_battles(request, kind, question, MAX_BATTLES, is_watched=is_watched)
    simulation = progress(
        row,
        _address(request, **{FIGHT: "1"}),
        _address(request, **{FIGHT: "1", STOP: "1"}),
        is_watched=is_watched,
    )
    return {"odds": contest_odds(question, row.samples), "simulation": simulation}


def _address(request: HttpRequest, **extra: str) -> str:
    """Return the address of the same comparison, with further parameters."""
    query = {}
    for key in (WAR, "first", "second"):
        if key in request.GET:
            query[key] = request.GET[key]
    return f"{reverse('designs-compare')}?{urlencode(query | extra)}"


urlpatterns: list[URLPattern | URLResolver] = [
    path("designs/compare/", compare, name="designs-compare"),
]
