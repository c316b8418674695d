"""The caller's own shelf of ship designs, and the bench: what a design costs, what is wrong with it, how it fares.

The shelf is its owner's alone and goes with him from campaign to campaign.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from campaign.access import Viewer
from campaign.api.classes import FORM, ClassText, DesignGiven, DesignLeftOut, DesignText, left_out_lines
from campaign.api.problems import Fault
from campaign.api.requests import body_of, choice_in, user_of
from campaign.api.resource import Resource, answer, heavy, idempotent
from campaign.api.schema import documented
from campaign.models.shelf import ShelfDesign
from campaign.rules.bench_sheet import laid_out
from campaign.rules.matchups import MOST_RUNS, Line
from campaign.rules.workbench import Bench
from campaign.services.contests import GIVEN, STEPS, Contender, contenders, contest_of, odds_fought
from campaign.services.design_texts import FORMS, exported
from campaign.services.shelf import (
    MOST_KEPT,
    shelf_design_delete,
    shelf_design_of,
    shelf_design_save,
    shelf_import,
    shelf_of,
)
from engine.core.errors import RuleViolations, Violation, faults_json
from engine.design.value import Figures
from engine.notation.designs import design_json, parse_design, read_design
from engine.ruleset import rules_of

TAG = "designs"


@dataclass(frozen=True, slots=True)
class ShelfLine:
    """A design of my shelf. `edition`: its rulebook."""

    id: str
    name: str
    edition: str
    notes: str
    design: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ShelfList:
    """My shelf, by rulebook and name. `most`: how many designs it holds."""

    designs: list[ShelfLine]
    most: int


@dataclass(frozen=True, slots=True)
class ShelfImported:
    """The designs that were kept, how many my shelf holds, and the designs that were left out."""

    designs: list[ShelfLine]
    most: int
    left_out: list[DesignLeftOut]


@dataclass(frozen=True, slots=True)
class ShelfGiven:
    """A design to keep, finished or not: the JSON of this project (docs/designs.md), and notes to it."""

    design: dict[str, Any]
    notes: str = ""


@dataclass(frozen=True, slots=True)
class DesignFigures:
    """What a design comes to. `rows`: boxes of each row of the damage track, the upper one first; `capacity`: the mass
    there is; `crew`: the boxes with which crew factors are lost.
    """

    points: int
    cpv: int | None
    mass: int
    mass_used: int
    capacity: int
    classification: str
    rows: list[int]
    crew: list[int]


@dataclass(frozen=True, slots=True)
class SystemLine:
    """A row of systems and what it takes; mass and points are empty where it is not sold."""

    row: int
    name: str
    words: str
    mass: str
    points: str


@dataclass(frozen=True, slots=True)
class BenchCheck:
    """A design on the bench. `figures`: null where it cannot be read; every fault with its place in the design.

    `options`: options of the rulebook that a war needs for it; `left`: the mass that is free, below 0 where it is over.
    """

    figures: DesignFigures | None
    systems: list[SystemLine]
    left: int
    options: list[str]
    violations: list[Fault]
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class Side:
    """A class to compare: by its `key` (`shelf/<id>`, `continuum/<name>`, `second-edition/<name>`, and with a war
    `war/<name>`), or by its `design`.
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
    """Two classes of one rulebook, and how many battles of equal points are asked for, 40 at most."""

    first: Side
    second: Side
    war: str = ""
    battles: int = STEPS[0]


