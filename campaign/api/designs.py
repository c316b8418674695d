"""API resources for the caller's design library, and for checking a design.

The library is visible only to its owner, in all campaigns.
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
    DesignBody,
    DesignLeftOut,
    DesignText,
    left_out_lines,
)
from campaign.api.requests import body_of, choice_in, user_of
from campaign.api.resource import Resource, heavy, idempotent, json_response
from campaign.api.schema import documented
from campaign.models.design_library import LibraryDesign
from campaign.rules.design_editor import DesignEditor
from campaign.rules.design_sheet import build_design_sheet
from campaign.services.design_library import (
    MAX_STORED,
    library_design_delete,
    library_design_of,
    library_design_save,
    library_import,
    library_of,
)
from campaign.services.design_texts import FORMS, export_designs
from campaign.web.problems import Fault
from engine.core.errors import RuleViolations, faults_json
from engine.design.value import Figures
from engine.notation.designs import design_json, parse_design, read_design
from engine.ruleset import rules_of

TAG = "designs"


@dataclass(frozen=True, slots=True)
class LibraryLine:
    """A design of the caller's library.

    Attributes:
        edition: Its rulebook.
    """

    id: str
    name: str
    edition: str
    notes: str
    design: dict[str, Any]


@dataclass(frozen=True, slots=True)
class LibraryList:
    """The caller's design library, by rulebook and name.

    Attributes:
        most: How many designs it can hold.
    """

    designs: list[LibraryLine]
    most: int


@dataclass(frozen=True, slots=True)
class LibraryImport:
    """The result of an import into the design library.

    Attributes:
        designs: The designs that were saved.
        most: How many designs the library can hold.
        left_out: The designs that were not saved.
    """

    designs: list[LibraryLine]
    most: int
    left_out: list[DesignLeftOut]


@dataclass(frozen=True, slots=True)
class LibraryBody:
    """A design to save, finished or not, with notes.

    Attributes:
        design: This project's JSON (docs/reference/designs.md).
    """

    design: dict[str, Any]
    notes: str = ""


@dataclass(frozen=True, slots=True)
class DesignFigures:
    """The figures of a design.

    Attributes:
        rows: Boxes of each row of the damage track, from the top.
        capacity: The available mass.
        crew: The boxes at which crew factors are lost.
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
    """A row of systems with its mass and points, which are empty if it is not sold."""

    row: int
    name: str
    words: str
    mass: str
    points: str


@dataclass(frozen=True, slots=True)
class DesignReport:
    """A checked design.

    Attributes:
        figures: Null if the design cannot be parsed.
        mass_left: The free mass, below 0 if it is exceeded.
        options: Options of the rulebook that a war needs for it.
        violations: All faults with their places in the design.
    """

    figures: DesignFigures | None
    systems: list[SystemLine]
    mass_left: int
    options: list[str]
    violations: list[Fault]
    warnings: list[str]


class LibraryResource(Resource):
    """The caller's design library."""

    @documented("designs", "The caller's design library", {200: LibraryList}, tag=TAG)
    def get(self, request: Request) -> HttpResponse:
        """Return the caller's designs, which are available in all campaigns."""
        return json_response(
            LibraryList([_line(row) for row in library_of(user_of(request))], MAX_STORED)
        )

    @documented(
        "design_keep",
        "Save a design to the library",
        {201: LibraryLine},
        body_type=LibraryBody,
        writes=True,
        tag=TAG,
    )
    @heavy
    @idempotent
    def post(self, request: Request) -> HttpResponse:
        """Save a design and return it.

        It may be illegal; 422 lists all faults of a document that cannot be parsed as a design.
        """
        body = body_of(request, LibraryBody)
        row = library_design_save(user=user_of(request), document=body.design, notes=body.notes)
        return json_response(
            _line(row), 201, location=reverse("api-design", args=[str(row.public_id)])
        )


