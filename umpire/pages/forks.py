"""Fork a war: a new war that begins with a week of this one, or many between computers in memory.

The wars between computers are simulated while the page is open, and only once the story is public.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from campaign.access import Viewer
from campaign.errors import NotFound, Refused
from campaign.kinds import SimulationKind, StageKind
from campaign.models.campaign import Campaign
from campaign.rules.queries import result_words
from campaign.selectors.clock import factions_of
from campaign.selectors.families import may_be_public
from campaign.services.simulation_work import max_seconds_of
from campaign.services.simulations import simulation_of
from campaign.store.documents import scenario_of
from campaign.web.background_battles import STOP, progress, run_background_battles
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from umpire.pages.balance import BAR_WIDTH, make_share_bar
from umpire.pages.frame import ASK_METHODS, page, show, title_of
from umpire.services.fork_rights import fork_power, fork_refusal
from umpire.services.fork_starts import fork_stages
from umpire.services.forks import ForkSettings, fork_propose, history_fork
from umpire.services.history import Power
from umpire.services.what_ifs import WARS, what_if_balance, what_if_question

PLAY = "play"  # query parameter: play the wars of the week
UNPROCESSABLE = 422
MAX_DIGITS = 9
NO_WEEK = -1  # no stage is of this week
SECONDS_PER_MINUTE = 60


@page(methods=ASK_METHODS)
def fork(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show from which weeks the war can be forked; a POST creates the fork.

    `?week=` shows the wars between computers from that week; with `play` they are played. Requests
    from htmx get only that part.
    """
    try:
        if request.method != "POST":
            return _shown(request, viewer)
        if fork_power(viewer) is Power.VOTE:
            return _propose(request, viewer)
        war = _fork(request, viewer)
    except RuleViolations as error:
        return _render(request, viewer, error.limited_violations)
    except NotFound:
        raise
    except Refused as error:
        messages.warning(request, phrase("Nothing was changed: {}.", error.words))
        return redirect("fork", c=viewer.campaign.public_id)
    messages.success(request, phrase("The war is forked. Fill the seats, then start it."))
    return redirect("lobby", c=war.public_id)


def _shown(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the page, or for htmx the part that changes while wars are played."""
    if request.headers.get("HX-Request") == "true":
        return render(request, "umpire/_what_if.html", _what_if(request, viewer))
    return _render(request, viewer)


def _fork(request: HttpRequest, viewer: Viewer) -> Campaign:
    """Fork the war as the form says."""
    week, stage, settings = _form_of(request)
    return history_fork(viewer=viewer, week=week, stage=stage, settings=settings)


def _propose(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Propose the fork of the form to the sides of the war."""
    week, stage, settings = _form_of(request)
    fork_propose(viewer=viewer, week=week, stage=stage, settings=settings)
    messages.success(
        request, phrase("Proposed. The new war is created when every side has agreed.")
    )
    return redirect("rollback", c=viewer.campaign.public_id)


def _form_of(request: HttpRequest) -> tuple[int, str, ForkSettings]:
    """Return week and stage with which the fork of a form begins, and its settings."""
    posted = request.POST
    week, _, stage = posted.get("start", "").partition("-")
    settings = ForkSettings(name=posted.get("name", "").strip(), play=posted.get("play", ""))
    return _week_of(week), stage, settings


def _week_in(data: Mapping[str, str]) -> int:
    """Return the week that an address names; `NO_WEEK` if it is no number."""
    return _week_of(data.get("week", ""))


def _week_of(text: str) -> int:
    """Return the week that a text names; `NO_WEEK` if it is no number."""
    is_number = text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS
    return int(text) if is_number else NO_WEEK


def _what_if(request: HttpRequest, viewer: Viewer) -> dict[str, Any]:
    """Return the wars between computers from the week of the address, and play more of them.

    Raises:
        NotFound: There is no such week, or the story is not public.
        TooOften: The reader starts too many simulations.
    """
    campaign = viewer.campaign
    week = _week_in(request.GET)
    question = what_if_question(campaign, week)
    is_watched = PLAY in request.GET and STOP not in request.GET
    if not is_watched and simulation_of(viewer.user, SimulationKind.WAR, question) is None:
        return {}
    row = run_background_battles(request, SimulationKind.WAR, question, WARS, is_watched=is_watched)
    address = reverse("fork", args=[campaign.public_id])
    query = {"week": str(week), PLAY: "1"}
    scenario = scenario_of(campaign)
    figures = what_if_balance(campaign, row.samples)
    return {
        "week": week,
        "simulation": progress(
            row,
            f"{address}?{urlencode(query)}",
            f"{address}?{urlencode({**query, STOP: '1'})}",
            is_watched=is_watched,
        ),
        "figures": figures,
        "shares": [make_share_bar(scenario, share) for share in figures.shares],
        "equal_share_x": round(BAR_WIDTH / len(figures.shares)),
        "results": [(result_words(scenario, result), count) for result, count in figures.results],
    }


def _render(request: HttpRequest, viewer: Viewer, faults: Sequence[Violation] = ()) -> HttpResponse:
    """Show the page, with the faults of a form that was refused."""
    campaign = viewer.campaign
    has_story = may_be_public(campaign=campaign)
    what_if = {}
    if request.method != "POST" and "week" in request.GET:
        what_if = _what_if(request, viewer)
    stages = fork_stages(campaign)
    starts = [(f"{stage.week}-{stage.kind}", title_of(campaign, stage)) for stage in stages]
    weeks = [stage.week for stage in stages if stage.kind == StageKind.ORDERS]
    power = fork_power(viewer)
    sides = factions_of(campaign)
    if power is Power.VOTE:
        sides = [] if viewer.faction is None else [viewer.faction]
    response = show(
        request,
        viewer,
        "fork",
        "",
        here="timelines",
        power=power.value,
        refusal=fork_refusal(viewer),
        starts=starts,
        weeks=weeks,
        sides=sides,
        form_data=request.POST,
        faults=faults,
        has_story=has_story,
        wars=WARS,
        minutes=round(max_seconds_of(SimulationKind.WAR) / SECONDS_PER_MINUTE),
        chosen_week=_week_in(request.GET),
        **what_if,
    )
    response.status_code = UNPROCESSABLE if faults else 200
    return response
