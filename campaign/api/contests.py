"""Two classes set against each other: side by side, and how equal points of them fare, fought by
workers.

Who asks for battles is told at once what is known, and asks again; nobody waits for a worker.
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
from campaign.models.simulation import Reckoning
from campaign.rules.matchups import Line
from campaign.services.contests import (
    MOST_BATTLES,
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
    """A class to compare: by its `key` (`shelf/<id>`, `continuum/<name>`, `second-edition/<name>`,
    and with a war `war/<name>`, and `seen/<side>/<name>` for what I have read of a foreign class in
    battle), or by its `design`.
    """

    key: str = ""
    design: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ContestGiven:
    """Two classes of one rulebook. `war`: the campaign of mine whose classes may be named."""

    first: Side
    second: Side
    war: str = ""


@dataclass(frozen=True, slots=True)
class OddsGiven:
    """Two classes of one rulebook, and how many battles of equal points are asked for, 400 at
    most.
    """

    first: Side
    second: Side
    war: str = ""
    battles: int = MOST_BATTLES


@dataclass(frozen=True, slots=True)
class FireLine:
    """What all weapons of either class do on average through an arc at a range, in points (–: they
    do not reach).
    """

    arc: str
    range: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two classes side by side, and how many of either make sides of equal points (`first_many`,
    `second_many`).

    Of a foreign class figures may be `unknown`; then nobody can tell how many.
    """

    first: str
    second: str
    figures: list[Line]
    fire: list[FireLine]
    first_many: int | None
    second_many: int | None


@dataclass(frozen=True, slots=True)
class SideOdds:
    """How a side fared: so many ships of so many points together; whole percent of battles won, and
    of its points that the middle battle cost it. `wins_within`: between what, with 95 percent
    confidence, the share of its wins lies.
    """

    name: str
    many: int
    points: int
    wins: int
    wins_within: tuple[int, int]
    loses: int


@dataclass(frozen=True, slots=True)
class ContestOdds:
    """What battles came to so far: `runs` of the `wanted` ones.

    `working`: more of them come while somebody asks; `ended`: what ended them early (`long`,
    `failed`), else empty. `draws`: whole percent of them. Before the first battle is over `first`
    and `second` are null.
    """

    id: str
    runs: int
    wanted: int
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
        body_type=ContestGiven,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @heavy
    def post(self, request: Request) -> HttpResponse:
        """Figures and expected fire of both. 404: a war in which the caller does not play."""
        body = body_of(request, ContestGiven)
        first, second = _sides(request, body.first, body.second, self.viewer_in(body.war))
        side = side_by_side(first, second)
        fire = [FireLine(row.arc, *band) for row in side.arcs for band in row.bands]
        counts = (
            contest_of(first, second).counts
            if first.is_complete and second.is_complete
            else (None, None)
        )
        return json_response(Comparison(first.name, second.name, list(side.lines), fire, *counts))

    def viewer_in(self, war: str) -> Viewer | None:
        """The caller as a player of a war; None where none is named. Raises NotThere."""
        return self.viewer(war, play=True) if war else None


class OddsResource(CompareResource):
    """Equal points of two classes against each other."""

    @documented(
        "designs_odds",
        "Have equal points of two classes fight by computer captains",
        {200: ContestOdds},
        body_type=OddsGiven,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @heavy
    def post(self, request: Request) -> HttpResponse:
        """Who wins how often and at what price, from mirrored places, as far as it is known by now.

        Workers fight on for half a minute after each call; ask `designs/odds/<id>/` how far they
        are. Battle n is always the same one, and the same call finds what was fought.
        """
        body = body_of(request, OddsGiven)
        if not 1 <= body.battles <= MOST_BATTLES:
            words = f"1 to {MOST_BATTLES} battles can be asked for"
            raise RuleViolations([Violation("battles", "out-of-range", words)])
        contest = contest_of(*_sides(request, body.first, body.second, self.viewer_in(body.war)))
        user, kind = user_of(request), SimulationKind.CONTEST
        return json_response(
            _odds_answer(
                simulation_request(
                    user=user, kind=kind, question=contest.question(), battle_count=body.battles
                )
            )
        )


class OddsAskedResource(Resource):
    """Battles of two classes that the caller has asked for."""

    @documented(
        "designs_odds_asked",
        "How far battles of two classes are",
        {200: ContestOdds},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, odds: str) -> HttpResponse:
        """What they came to so far; workers fight on for another half minute.

        404 after a day without a call.
        """
        row = simulation_by_id(user_of(request), SimulationKind.CONTEST, odds)
        simulation_watch(row)
        return json_response(_odds_answer(row))

    @documented(
        "designs_odds_stop",
        "Stop battles of two classes",
        {204: None},
        problems=(404, 403),
        tag=TAG,
    )
    def delete(self, request: Request, odds: str) -> HttpResponse:
        """Fights no more of them. What was fought is there for who asks again."""
        simulation_stop(simulation_by_id(user_of(request), SimulationKind.CONTEST, odds))
        return HttpResponse(status=204)


def _odds_answer(row: Reckoning) -> ContestOdds:
    """Battles as far as they are."""
    odds = contest_odds(row.question, row.samples)
    sides: list[SideOdds | None] = [None, None]
    if odds is not None:
        columns = (odds.counts, odds.points, odds.wins, odds.wins_within, odds.losses)
        sides = [SideOdds(*values) for values in zip(row.question["names"], *columns, strict=True)]
    return ContestOdds(
        id=str(row.public_id),
        runs=row.fought,
        wanted=row.wanted,
        working=row.open,
        ended=row.ending,
        draws=0 if odds is None else odds.draws,
        first=sides[0],
        second=sides[1],
    )


def _sides(
    request: Request, first: Side, second: Side, viewer: Viewer | None
) -> tuple[Contender, Contender]:
    """Both classes. Raises RuleViolations with the faults of both."""
    by_key = list_contenders(user_of(request), viewer)
    faults: list[Violation] = []
    pair = [
        _side(where, side, by_key.get, faults)
        for where, side in (("first", first), ("second", second))
    ]
    if faults:
        raise RuleViolations(faults)
    return pair[0], pair[1]


def _side(
    where: str,
    side: Side,
    find_contender: Callable[[str], Contender | None],
    faults: list[Violation],
) -> Contender:
    if side.design is not None and not side.key:
        name = side.design.get("class")
        try:
            parse_design(side.design)
        except RuleViolations as error:
            faults += [
                Violation(f"{where}.design.{fault.where}", fault.code, fault.message)
                for fault in error.violations
            ]
        return Contender(name if isinstance(name, str) else UNNAMED, side.design)
    contender = find_contender(side.key) if side.design is None else None
    if contender is None:
        faults.append(
            Violation(
                where, "unknown-class", "name a class you know by its key, or give its design"
            )
        )
    return contender or Contender("", {})
