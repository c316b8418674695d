"""API resources for a faction's own ship classes and its tech base, for that faction only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from campaign.access import Viewer
from campaign.api.envelopes import fault_list
from campaign.api.requests import body_of, choice_in
from campaign.api.resource import Resource, heavy, idempotent, json_response, played_faction
from campaign.api.schema import Query, documented
from campaign.models.ship_class import ShipClass
from campaign.rules.class_cards import ClassCard, build_card, list_cards
from campaign.rules.designs import review_design, tech_base_of
from campaign.services.design_drafts import (
    class_delete,
    class_save,
    classes_import,
    design_draft_of,
    design_drafts_of,
    draft_classes,
)
from campaign.services.design_texts import FORMS, export_designs
from campaign.sight.views import current_view
from campaign.store.documents import scenario_of
from campaign.web.problems import Fault
from engine.design.technologies import Technology
from engine.notation.reading import RejectedPart

Form = Literal["json", "yaml", "ftlibship", "ftjava"]

TAG = "classes"
FORM = Query("form", "The format; json by default.", choices=FORMS)


@dataclass(frozen=True, slots=True)
class ClassLine:
    """A class that the caller's faction can use.

    Attributes:
        id: The id of the faction's own design; null for a class of the war's catalogue.
    """

    id: str | None
    card: ClassCard


@dataclass(frozen=True, slots=True)
class ClassList:
    """Ship classes, as shown on the faction's cards."""

    classes: list[ClassLine]


@dataclass(frozen=True, slots=True)
class DesignLeftOut:
    """A design of a text that was not imported.

    Attributes:
        where: Its place in the text; the places of its faults are within it.
    """

    where: str
    name: str
    violations: list[Fault]


@dataclass(frozen=True, slots=True)
class ClassesImport:
    """The classes that were saved, and the designs that were not."""

    classes: list[ClassLine]
    left_out: list[DesignLeftOut]


@dataclass(frozen=True, slots=True)
class DesignBody:
    """A design in this project's JSON (docs/reference/designs.md)."""

    design: dict[str, Any]


@dataclass(frozen=True, slots=True)
class DesignText:
    """Designs as a text: one, or a list.

    Attributes:
        source: Our JSON or YAML (`design`), ships of ftLibShip, or FTJava's XML (a ship, or a game
            with the ships of its players).
        partial: Import the designs without faults and leave out the others.
    """

    text: str
    source: Literal["design", "ftlibship", "ftjava"] = "design"
    partial: bool = False


@dataclass(frozen=True, slots=True)
class DesignCheck:
    """A design reviewed for the caller's faction.

    Attributes:
        card: Its figures; null if it cannot be built.
        violations: All faults with their places.
        warnings: Problems that do not make it illegal.
    """

    card: ClassCard | None
    violations: list[Fault]
    warnings: list[Fault]


@dataclass(frozen=True, slots=True)
class ClassText:
    """The faction's own designs as one text."""

    form: Form
    text: str


@dataclass(frozen=True, slots=True)
class TechLine:
    """A technology of the master list.

    Attributes:
        choices: What choosing it costs.
    """

    id: str
    name: str
    section: str
    choices: int


@dataclass(frozen=True, slots=True)
class TechBaseSheet:
    """What the faction's yards can build; everything, if it has no tech base.

    Attributes:
        has: The faction has a tech base.
        most: The campaign's limit of choices.
        chosen: Technologies that it chose.
        along: Technologies that come free with these.
        lacking: Technologies that it does not have.
    """

    has: bool
    name: str
    choices: int
    most: int
    chosen: list[TechLine]
    along: list[TechLine]
    lacking: list[TechLine]