@dataclass(frozen=True, slots=True)
class FireLine:
    """What all weapons of either class do on average through an arc at a range, in points (–: they do not reach)."""

    arc: str
    range: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two classes side by side, and how many of either make sides of equal points (`first_many`, `second_many`)."""

    first: str
    second: str
    figures: list[Line]
    fire: list[FireLine]
    first_many: int
    second_many: int


@dataclass(frozen=True, slots=True)
class SideOdds:
    """How a side fared: so many ships of so many points together; whole percent of battles won, and of its points that
    the middle battle cost it.
    """

    name: str
    many: int
    points: int
    wins: int
    loses: int


@dataclass(frozen=True, slots=True)
class ContestOdds:
    """What so many battles came to. `draws`: whole percent of them."""

    runs: int
    draws: int
    first: SideOdds
    second: SideOdds


class ShelfResource(Resource):
    """The caller's shelf."""

    @documented("designs", "My own shelf of ship designs", {200: ShelfList}, tag=TAG)
    def get(self, request: Request) -> HttpResponse:
        """The designs that the caller keeps for himself, in all campaigns."""
        return answer(ShelfList([_line(row) for row in shelf_of(user_of(request))], MOST_KEPT))

    @documented("design_keep", "Keep a design on my shelf", {201: ShelfLine}, takes=ShelfGiven, writes=True, tag=TAG)
    @heavy
    @idempotent
    def post(self, request: Request) -> HttpResponse:
        """The kept design. It need not be lawful; 422 names every fault of what cannot be read at all."""
        given = body_of(request, ShelfGiven)
        row = shelf_design_save(user=user_of(request), document=given.design, notes=given.notes)
        return answer(_line(row), 201, location=reverse("api-design", args=[str(row.public_id)]))


