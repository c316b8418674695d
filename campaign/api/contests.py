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
from campaign.api.resource import Resource, answer, heavy
from campaign.api.schema import documented
from campaign.kinds import ReckoningKind
from campaign.models.reckoning import Reckoning
from campaign.rules.matchups import Line
from campaign.services.contests import (
    GIVEN,
    MOST_BATTLES,
    Contender,
    contenders,
    contest_odds,
    contest_of,
    side_by_side,
)
from campaign.services.reckonings import (
    reckoning_ask,
    reckoning_named,
    reckoning_stop,
    reckoning_watch,
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
        takes=ContestGiven,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @heavy
    def post(self, request: Request) -> HttpResponse:
        """Figures and expected fire of both. 404: a war in which the caller does not play."""
        given = body_of(request, ContestGiven)
        first, second = _sides(request, given.first, given.second, self.viewer_in(given.war))
        side = side_by_side(first, second)
        fire = [FireLine(row.arc, *band) for row in side.arcs for band in row.bands]
        many = contest_of(first, second).many if first.whole and second.whole else (None, None)
        return answer(Comparison(first.name, second.name, list(side.lines), fire, *many))

    def viewer_in(self, war: str) -> Viewer | None:
        """The caller as a player of a war; None where none is named. Raises NotThere."""
        return self.viewer(war, play=True) if war else None


class OddsResource(CompareResource):
    """Equal points of two classes against each other."""

    @documented(
        "designs_odds",
        "Have equal points of two classes fight by computer captains",
        {200: ContestOdds},
        takes=OddsGiven,
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
        given = body_of(request, OddsGiven)
        if not 1 <= given.battles <= MOST_BATTLES:
            words = f"1 to {MOST_BATTLES} battles can be asked for"
            raise RuleViolations([Violation("battles", "out-of-range", words)])
        contest = contest_of(*_sides(request, given.first, given.second, self.viewer_in(given.war)))
        user, kind = user_of(request), ReckoningKind.CONTEST
        return answer(
            _told(
                reckoning_ask(user=user, kind=kind, question=contest.asked(), wanted=given.battles)
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
        row = reckoning_named(user_of(request), ReckoningKind.CONTEST, odds)
        reckoning_watch(row)
        return answer(_told(row))

    @documented(
        "designs_odds_stop",
        "Stop battles of two classes",
        {204: None},
        problems=(404, 403),
        tag=TAG,
    )
    def delete(self, request: Request, odds: str) -> HttpResponse:
        """Fights no more of them. What was fought is there for who asks again."""
        reckoning_stop(reckoning_named(user_of(request), ReckoningKind.CONTEST, odds))
        return HttpResponse(status=204)


def _told(row: Reckoning) -> ContestOdds:
    """Battles as far as they are."""
    odds = contest_odds(row.question, row.samples)
    sides: list[SideOdds | None] = [None, None]
    if odds is not None:
        columns = (odds.many, odds.points, odds.wins, odds.wins_within, odds.losses)
        sides = [SideOdds(*told) for told in zip(row.question["names"], *columns, strict=True)]
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
    known = contenders(user_of(request), viewer)
    faults: list[Violation] = []
    found = [
        _side(where, side, known.get, faults)
        for where, side in (("first", first), ("second", second))
    ]
    if faults:
        raise RuleViolations(faults)
    return found[0], found[1]


def _side(
    where: str, side: Side, known: Callable[[str], Contender | None], faults: list[Violation]
) -> Contender:
    if side.design is not None and not side.key:
        name = side.design.get("class")
        try:
            parse_design(side.design)
        except RuleViolations as error:
            faults += [
                Violation(f"{where}.design.{one.where}", one.code, one.message)
                for one in error.violations
            ]
        return Contender(name if isinstance(name, str) else GIVEN, side.design)
    found = known(side.key) if side.design is None else None
    if found is None:
        faults.append(
            Violation(
                where, "unknown-class", "name a class you know by its key, or give its design"
            )
        )
    return found or Contender("", {})
