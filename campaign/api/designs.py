"""The caller's own shelf of ship designs, and the bench: what a design costs, what is wrong with
it, how it fares.

The shelf is its owner's alone and goes with him from campaign to campaign.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from campaign.api.classes import (
    FORM,
    ClassText,
    DesignGiven,
    DesignLeftOut,
    DesignText,
    left_out_lines,
)
from campaign.api.requests import body_of, choice_in, user_of
from campaign.api.resource import Resource, answer, heavy, idempotent
from campaign.api.schema import documented
from campaign.models.shelf import ShelfDesign
from campaign.rules.bench_sheet import laid_out
from campaign.rules.workbench import Bench
from campaign.services.design_texts import FORMS, exported
from campaign.services.shelf import (
    MOST_KEPT,
    shelf_design_delete,
    shelf_design_of,
    shelf_design_save,
    shelf_import,
    shelf_of,
)
from campaign.web.problems import Fault
from engine.core.errors import RuleViolations, faults_json
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
    """A design to keep, finished or not: the JSON of this project (docs/reference/designs.md), and
    notes to it.
    """

    design: dict[str, Any]
    notes: str = ""


@dataclass(frozen=True, slots=True)
class DesignFigures:
    """What a design comes to.

    `rows`: boxes of each row of the damage track, the upper one first; `capacity`: the mass there
    is; `crew`: the boxes with which crew factors are lost.
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
    """A design on the bench.

    `figures`: null where it cannot be read; every fault with its place in the design.

    `options`: options of the rulebook that a war needs for it; `left`: the mass that is free, below
    0 where it is over.
    """

    figures: DesignFigures | None
    systems: list[SystemLine]
    left: int
    options: list[str]
    violations: list[Fault]
    warnings: list[str]


class ShelfResource(Resource):
    """The caller's shelf."""

    @documented("designs", "My own shelf of ship designs", {200: ShelfList}, tag=TAG)
    def get(self, request: Request) -> HttpResponse:
        """The designs that the caller keeps for himself, in all campaigns."""
        return answer(ShelfList([_line(row) for row in shelf_of(user_of(request))], MOST_KEPT))

    @documented(
        "design_keep",
        "Keep a design on my shelf",
        {201: ShelfLine},
        takes=ShelfGiven,
        writes=True,
        tag=TAG,
    )
    @heavy
    @idempotent
    def post(self, request: Request) -> HttpResponse:
        """The kept design.

        It need not be lawful; 422 names every fault of what cannot be read at all.
        """
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
        row = shelf_design_save(
            user=user_of(request), document=given.design, notes=given.notes, public_id=design
        )
        return answer(_line(row))

    @documented(
        "design_delete",
        "Throw a design of my shelf away",
        {204: None},
        problems=(404, 403),
        tag=TAG,
    )
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
        """The kept designs.

        With one that cannot be read none is kept; with `partial` it is left out, and none is kept
        where all would be.
        """
        given = body_of(request, DesignText)
        rows, left_out = shelf_import(
            user=user_of(request), text=given.text, source=given.source, partial=given.partial
        )
        return answer(
            ShelfImported([_line(row) for row in rows], MOST_KEPT, left_out_lines(left_out)), 201
        )


class ShelfExportResource(Resource):
    """The shelf as a text."""

    @documented(
        "designs_export",
        "Export my shelf as one text",
        {200: ClassText},
        query=(FORM,),
        problems=(422,),
        tag=TAG,
    )
    def get(self, request: Request) -> HttpResponse:
        """The designs in one text that the import reads back; 422 names what the format has no word
        for.
        """
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
        """Figures, the cost of each row of systems, faults and warnings: faults are no error
        here.
        """
        document = body_of(request, DesignGiven).design
        try:
            design = parse_design(document)
        except RuleViolations as error:
            return answer(BenchCheck(None, [], 0, [], _faults(error.violations), []))
        laid = laid_out(Bench(design_json(design)), rules_of(design.edition), ())
        systems = [
            SystemLine(row.number, row.title, row.words, row.mass, row.points) for row in laid.rows
        ]
        figures = None if laid.figures is None else _figures(design.mass, laid.figures)
        faults = _faults(read_design(document).illegal)
        return answer(
            BenchCheck(figures, systems, laid.left, list(laid.options), faults, list(laid.warnings))
        )


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
