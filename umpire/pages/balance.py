"""How even a scenario of one's own is: many wars of computer admirals, begun and stopped by a
button, told as they end.

Nobody but the owner sees any of it. The wars are played by the workers; the page looks after them
every two seconds, or when it is opened again.
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
from campaign.rules.files import judge_scenario
from campaign.rules.scenario import Scenario
from campaign.rules.scenario_bench import read_file
from campaign.web.common import UNLAWFUL, heavy_request
from campaign.web.scenario_editor import draft_asked, editor_frame, placed
from campaign.web.seat_marks import seats
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from umpire.balance import Share, advice, results_of
from umpire.services.balances import (
    TRIAL,
    WARS,
    BalanceTold,
    balance_faults,
    balance_start,
    balance_stop,
    balance_told,
)
from umpire.services.handicaps import (
    faction_sought,
    handicap_apply,
    handicap_seek,
    handicap_stands,
    handicap_told,
    handicap_undo,
)

PLAY, STOP, SEEK, APPLY, UNDO = "play", "stop", "seek", "apply", "undo"
WIDE = 200  # units of the drawing of an interval
ENDED = {
    BalanceEnd.STOPPED: phrase("They were stopped before all were played."),
    BalanceEnd.LONG: phrase("They took too long and were ended before all were played."),
    BalanceEnd.FAILED: phrase(
        "The wars could not be played. That is a fault of this program and not of your scenario: tell "
        "whoever runs this site, whose log says more."
    ),
}

SEARCH = {
    BalanceEnd.STOPPED: phrase("The search was stopped."),
    BalanceEnd.LONG: phrase("The search took too long and was ended."),
    BalanceEnd.FAILED: phrase(
        "Wars of it could not be played. That is a fault of this program: tell whoever runs this site."
    ),
}


@dataclass(frozen=True, slots=True)
class ShareShown:
    """A side's share of the decided wars, in whole per cent, and where its interval is drawn.

    `seats`: of its factions.
    """

    share: Share
    percent: int
    low: int
    high: int
    at: int
    begin: int
    wide: int
    seats: tuple[int, ...]


def share_shown(scenario: Scenario, share: Share) -> ShareShown:
    """A share as the page draws it."""
    numbers = seats(scenario)
    own = tuple(
        numbers[power.id] for power in scenario.factions if share.side in (power.id, power.alliance)
    )
    percent, low, high = (round(100 * part) for part in (share.share, share.low, share.high))
    begin, end = round(WIDE * share.low), round(WIDE * share.high)
    return ShareShown(
        share, percent, low, high, round(WIDE * share.share), begin, max(2, end - begin), own
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def balance(request: HttpRequest, scenario: uuid.UUID) -> HttpResponse:
    """What many wars of a scenario came to; `act` begins them or stops them.

    A fragment for htmx.
    """
    row = draft_asked(request, scenario)
    if request.method != "POST":
        return _shown(request, row)
    act, user = request.POST.get("act", ""), cast(AbstractBaseUser, request.user)
    if act not in (PLAY, STOP, SEEK, APPLY, UNDO):
        raise Http404
    try:
        with heavy_request(request):
            if said := _done(user, scenario, act):
                messages.success(request, said)
    except RuleViolations as error:
        return _shown(request, row, error.listed)
    return redirect("balance", scenario=scenario)


def _done(user: AbstractBaseUser, scenario: uuid.UUID, act: str) -> str:
    """Do an act; what is said of it. Raises RuleViolations, Busy."""
    if act == PLAY:
        balance_start(user=user, public_id=scenario, wars=WARS)
    elif act == STOP:
        return (
            phrase("Stopped. What was played stays.")
            if balance_stop(user=user, public_id=scenario)
            else ""
        )
    elif act == SEEK:
        handicap_seek(user=user, public_id=scenario)
    elif act == APPLY:
        handicap_apply(user=user, public_id=scenario)
        return phrase("Handicap added to the scenario.")
    else:
        handicap_undo(user=user, public_id=scenario)
        return phrase("The scenario is as it was before the handicap.")
    return ""


def _shown(
    request: HttpRequest, row: ScenarioDraft, refused: Sequence[Violation] = ()
) -> HttpResponse:
    try:
        document = read_file(row.text)
    except (
        RuleViolations
    ):  # kept by an earlier release, which forms of this one would not show whole
        return redirect("scenario-text", scenario=row.public_id)
    scenario, faults = judge_scenario(document)
    told = balance_told(row)
    context: dict[str, Any] = {"row": row, "told": told, **figures(told), **handicap(row, told)}
    if request.headers.get("HX-Request") == "true":
        answer = render(request, "umpire/_balance.html", context)
        if told is None or not told.playing:
            answer.headers["HX-Refresh"] = "true"
        return answer
    missing = () if faults else balance_faults(scenario)
    context |= {"refused": placed(refused), "missing": missing, "wars": WARS}
    frame = editor_frame(scenario, faults, "balance")
    return render(
        request, "umpire/balance.html", {**context, **frame}, status=UNLAWFUL if refused else 200
    )


def figures(told: BalanceTold | None) -> dict[str, Any]:
    """What the page says of wars that were played; nothing of none."""
    if told is None:
        return {}
    found = told.figures
    return {
        "figures": found,
        "shares": [share_shown(told.scenario, share) for share in found.shares],
        "equal": round(WIDE / len(found.shares)),
        "results": results_of(told.scenario, found),
        "advice": advice(told.scenario, found),
        "ended": ENDED.get(cast(BalanceEnd, told.row.ending), ""),
    }


def handicap(row: ScenarioDraft, told: BalanceTold | None) -> dict[str, Any]:
    """What the page says of a handicap.

    `tried`: each with its share as it is drawn; `seekable`: one can be searched for; `stands`: one
    was applied and can be taken back.
    """
    if told is None:
        return {}
    found = handicap_told(told)
    try:
        seekable = (
            not told.playing and told.row.sought != BalanceEnd.DONE and bool(faction_sought(told))
        )
    except RuleViolations:
        seekable = False
    return {
        "handicap": found,
        "tried": [(one, share_shown(told.scenario, one.share)) for one in found.tries]
        if found
        else (),
        "seekable": seekable,
        "stands": handicap_stands(told.row, row),
        "trial": TRIAL,
        "search": SEARCH.get(cast(BalanceEnd, told.row.sought), ""),
    }
