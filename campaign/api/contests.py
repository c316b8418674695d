"""API resources that compare two classes: figures, and odds of equal points.

Workers fight the battles. A call returns at once what is known, and the caller asks again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.access import Viewer
from campaign.api.requests import body_of, user_of
from campaign.api.resource import Resource, heavy, json_response
from campaign.api.schema import documented
from campaign.kinds import SimulationKind
from campaign.models.simulation import Simulation
from campaign.rules.matchups import Line
from campaign.services.contests import (
    MAX_BATTLES,
    UNNAMED,
    Contender,
    contest_odds,
    contest_of,
    list_contenders,
    side_by_side,
)
from campaign.services.simulations import (
    simulation_by_id,
    simulation_request,
    simulation_stop,
    simulation_watch,
)
from engine.core.errors import RuleViolations, Violation
from engine.notation.designs import parse_design

TAG = "designs"


@dataclass(frozen=True, slots=True)
class Side:
    """A class to compare, by its key or its design.

    Attributes:
        key: `library/<id>`, `continuum/<name>` or `second-edition/<name>`; with a war also
            `war/<name>`, and `seen/<side>/<name>` for what battles showed of a foreign class.
    """

    key: str = ""
    design: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ContestBody:
    """Two classes of one rulebook.

    Attributes:
        war: The caller's campaign whose classes may be named.
    """

    first: Side
    second: Side
    war: str = ""


@dataclass(frozen=True, slots=True)
class OddsBody:
    """Two classes of one rulebook whose odds are requested.

    Attributes:
        war: The caller's campaign whose classes may be named.
        battles: How many battles of equal points to fight, at most 400.
    """

    first: Side
    second: Side
    war: str = ""
    battles: int = MAX_BATTLES


@dataclass(frozen=True, slots=True)
class FireLine:
    """The average damage of all weapons of each class through an arc at a range.

    A dash means that no weapon reaches that far.
    """

    arc: str
    range: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two classes side by side.

    Figures of a foreign class may be `unknown`; then the counts are null.

    Attributes:
        first_count: How many ships of the first class make sides of equal points.
        second_count: The same of the second class.
    """

    first: str
    second: str
    figures: list[Line]
    fire: list[FireLine]
    first_count: int | None
    second_count: int | None


@dataclass(frozen=True, slots=True)
class SideOdds:
    """How a side fared in the battles.

    Attributes:
        ship_count: Its number of ships.
        points: Their points together.
        wins: Whole percent of battles won.
        wins_interval: The 95% confidence interval of `wins`.
        median_loss: Whole percent of its points lost in the median battle.
    """

    name: str
    ship_count: int
    points: int
    wins: int
    wins_interval: tuple[int, int]
    median_loss: int


@dataclass(frozen=True, slots=True)
class ContestOdds:
    """The results of the battles so far.

    Attributes:
        battles_done: Battles fought.
        battles_wanted: Battles requested.
        working: More are being fought while the caller keeps asking.
        ended: Why they ended early (`long`, `failed`), else empty.
        draws: Whole percent of them.
        first: The first side; null before the first battle is over.
        second: The second side; null before the first battle is over.
    """

    id: str
    battles_done: int
    battles_wanted: int
    working: bool
    ended: str
    draws: int
    first: SideOdds | None
    second: SideOdds | None


