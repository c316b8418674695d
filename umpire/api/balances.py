"""What many wars of computer admirals in one of the caller's own scenarios came to: begun, stopped,
read; and a handicap, searched for, applied, taken back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.api.requests import body_of, user_of
from campaign.api.resource import Resource, heavy, idempotent, json_response
from campaign.api.schema import documented
from campaign.models.own_scenario import ScenarioDraft
from campaign.services.own_scenarios import scenario_draft_of
from umpire.balance import advice, results_of
from umpire.handicap import Handicap
from umpire.services.balances import WARS, balance_start, balance_stop, balance_summary
from umpire.services.handicaps import (
    HandicapTrial,
    handicap_apply,
    handicap_seek,
    handicap_summary,
    handicap_undo,
    is_handicap_applied,
)

TAG = "scenarios"


@dataclass(frozen=True, slots=True)
class BalanceAsked:
    """How many wars are to be played, 20 to 500."""

    wars: int = WARS


@dataclass(frozen=True, slots=True)
class BalanceShare:
    """The decided wars that a side won.

    Its true share, from 0 to 1, is `low` to `high` with 95 % certainty.
    """

    side: str
    name: str
    won: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class BalanceResult:
    """A result, and how many wars ended with it."""

    result: str
    wars: int


@dataclass(frozen=True, slots=True)
class BalanceSheet:
    """What the wars of a scenario came to.

    `state`: `none` were asked for, workers are `playing` them, or it is `over`, where `ending` says
    how (`done`, `stopped`, `long`: it took too long, `failed`). `old`: the scenario or the rules
    were changed since. Of `wars` asked for, `played` are over; `died` could not be played. `weeks`:
    those of the middle war; `last_week`: so many wars went on to the last one.
    """

    state: Literal["none", "playing", "over"]
    ending: str = ""
    old: bool = False
    asked_at: datetime | None = None
    wars: int = 0
    played: int = 0
    died: int = 0
    verdict: str = ""
    even: bool = False
    decided: int = 0
    draws: int = 0
    weeks: float = 0.0
    last_week: int = 0
    shares: tuple[BalanceShare, ...] = ()
    results: tuple[BalanceResult, ...] = ()
    advice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HandicapTry:
    """A handicap that was tried: `percent` more of the fleets of the side that is behind, and of
    `decided` wars the share that it won then, which is `low` to `high` with 95 % certainty.
    """

    percent: int
    points: int
    decided: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class HandicapSheet:
    """The handicap of a scenario.

    `state`: `none` was searched for, workers are `seeking` it, or it is `over`, where `ending` says
    how. `best`: of `tries` the one that came nearest to even, which apply/ puts into the scenario:
    `ships` it adds fleet by fleet, `budgets` that pay for them. `even`: its wars leave it open that
    all sides win equally often. `applied`: the scenario stands with one, which undo/ takes back.
    """

    state: Literal["none", "seeking", "over"]
    ending: str = ""
    side: str = ""
    tries: tuple[HandicapTry, ...] = ()
    best: HandicapTry | None = None
    even: bool = False
    ships: tuple[str, ...] = ()
    budgets: tuple[str, ...] = ()
    applied: bool = False


class BalanceResource(Resource):
    """The balance of one of the caller's scenarios."""

    @documented(
        "balance",
        "What many wars of my scenario came to",
        {200: BalanceSheet},
        problems=(404, 422),
        tag=TAG,
    )
    def get(self, request: Request, scenario: str) -> HttpResponse:
        """The figures so far: they grow while wars are played. Scenarios of others are 404."""
        return json_response(balance_sheet(scenario_draft_of(user_of(request), scenario)))

    @documented(
        "balance_start",
        "Have many wars of my scenario played by computer admirals",
        {200: BalanceSheet},
        body_type=BalanceAsked,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @heavy
    @idempotent
    def post(self, request: Request, scenario: str) -> HttpResponse:
        """They are played in the background; where they already are, nothing is changed.

        422: the scenario has faults, or another of yours is being played. 503: others' are; try
        again later.
        """
        body = body_of(request, BalanceAsked)
        balance_start(user=user_of(request), public_id=scenario, wars=body.wars)
        return json_response(balance_sheet(scenario_draft_of(user_of(request), scenario)))

    @documented(
        "balance_stop",
        "Play no more wars of my scenario",
        {204: None},
        problems=(404, 403),
        tag=TAG,
    )
    def delete(self, request: Request, scenario: str) -> HttpResponse:
        """What was played stays."""
        balance_stop(user=user_of(request), public_id=scenario)
        return HttpResponse(status=204)


def _handicap_act(
    name: str, summary: str, act: Callable[..., object], words: str
) -> type[Resource]:
    """A resource whose POST does something about a handicap.

    `act`: the service; `words`: what it answers.
    """

    class HandicapActResource(Resource):
        """An act about the handicap of one of the caller's scenarios."""

        @documented(name, summary, {200: HandicapSheet}, problems=(404,), writes=True, tag=TAG)
        @heavy
        @idempotent
        def post(self, request: Request, scenario: str) -> HttpResponse:
            act(user=user_of(request), public_id=scenario)
            return json_response(handicap_sheet(scenario_draft_of(user_of(request), scenario)))

        post.__doc__ = words

    return HandicapActResource


_Seek = _handicap_act(
    "handicap_seek",
    "Have handicaps of my scenario tried by computer admirals",
    handicap_seek,
    "In the background; the scenario is not changed. 422 says why there is none to search for: its wars were not "
    "played, leave it open that it is even, or were of what it was. `DELETE` of the balance stops it.",
)


class HandicapResource(_Seek):  # type: ignore[misc,valid-type]
    """A handicap for one of the caller's scenarios."""

    @documented(
        "handicap",
        "What handicap would even my scenario out",
        {200: HandicapSheet},
        problems=(404, 422),
        tag=TAG,
    )
    def get(self, request: Request, scenario: str) -> HttpResponse:
        """What was found so far. Scenarios of others are 404."""
        return json_response(handicap_sheet(scenario_draft_of(user_of(request), scenario)))


HandicapApplyResource = _handicap_act(
    "handicap_apply",
    "Change my scenario by the handicap that was found",
    handicap_apply,
    "The scenario's file has its ships and points then. 422: it was changed since, or none was found.",
)
HandicapUndoResource = _handicap_act(
    "handicap_undo",
    "Take the handicap of my scenario back",
    handicap_undo,
    "The file is as it was before, to the last character. 422: it was changed since.",
)


def balance_sheet(draft: ScenarioDraft) -> BalanceSheet:
    """The balance of a scenario as the API tells it.

    Raises RuleViolations where the file cannot be read any more.
    """
    summary = balance_summary(draft)
    if summary is None:
        return BalanceSheet("none")
    figures = summary.figures
    return BalanceSheet(
        state="playing" if summary.playing else "over",
        ending=summary.row.ending,
        old=summary.old,
        asked_at=summary.row.asked_at,
        wars=summary.row.wars,
        played=summary.played,
        died=summary.died,
        verdict=figures.verdict if figures.wars else "",
        even=figures.is_even,
        decided=figures.decided,
        draws=figures.draws,
        weeks=figures.weeks,
        last_week=figures.last_week,
        shares=tuple(
            BalanceShare(share.side, share.name, share.wins, share.share, share.low, share.high)
            for share in figures.shares
        ),
        results=tuple(
            BalanceResult(result, count) for result, count in results_of(summary.scenario, figures)
        ),
        advice=advice(summary.scenario, figures),
    )


def handicap_sheet(draft: ScenarioDraft) -> HandicapSheet:
    """The handicap of a scenario as the API tells it.

    Raises RuleViolations where the file cannot be read any more.
    """
    summary = balance_summary(draft)
    handicap = handicap_summary(summary)
    applied = summary is not None and is_handicap_applied(summary.row, draft)
    if summary is None or handicap is None:
        return HandicapSheet("none", applied=applied)
    best = handicap.best
    return HandicapSheet(
        state="seeking" if handicap.seeking else "over",
        ending=summary.row.sought,
        side=handicap.side,
        tries=tuple(_try(trial, trial.handicap) for trial in handicap.tries if trial.handicap),
        best=_try(best, best.handicap) if best and best.handicap else None,
        even=handicap.even,
        ships=best.handicap.ships if best and best.handicap else (),
        budgets=best.handicap.budget_lines if best and best.handicap else (),
        applied=applied,
    )


def _try(trial: HandicapTrial, handicap: Handicap) -> HandicapTry:
    share = trial.share
    return HandicapTry(
        handicap.percent, handicap.points, share.decided, share.share, share.low, share.high
    )