class ShelfDesignResource(Resource):
    """One design of the caller's shelf."""

    @documented("design", "One design of my shelf", {200: ShelfLine}, problems=(404,), tag=TAG)
    def get(self, request: Request, design: str) -> HttpResponse:
        """The design with its notes. Designs of others are 404."""
        return answer(_line(shelf_design_of(user_of(request), design)))

    @documented(
        "design_put",
        "Keep a design in the place of another",
        {200: ShelfLine},
        takes=ShelfGiven,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @heavy
    @idempotent
    def put(self, request: Request, design: str) -> HttpResponse:
        """The design as it is kept now."""
        given = body_of(request, ShelfGiven)
        shelf_design_of(user_of(request), design)
        row = shelf_design_save(user=user_of(request), document=given.design, notes=given.notes, public_id=design)
        return answer(_line(row))

    @documented("design_delete", "Throw a design of my shelf away", {204: None}, problems=(404, 403), tag=TAG)
    def delete(self, request: Request, design: str) -> HttpResponse:
        """Takes the design off the shelf."""
        shelf_design_delete(user=user_of(request), public_id=design)
        return HttpResponse(status=204)


class ShelfImportResource(Resource):
    """Designs from a text."""

    @documented(
        "designs_import",
        "Keep the designs of a text on my shelf: all or none, or with `partial` those that can be read",
        {201: ShelfImported},
        takes=DesignText,
        writes=True,
        tag=TAG,
    )
    @heavy
    @idempotent
    def post(self, request: Request) -> HttpResponse:
        """The kept designs. With one that cannot be read none is kept; with `partial` it is left out, and none is kept
        where all would be.
        """
        given = body_of(request, DesignText)
        rows, left_out = shelf_import(
            user=user_of(request), text=given.text, source=given.source, partial=given.partial
        )
        return answer(ShelfImported([_line(row) for row in rows], MOST_KEPT, left_out_lines(left_out)), 201)


class ShelfExportResource(Resource):
    """The shelf as a text."""

    @documented(
        "designs_export", "Export my shelf as one text", {200: ClassText}, query=(FORM,), problems=(422,), tag=TAG
    )
    def get(self, request: Request) -> HttpResponse:
        """The designs in one text that the import reads back; 422 names what the format has no word for."""
        form = choice_in(request, "form", FORMS) or FORMS[0]
        text = exported([row.design for row in shelf_of(user_of(request))], form)
        return answer(ClassText(form, text))  # type: ignore[arg-type]


class BenchCheckResource(Resource):
    """A design on the bench."""

    @documented(
        "design_check",
        "Price a design and name its faults; nothing is kept",
        {200: BenchCheck},
        takes=DesignGiven,
        writes=True,
        tag=TAG,
    )
    @heavy
    def post(self, request: Request) -> HttpResponse:
        """Figures, the cost of each row of systems, faults and warnings: faults are no error here."""
        document = body_of(request, DesignGiven).design
        try:
            design = parse_design(document)
        except RuleViolations as error:
            return answer(BenchCheck(None, [], 0, [], _faults(error.violations), []))
        laid = laid_out(Bench(design_json(design)), rules_of(design.edition), ())
        systems = [SystemLine(row.number, row.title, row.words, row.mass, row.points) for row in laid.rows]
        figures = None if laid.figures is None else _figures(design.mass, laid.figures)
        faults = _faults(read_design(document).illegal)
        return answer(BenchCheck(figures, systems, laid.left, list(laid.options), faults, list(laid.warnings)))


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
        contest = contest_of(user_of(request), *_sides(request, given.first, given.second, self.viewer_in(given.war)))
        fire = [FireLine(row.arc, *band) for row in contest.arcs for band in row.bands]
        return answer(Comparison(*contest.names, list(contest.lines), fire, *contest.many))

    def viewer_in(self, war: str) -> Viewer | None:
        """The caller as a player of a war; None where none is named. Raises NotThere."""
        return self.viewer(war, play=True) if war else None


class OddsResource(CompareResource):
    """Equal points of two classes against each other."""

    @documented(
        "designs_odds",
        "Fight equal points of two classes by computer captains",
        {200: ContestOdds},
        takes=OddsGiven,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @heavy
    def post(self, request: Request) -> HttpResponse:
        """Who wins how often and at what price, from mirrored places. `runs` may be fewer than were asked for: a call
        fights for two seconds; the same call again goes on where it ended. Battle n is always the same one.
        """
        given = body_of(request, OddsGiven)
        if not 1 <= given.battles <= MOST_RUNS:
            raise RuleViolations([Violation("battles", "out-of-range", f"1 to {MOST_RUNS} battles can be asked for")])
        contest = contest_of(user_of(request), *_sides(request, given.first, given.second, self.viewer_in(given.war)))
        odds = odds_fought(contest, given.battles)
        told = zip(contest.names, odds.many, odds.points, odds.wins, odds.losses, strict=True)
        return answer(ContestOdds(odds.runs, odds.draws, *(SideOdds(*one) for one in told)))


def _line(row: ShelfDesign) -> ShelfLine:
    return ShelfLine(str(row.public_id), row.name, row.edition, row.notes, row.design)


def _faults(found: Any) -> Any:
    return faults_json(list(found))


def _figures(mass: int, figures: Figures) -> DesignFigures:
    return DesignFigures(
        points=figures.points,
        cpv=figures.cpv,
        mass=mass,
        mass_used=figures.mass_used,
        capacity=figures.capacity,
        classification=figures.classification,
        rows=list(figures.rows),
        crew=list(figures.crew or ()),
    )


def _sides(request: Request, first: Side, second: Side, viewer: Viewer | None) -> tuple[Contender, Contender]:
    """Both classes. Raises RuleViolations with the faults of both."""
    known = contenders(user_of(request), viewer)
    faults: list[Violation] = []
    found = [_side(where, side, known.get, faults) for where, side in (("first", first), ("second", second))]
    if faults:
        raise RuleViolations(faults)
    return found[0], found[1]


def _side(where: str, side: Side, known: Callable[[str], Contender | None], faults: list[Violation]) -> Contender:
    if side.design is not None and not side.key:
        name = side.design.get("class")
        try:
            parse_design(side.design)
        except RuleViolations as error:
            faults += [Violation(f"{where}.design.{one.where}", one.code, one.message) for one in error.violations]
        return Contender(name if isinstance(name, str) else GIVEN, side.design)
    found = known(side.key) if side.design is None else None
    if found is None:
        faults.append(Violation(where, "unknown-class", "name a class you know by its key, or give its design"))
    return found or Contender("", {})
