"""API resources for test wars of the caller's scenarios, and for handicaps found by them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
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
class BalanceBody:
    """The number of wars to play, 20 to 500."""

    wars: int = WARS


@dataclass(frozen=True, slots=True)
class BalanceShare:
    """The share of decided wars that a side won.

    Attributes:
        share: From 0 to 1.
        low: Lower end of its 95% confidence interval.
        high: Upper end.
    """

    side: str
    name: str
    wins: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class BalanceResult:
    """A result, and the number of wars that ended with it."""

    result: str
    wars: int


@dataclass(frozen=True, slots=True)
class BalanceSheet:
    """The results of a scenario's test wars.

    Attributes:
        state: `none` if none were requested, `playing`, or `over`.
        ending: How they ended: `done`, `stopped`, `long` (it took too long) or `failed`.
        old: The scenario or the rules changed since.
        wars: The number requested.
        played: The number that are over.
        died: The number that could not be played.
        weeks: The median length.
        last_week: How many wars lasted to the last week.
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
    """A handicap that was tried.

    Attributes:
        percent: How much larger it makes the fleets of the weaker side.
        decided: Decided wars.
        share: The share of them that this side won.
        low: Lower end of its 95% confidence interval.
        high: Upper end.
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

    Attributes:
        state: `none` without a search, `seeking`, or `over`.
        ending: How the search ended.
        best: The most balanced of `tries`, which apply/ adds to the scenario.
        even: With it, all sides may win equally often, within the confidence interval.
        ships: Ships that it adds, by fleet.
        budgets: Budgets that pay for them.
        applied: The scenario has a handicap, which undo/ removes.
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
        "The results of a scenario's test wars",
        {200: BalanceSheet},
        problems=(404, 422),
        tag=TAG,
    )
    def get(self, request: Request, scenario: str) -> HttpResponse:
        """Return the figures so far, while wars are played. Scenarios of other users are 404."""
        return json_response(balance_sheet(scenario_draft_of(user_of(request), scenario)))

    @documented(
        "balance_start",
        "Play test wars of a scenario with computer admirals",
        {200: BalanceSheet},
        body_type=BalanceBody,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @heavy
    @idempotent
    def post(self, request: Request, scenario: str) -> HttpResponse:
        """Start test wars in the background; if they are being played, change nothing.

        422: the scenario has faults, or another one of the caller is being played. 503: all places
        of the site are taken; try again later.
        """
        body = body_of(request, BalanceBody)
        balance_start(user=user_of(request), public_id=scenario, wars=body.wars)
        return json_response(balance_sheet(scenario_draft_of(user_of(request), scenario)))

    @documented(
        "balance_stop",
        "Stop the test wars of a scenario",
        {204: None},
        problems=(404, 403),
        tag=TAG,
    )
    def delete(self, request: Request, scenario: str) -> HttpResponse:
        """Stop the test wars. The results so far stay."""
        balance_stop(user=user_of(request), public_id=scenario)
        return HttpResponse(status=204)


def _handicap_act(
    name: str, summary: str, act: Callable[..., object], words: str
) -> type[Resource]:
    """Make a resource whose POST calls a service about a handicap.

    Args:
        act: The service.
        words: The description of the POST method.
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
    "Search for a handicap with wars of computer admirals",
    handicap_seek,
    "Start the search in the background, without changing the scenario. 422 says why none is "
    "possible: no wars were played, they may be balanced, or the scenario changed since. `DELETE` "
    "of the balance stops it.",
)


class HandicapResource(_Seek):  # type: ignore[misc,valid-type]
    """A handicap for one of the caller's scenarios."""

    @documented(
        "handicap",
        "A handicap that balances a scenario",
        {200: HandicapSheet},
        problems=(404, 422),
        tag=TAG,
    )
    def get(self, request: Request, scenario: str) -> HttpResponse:
        """Return the results so far. Scenarios of other users are 404."""
        return json_response(handicap_sheet(scenario_draft_of(user_of(request), scenario)))


HandicapApplyResource = _handicap_act(
    "handicap_apply",
    "Add the handicap that was found to the scenario",
    handicap_apply,
    "Add its ships and points to the scenario's file. 422: the file changed since, or no handicap "
    "was found.",
)
HandicapUndoResource = _handicap_act(
    "handicap_undo",
    "Remove the handicap from the scenario",
    handicap_undo,
    "Restore the file to its earlier text, to the last character. 422: it changed since.",
)


def balance_sheet(draft: ScenarioDraft) -> BalanceSheet:
    """Return the results of a scenario's test wars in the form of the API.

    Raises:
        RuleViolations: The file cannot be parsed any more.
    """
    summary = balance_summary(draft)
    if summary is None:
        return BalanceSheet("none")
    figures = summary.figures
    shares = []
    for share in figures.shares:
        shares.append(
            BalanceShare(
                side=share.side,
                name=share.name,
                wins=share.wins,
                share=share.share,
                low=share.low,
                high=share.high,
            )
        )
    results = []
    for result, count in results_of(summary.scenario, figures):
        results.append(BalanceResult(result, count))
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
        shares=tuple(shares),
        results=tuple(results),
        advice=advice(summary.scenario, figures),
    )


def handicap_sheet(draft: ScenarioDraft) -> HandicapSheet:
    """Return the handicap of a scenario in the form of the API.

    Raises:
        RuleViolations: The file cannot be parsed any more.
    """
    summary = balance_summary(draft)
    handicap = handicap_summary(summary)
    applied = summary is not None and is_handicap_applied(summary.row, draft)
    if summary is None or handicap is None:
        return HandicapSheet("none", applied=applied)
    sheet = HandicapSheet(
        state="seeking" if handicap.seeking else "over",
        ending=summary.row.handicap_ending,
        side=handicap.side,
        tries=tuple(_try(trial, trial.handicap) for trial in handicap.tries if trial.handicap),
        even=handicap.even,
        applied=applied,
    )
    best = handicap.best
    if best is None or best.handicap is None:
        return sheet
    return replace(
        sheet,
        best=_try(best, best.handicap),
        ships=best.handicap.ships,
        budgets=best.handicap.budget_lines,
    )


def _try(trial: HandicapTrial, handicap: Handicap) -> HandicapTry:
    """Return a handicap that was tried in the form of the API."""
    share = trial.share
    return HandicapTry(
        percent=handicap.percent,
        points=handicap.points,
        decided=share.decided,
        share=share.share,
        low=share.low,
        high=share.high,
    )
