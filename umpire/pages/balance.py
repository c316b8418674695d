"""How even a scenario of one's own is: many wars of computer admirals, begun and stopped by a button, told as they end.

Nobody but the owner sees any of it. The wars are played by the workers; the page looks after them every two seconds,
or when it is opened again.
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
from campaign.pages.common import UNLAWFUL, weighed
from campaign.pages.scenarios import draft_asked, editor_frame, placed
from campaign.rules.files import judge_scenario
from campaign.rules.scenario_bench import read_file
from engine.core.errors import RuleViolations, Violation
from umpire.balance import Share, advice, results_of
from umpire.services.balances import WARS, BalanceTold, balance_faults, balance_start, balance_stop, balance_told

PLAY, STOP = "play", "stop"
WIDE = 200  # units of the drawing of an interval
ENDED = {
    BalanceEnd.STOPPED: "They were stopped before all were played.",
    BalanceEnd.LONG: "They took too long and were ended before all were played.",
    BalanceEnd.FAILED: "The wars could not be played. That is a fault of this program and not of your scenario: tell "
    "whoever runs this site, whose log says more.",
}


@dataclass(frozen=True, slots=True)
class ShareShown:
    """A side's share of the decided wars, in whole per cent, and where its interval is drawn."""

    share: Share
    percent: int
    low: int
    high: int
    at: int
    begin: int
    wide: int


def share_shown(share: Share) -> ShareShown:
    """A share as the page draws it."""
    percent, low, high = (round(100 * part) for part in (share.share, share.low, share.high))
    begin, end = round(WIDE * share.low), round(WIDE * share.high)
    return ShareShown(share, percent, low, high, round(WIDE * share.share), begin, max(2, end - begin))


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def balance(request: HttpRequest, scenario: uuid.UUID) -> HttpResponse:
    """What many wars of a scenario came to; `act` begins them or stops them. A fragment for htmx."""
    row = draft_asked(request, scenario)
    if request.method != "POST":
        return _shown(request, row)
    act, user = request.POST.get("act", ""), cast(AbstractBaseUser, request.user)
    if act not in (PLAY, STOP):
        raise Http404
    try:
        with weighed(request):
            if act == PLAY:
                balance_start(user=user, public_id=scenario, wars=WARS)
            elif balance_stop(user=user, public_id=scenario):
                messages.success(request, "Stopped. What was played stays.")
    except RuleViolations as error:
        return _shown(request, row, error.listed)
    return redirect("balance", scenario=scenario)


def _shown(request: HttpRequest, row: ScenarioDraft, refused: Sequence[Violation] = ()) -> HttpResponse:
    try:
        document = read_file(row.text)
    except RuleViolations:  # kept by an earlier release, which forms of this one would not show whole
        return redirect("scenario-text", scenario=row.public_id)
    scenario, faults = judge_scenario(document)
    told = balance_told(row, scenario)
    context: dict[str, Any] = {"row": row, "told": told, **figures(told)}
    if request.headers.get("HX-Request") == "true":
        answer = render(request, "umpire/_balance.html", context)
        if told is None or not told.playing:
            answer.headers["HX-Refresh"] = "true"
        return answer
    missing = () if faults else balance_faults(scenario)
    context |= {"refused": placed(refused), "missing": missing, "wars": WARS}
    frame = editor_frame(scenario, faults, "balance")
    return render(request, "umpire/balance.html", {**context, **frame}, status=UNLAWFUL if refused else 200)


def figures(told: BalanceTold | None) -> dict[str, Any]:
    """What the page says of wars that were played; nothing of none."""
    if told is None:
        return {}
    found = told.figures
    return {
        "figures": found,
        "shares": [share_shown(share) for share in found.shares],
        "equal": round(WIDE / len(found.shares)),
        "results": results_of(told.scenario, found),
        "advice": advice(told.scenario, found),
        "ended": ENDED.get(cast(BalanceEnd, told.row.ending), ""),
    }
