"""The balance of a user's own scenario: many wars of computer admirals, and a handicap search.

Only the owner sees any of it. Background workers play the wars. The page polls every two seconds,
and shows the state when it is opened again.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractBaseUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from campaign.kinds import BalanceEnd
from campaign.models.own_scenario import ScenarioDraft
from campaign.rules.queries import result_words
from campaign.rules.scenario import Scenario
from campaign.rules.scenario_drafts import check_draft
from campaign.rules.scenario_editing import read_file
from campaign.rules.skirmish import BATTLE
from campaign.web.common import UNPROCESSABLE, heavy_request
from campaign.web.scenario_editor import editor_frame, requested_draft
from campaign.web.seat_marks import seats
from campaign.words.scenario_faults import faults_in_form, names_in
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from umpire.balance import Share, advice, results_of
from umpire.services.balances import (
    TRIAL_WARS,
    WARS,
    BalanceSummary,
    balance_faults,
    balance_start,
    balance_stop,
    balance_summary,
)
from umpire.services.handicaps import (
    handicap_apply,
    handicap_faction,
    handicap_seek,
    handicap_summary,
    handicap_undo,
    is_handicap_applied,
)

PLAY, STOP, SEEK, APPLY, UNDO = "play", "stop", "seek", "apply", "undo"
BAR_WIDTH = 200  # drawing units
ENDING_TEXTS = {
    BalanceEnd.STOPPED: phrase("They were stopped before all were played."),
    BalanceEnd.LONG: phrase("They took too long and were stopped before all were played."),
    BalanceEnd.FAILED: phrase(
        "The wars could not be played. This is a fault in the program, not in your scenario. "
        "Please tell the administrator of this site; the log has details."
    ),
}

SEARCH_ENDING_TEXTS = {
    BalanceEnd.STOPPED: phrase("The search was stopped."),
    BalanceEnd.LONG: phrase("The search took too long and was stopped."),
    BalanceEnd.FAILED: phrase(
        "Its wars could not be played. This is a fault in the program. Please tell the "
        "administrator of this site."
    ),
}


@dataclass(frozen=True, slots=True)
class ShareBar:
    """A side's share of the decided wars in percent, and its interval on the drawing."""

    share: Share
    percent: int
    low: int
    high: int
    at: int
    begin: int
    width: int
    seats: tuple[int, ...]  # of its factions


def make_share_bar(scenario: Scenario, share: Share) -> ShareBar:
    """Return a share as the page draws it."""
    numbers = seats(scenario)
    own_seats = []
    for power in scenario.factions:
        if share.side in (power.id, power.alliance):
            own_seats.append(numbers[power.id])
    begin = round(BAR_WIDTH * share.low)
    end = round(BAR_WIDTH * share.high)
    return ShareBar(
        share=share,
        percent=round(100 * share.share),
        low=round(100 * share.low),
        high=round(100 * share.high),
        at=round(BAR_WIDTH * share.share),
        begin=begin,
        width=max(2, end - begin),
        seats=tuple(own_seats),
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def balance(request: HttpRequest, scenario: uuid.UUID) -> HttpResponse:
    """Show the results of many wars of a scenario; `act` starts or stops them.

    Requests from htmx get a fragment.
    """
    row = requested_draft(request, scenario)
    if request.method != "POST":
        return _render(request, row)
    act = request.POST.get("act", "")
    user = cast(AbstractBaseUser, request.user)
    if act not in (PLAY, STOP, SEEK, APPLY, UNDO):
        raise Http404
    try:
        with heavy_request(request):
            if message := _carry_out(user, scenario, act):
                messages.success(request, message)
    except RuleViolations as error:
        return _render(request, row, error.limited_violations)
    return redirect("balance", scenario=scenario)


def _carry_out(user: AbstractBaseUser, scenario: uuid.UUID, act: str) -> str:
    """Do an action and return its message.

    Raises:
        RuleViolations: If the scenario or its state does not allow it.
        Busy: If no slot for heavy work is free.
    """
    if act == PLAY:
        balance_start(user=user, public_id=scenario, wars=WARS)
    elif act == STOP:
        if balance_stop(user=user, public_id=scenario):
            return phrase("Stopped. The wars already played are kept.")
        return ""
    elif act == SEEK:
        handicap_seek(user=user, public_id=scenario)
    elif act == APPLY:
        handicap_apply(user=user, public_id=scenario)
        return phrase("Handicap added to the scenario.")
    else:
        handicap_undo(user=user, public_id=scenario)
        return phrase("Handicap removed from the scenario.")
    return ""


def _render(
    request: HttpRequest, row: ScenarioDraft, violations: Sequence[Violation] = ()
) -> HttpResponse:
    """Render the page of a scenario, or for htmx the part that changes while wars are played."""
    try:
        document = read_file(row.text)
    except RuleViolations:
        # Stored by an earlier release; this release's forms could not show all of it
        return redirect("scenario-text", scenario=row.public_id)
    scenario, faults = check_draft(document)
    summary = balance_summary(row)
    context: dict[str, Any] = {
        "row": row,
        "summary": summary,
        **figures(summary),
        **handicap(row, summary),
    }
    if request.headers.get("HX-Request") == "true":
        answer = render(request, "umpire/_balance.html", context)
        if summary is None or not summary.playing:
            answer.headers["HX-Refresh"] = "true"
        return answer
    setup_faults = () if faults else balance_faults(scenario)
    context |= {
        "violations": faults_in_form(violations, names_in(document)),
        "setup_faults": setup_faults,
        "wars": WARS,
    }
    frame = editor_frame(scenario, faults, "balance", is_battle=BATTLE in document)
    return render(
        request,
        "umpire/balance.html",
        {**context, **frame},
        status=UNPROCESSABLE if violations else 200,
    )


def figures(summary: BalanceSummary | None) -> dict[str, Any]:
    """Return what the page shows about played wars; empty without any."""
    if summary is None:
        return {}
    totals = summary.figures
    return {
        "figures": totals,
        "shares": [make_share_bar(summary.scenario, share) for share in totals.shares],
        "equal_share_x": round(BAR_WIDTH / len(totals.shares)),
        "results": [
            (result_words(summary.scenario, result), count)
            for result, count in results_of(summary.scenario, totals)
        ],
        "advice": advice(summary.scenario, totals),
        "ending_text": ENDING_TEXTS.get(cast(BalanceEnd, summary.row.ending), ""),
    }


def _can_seek(summary: BalanceSummary) -> bool:
    """Return whether the search for a handicap can start."""
    if summary.playing or summary.row.handicap_ending == BalanceEnd.COMPLETED:
        return False
    try:
        return bool(handicap_faction(summary))
    except RuleViolations:
        return False


def handicap(row: ScenarioDraft, summary: BalanceSummary | None) -> dict[str, Any]:
    """Return what the page shows about handicaps.

    The keys include the tried handicaps with their shares, whether a search can start, and whether
    an applied handicap can be undone.
    """
    if summary is None:
        return {}
    search = handicap_summary(summary)
    trials = []
    for trial in search.tries if search else ():
        trials.append((trial, make_share_bar(summary.scenario, trial.share)))
    return {
        "handicap": search,
        "trials": trials,
        "can_seek": _can_seek(summary),
        "is_applied": is_handicap_applied(summary.row, row),
        "trial": TRIAL_WARS,
        "search": SEARCH_ENDING_TEXTS.get(cast(BalanceEnd, summary.row.handicap_ending), ""),
    }