class LibraryDesignResource(Resource):
    """One design of the caller's library."""

    @documented("design", "One design of the library", {200: LibraryLine}, problems=(404,), tag=TAG)
    def get(self, request: Request, design: str) -> HttpResponse:
        """Return the design with its notes. Designs of other users are 404."""
        return json_response(_line(library_design_of(user_of(request), design)))

    @documented(
        "design_put",
        "Replace a design",
        {200: LibraryLine},
        body_type=LibraryBody,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @heavy
    @idempotent
    def put(self, request: Request, design: str) -> HttpResponse:
        """Replace the design and return it."""
        body = body_of(request, LibraryBody)
        library_design_of(user_of(request), design)
        row = library_design_save(
            user=user_of(request), document=body.design, notes=body.notes, public_id=design
        )
        return json_response(_line(row))

    @documented(
        "design_delete",
        "Delete a design from the library",
        {204: None},
        problems=(404, 403),
        tag=TAG,
    )
    def delete(self, request: Request, design: str) -> HttpResponse:
        """Delete the design."""
        library_design_delete(user=user_of(request), public_id=design)
        return HttpResponse(status=204)


class LibraryImportResource(Resource):
    """Designs from a text."""

    @documented(
        "designs_import",
        "Import the designs of a text into the library: all or none, or with `partial` those that "
        "can be parsed",
        {201: LibraryImport},
        body_type=DesignText,
        writes=True,
        tag=TAG,
    )
    @heavy
    @idempotent
    def post(self, request: Request) -> HttpResponse:
        """Save the designs of a text and return them.

        If one cannot be parsed, none is saved; with `partial` it is left out, and the call fails
        only if all are.
        """
        body = body_of(request, DesignText)
        rows, left_out = library_import(
            user=user_of(request), text=body.text, source=body.source, partial=body.partial
        )
        return json_response(
            LibraryImport([_line(row) for row in rows], MAX_STORED, left_out_lines(left_out)), 201
        )


class LibraryExportResource(Resource):
    """The design library as a text."""

    @documented(
        "designs_export",
        "Export the library as one text",
        {200: ClassText},
        query=(FORM,),
        problems=(422,),
        tag=TAG,
    )
    def get(self, request: Request) -> HttpResponse:
        """Return the designs as one text that can be imported again.

        422 lists what the format cannot express.
        """
        form = choice_in(request, "form", FORMS) or FORMS[0]
        text = export_designs([row.design for row in library_of(user_of(request))], form)
        return json_response(ClassText(form, text))  # type: ignore[arg-type]


class DesignCheckResource(Resource):
    """The check of a design."""

    @documented(
        "design_check",
        "Check a design: price and faults; nothing is saved",
        {200: DesignReport},
        body_type=DesignBody,
        writes=True,
        tag=TAG,
    )
    @heavy
    def post(self, request: Request) -> HttpResponse:
        """Return figures, the cost of each row of systems, faults and warnings.

        Faults are no error here.
        """
        document = body_of(request, DesignBody).design
        try:
            design = parse_design(document)
        except RuleViolations as error:
            return json_response(
                DesignReport(
                    figures=None,
                    systems=[],
                    mass_left=0,
                    options=[],
                    violations=_faults(error.violations),
                    warnings=[],
                )
            )
        sheet = build_design_sheet(DesignEditor(design_json(design)), rules_of(design.edition), ())
        systems = []
        for row in sheet.rows:
            systems.append(
                SystemLine(
                    row=row.number,
                    name=row.title,
                    words=row.words,
                    mass=row.mass,
                    points=row.points,
                )
            )
        figures = None if sheet.figures is None else _figures(design.mass, sheet.figures)
        faults = _faults(read_design(document).illegal)
        return json_response(
            DesignReport(
                figures=figures,
                systems=systems,
                mass_left=sheet.mass_left,
                options=list(sheet.options),
                violations=faults,
                warnings=list(sheet.warnings),
            )
        )


def _line(row: LibraryDesign) -> LibraryLine:
    return LibraryLine(
        id=str(row.public_id),
        name=row.name,
        edition=row.edition,
        notes=row.notes,
        design=row.design,
    )


def _faults(violations: Any) -> Any:
    return faults_json(list(violations))


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