class ClassListResource(Resource):
    """The classes of the caller's faction."""

    @documented(
        "classes",
        "The faction's ship classes, including its own designs",
        {200: ClassList},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the classes of the war and the faction's own designs, each with its card."""
        viewer = self.viewer(campaign, play=True)
        return json_response(
            ClassList(
                _lines(
                    viewer,
                    design_drafts_of(viewer.campaign, played_faction(viewer)),
                    include_war_classes=True,
                )
            )
        )

    @documented(
        "class_save",
        "Save a design; it replaces a design of the same name",
        {201: ClassLine},
        body_type=DesignBody,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @heavy
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Save a design and return it with its card.

        422 lists all faults, including technologies that the faction lacks.
        """
        viewer = self.viewer(campaign, play=True)
        body = body_of(request, DesignBody)
        row = class_save(
            campaign=viewer.campaign, faction=played_faction(viewer), document=body.design
        )
        where = reverse("api-class", args=[campaign, str(row.public_id)])
        return json_response(_lines(viewer, [row])[0], 201, location=where)


class ClassCheckResource(Resource):
    """The faults of a design."""

    @documented(
        "class_check",
        "Check a design: figures, faults and missing technologies; nothing is saved",
        {200: DesignCheck},
        body_type=DesignBody,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @heavy
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Return the figures, faults and warnings of a design; a design with faults is no error."""
        viewer = self.viewer(campaign, play=True)
        body = body_of(request, DesignBody)
        scenario = scenario_of(viewer.campaign)
        faction = played_faction(viewer)
        review = review_design(scenario, faction.key, body.design)
        card = None
        if review.cls is not None:
            card = build_card(scenario, faction.key, review.cls, is_own=True)
        return json_response(
            DesignCheck(card, fault_list(review.faults), fault_list(review.warnings))
        )


class ClassImportResource(Resource):
    """Designs from a text."""

    @documented(
        "classes_import",
        "Import the designs of a text: all or none, or with `partial` those that can be built",
        {201: ClassesImport},
        body_type=DesignText,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @heavy
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Save the designs of a text and return them with their cards.

        If one has faults, none is saved; with `partial` it is left out, and the call fails only if
        all are.
        """
        viewer = self.viewer(campaign, play=True)
        body = body_of(request, DesignText)
        rows, left_out = classes_import(
            campaign=viewer.campaign,
            faction=played_faction(viewer),
            text=body.text,
            source=body.source,
            partial=body.partial,
        )
        return json_response(ClassesImport(_lines(viewer, rows), left_out_lines(left_out)), 201)


class ClassExportResource(Resource):
    """The faction's own designs as a text."""

    @documented(
        "classes_export",
        "Export the faction's own designs as one text",
        {200: ClassText},
        query=(FORM,),
        problems=(404, 422),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the designs as one text that can be imported again, in the format `form`."""
        viewer = self.viewer(campaign, play=True)
        form = choice_in(request, "form", FORMS) or FORMS[0]
        rows = design_drafts_of(viewer.campaign, played_faction(viewer))
        text = export_designs(
            [row.design for row in rows], form, scenario_of(viewer.campaign).options
        )
        return json_response(ClassText(form, text))  # type: ignore[arg-type]


class ClassResource(Resource):
    """One of the faction's own designs."""

    @documented(
        "class", "One of the faction's own designs", {200: ClassLine}, problems=(404,), tag=TAG
    )
    def get(self, request: Request, campaign: str, drawing: str) -> HttpResponse:
        """Return the design with its card. Designs of other factions are 404."""
        viewer = self.viewer(campaign, play=True)
        return json_response(
            _lines(viewer, [design_draft_of(viewer.campaign, played_faction(viewer), drawing)])[0]
        )

    @documented(
        "class_delete",
        "Delete a design, unless the faction has ships of it",
        {204: None},
        problems=(404, 403, 409),
        tag=TAG,
    )
    def delete(self, request: Request, campaign: str, drawing: str) -> HttpResponse:
        """Delete the design. 409 if the faction has ships of it."""
        viewer = self.viewer(campaign, play=True)
        class_delete(campaign=viewer.campaign, faction=played_faction(viewer), public_id=drawing)
        return HttpResponse(status=204)


class TechBaseResource(Resource):
    """What the faction's yards can build."""

    @documented(
        "tech_base", "The faction's tech base", {200: TechBaseSheet}, problems=(404,), tag=TAG
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the technologies that the faction chose, has for free and lacks.

        Without a tech base it can build everything.
        """
        viewer = self.viewer(campaign, play=True)
        scenario = scenario_of(viewer.campaign)
        base = tech_base_of(scenario, played_faction(viewer).key)
        return json_response(
            TechBaseSheet(
                has=base is not None,
                name=base.name if base else "",
                choices=base.choices if base else 0,
                most=scenario.tech_choices,
                chosen=_tech_lines(base.chosen() if base else ()),
                along=_tech_lines(base.implied() if base else ()),
                lacking=_tech_lines(base.lacking(scenario.options) if base else ()),
            )
        )


def left_out_lines(left_out: Iterable[RejectedPart]) -> list[DesignLeftOut]:
    """Return the rejected designs of an import in the form of the API."""
    return [DesignLeftOut(**part.to_json()) for part in left_out]


def _tech_lines(technologies: Iterable[Technology]) -> list[TechLine]:
    lines: list[TechLine] = []
    for technology in technologies:
        lines.append(
            TechLine(technology.id, technology.name, technology.section, technology.choices)
        )
    return lines


def _lines(
    viewer: Viewer, rows: Iterable[ShipClass], *, include_war_classes: bool = False
) -> list[ClassLine]:
    """Return designs with their cards, on request also the classes of the war."""
    scenario = scenario_of(viewer.campaign)
    faction = played_faction(viewer)
    row_by_class = {}
    classes = []
    for row in rows:
        for name, cls in draft_classes(scenario, faction.key, [row]).items():
            row_by_class[name] = row
            classes.append(cls)
    view = current_view(viewer.campaign, faction)
    lines: list[ClassLine] = []
    for card in list_cards(scenario, faction.key, view, classes):
        if card.is_own:
            lines.append(ClassLine(str(row_by_class[card.cls].public_id), card))
        elif include_war_classes:
            lines.append(ClassLine(None, card))
    return lines