class CompareResource(Resource):
    """Two classes side by side."""

    @documented(
        "designs_compare",
        "Compare two classes of one rulebook",
        {200: Comparison},
        body_type=ContestBody,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @heavy
    def post(self, request: Request) -> HttpResponse:
        """Return figures and expected fire of both classes.

        404: a war in which the caller does not play.
        """
        body = body_of(request, ContestBody)
        first, second = _sides(request, body.first, body.second, self.viewer_in(body.war))
        comparison = side_by_side(first, second)
        fire = []
        for row in comparison.arcs:
            for band in row.bands:
                fire.append(FireLine(row.arc, *band))
        first_count: int | None = None
        second_count: int | None = None
        if first.is_complete and second.is_complete:
            first_count, second_count = contest_of(first, second).counts
        return json_response(
            Comparison(
                first=first.name,
                second=second.name,
                figures=list(comparison.lines),
                fire=fire,
                first_count=first_count,
                second_count=second_count,
            )
        )

    def viewer_in(self, war: str) -> Viewer | None:
        """Return the caller as a player of a war, or None if no war is named. Raises NotFound."""
        if war:
            return self.viewer(war, play=True)
        return None


class OddsResource(CompareResource):
    """The odds of equal points of two classes."""

    @documented(
        "designs_odds",
        "Simulate battles between equal points of two classes",
        {200: ContestOdds},
        body_type=OddsBody,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @heavy
    def post(self, request: Request) -> HttpResponse:
        """Request battles, and return how often each side has won so far and at what cost.

        The sides start in mirrored positions. Workers continue for half a minute after each call;
        ask `designs/odds/<id>/` for progress. Battle n is always the same, and repeating the call
        finds earlier results.
        """
        body = body_of(request, OddsBody)
        if not 1 <= body.battles <= MAX_BATTLES:
            words = f"1 to {MAX_BATTLES} battles can be simulated"
            raise RuleViolations([Violation("battles", "out-of-range", words)])
        contest = contest_of(*_sides(request, body.first, body.second, self.viewer_in(body.war)))
        simulation = simulation_request(
            user=user_of(request),
            kind=SimulationKind.CONTEST,
            question=contest.question(),
            battle_count=body.battles,
        )
        return json_response(_odds_answer(simulation))


class OddsAskedResource(Resource):
    """The odds that the caller has requested."""

    @documented(
        "designs_odds_asked",
        "The progress of simulated battles of two classes",
        {200: ContestOdds},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, odds: str) -> HttpResponse:
        """Return the results so far; workers continue for another half minute.

        404 after a day without a call.
        """
        row = simulation_by_id(user_of(request), SimulationKind.CONTEST, odds)
        simulation_watch(row)
        return json_response(_odds_answer(row))

    @documented(
        "designs_odds_stop",
        "Stop simulated battles of two classes",
        {204: None},
        problems=(404, 403),
        tag=TAG,
    )
    def delete(self, request: Request, odds: str) -> HttpResponse:
        """Stop fighting. The results so far stay for a later request."""
        simulation_stop(simulation_by_id(user_of(request), SimulationKind.CONTEST, odds))
        return HttpResponse(status=204)


def _odds_answer(row: Simulation) -> ContestOdds:
    """Return the results so far."""
    odds = contest_odds(row.question, row.samples)
    sides: list[SideOdds | None] = [None, None]
    if odds is not None:
        columns = (odds.counts, odds.points, odds.wins, odds.wins_within, odds.losses)
        sides = []
        for values in zip(row.question["names"], *columns, strict=True):
            sides.append(SideOdds(*values))
    return ContestOdds(
        id=str(row.public_id),
        battles_done=row.battles_done,
        battles_wanted=row.battles_wanted,
        working=row.open,
        ended=row.ending,
        draws=0 if odds is None else odds.draws,
        first=sides[0],
        second=sides[1],
    )


def _sides(
    request: Request, first: Side, second: Side, viewer: Viewer | None
) -> tuple[Contender, Contender]:
    """Return both classes. Raises RuleViolations with the faults of both."""
    by_key = list_contenders(user_of(request), viewer)
    faults: list[Violation] = []
    pair = []
    for where, side in (("first", first), ("second", second)):
        pair.append(_side(where, side, by_key.get, faults))
    if faults:
        raise RuleViolations(faults)
    return pair[0], pair[1]


def _side(
    where: str,
    side: Side,
    find_contender: Callable[[str], Contender | None],
    faults: list[Violation],
) -> Contender:
    """Return a class by its key or its design; its faults are added to the list."""
    if side.design is not None and not side.key:
        name = side.design.get("class")
        try:
            parse_design(side.design)
        except RuleViolations as error:
            for fault in error.violations:
                path = f"{where}.design.{fault.where}"
                faults.append(Violation(path, fault.code, fault.message))
        return Contender(name if isinstance(name, str) else UNNAMED, side.design)
    contender = find_contender(side.key) if side.design is None else None
    if contender is None:
        words = "name a class you know by its key, or give its design"
        faults.append(Violation(where, "unknown-class", words))
        return Contender("", {})
    return contender
