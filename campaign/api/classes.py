"""The caller's own ship classes, and the tech base of his faction. Drawings are his faction's alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from campaign.access import Viewer
from campaign.api.bodies import body_of, choice_in
from campaign.api.now import own
from campaign.api.resource import Resource, answer, heavy, idempotent
from campaign.api.schema import Query, documented
from campaign.api.shapes_classes import (
    ClassLine,
    ClassList,
    ClassText,
    DesignCheck,
    DesignGiven,
    DesignText,
    TechBaseSheet,
    TechLine,
)
from campaign.drawings import FORMS, drawing_of, drawings_of, drawn_classes, exported
from campaign.models.ship_class import ShipClass
from campaign.rules.classcards import card_of, cards_of
from campaign.rules.designs import judged, tech_base_of
from campaign.services.classes import class_delete, class_save, classes_import
from campaign.sight import sight_if_begun
from campaign.stored import scenario_of
from engine.core.errors import faults_json
from engine.design.technologies import Technology

TAG = "classes"
FORM = Query("form", "The format; json by default.", choices=FORMS)


class ClassListResource(Resource):
    """The classes of the caller's faction."""

    @documented(
        "classes", "The faction's ship classes, its own designs among them", {200: ClassList}, problems=(404,), tag=TAG
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        viewer = self.viewer(campaign, play=True)
        return answer(ClassList(_lines(viewer, drawings_of(viewer.campaign, own(viewer)), others=True)))

    @documented(
        "class_save",
        "Save a design; it replaces a design of the same name",
        {201: ClassLine},
        takes=DesignGiven,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @heavy
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        viewer = self.viewer(campaign, play=True)
        given = body_of(request, DesignGiven)
        row = class_save(campaign=viewer.campaign, faction=own(viewer), document=given.design)
        where = reverse("api-class", args=[campaign, str(row.public_id)])
        return answer(_lines(viewer, [row])[0], 201, location=where)


class ClassCheckResource(Resource):
    """What is wrong with a design."""

    @documented(
        "class_check",
        "Check a design: figures, faults and missing technologies; nothing is saved",
        {200: DesignCheck},
        takes=DesignGiven,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @heavy
    def post(self, request: Request, campaign: str) -> HttpResponse:
        viewer = self.viewer(campaign, play=True)
        given, scenario, faction = body_of(request, DesignGiven), scenario_of(viewer.campaign), own(viewer)
        found = judged(scenario, faction.key, given.design)
        card = None if found.cls is None else card_of(scenario, faction.key, found.cls, own=True)
        told: Any = (faults_json(found.faults), faults_json(found.warnings))
        return answer(DesignCheck(card, *told))


class ClassImportResource(Resource):
    """Designs from a text."""

    @documented(
        "classes_import",
        "Import the designs of a text, all or none",
        {201: ClassList},
        takes=DesignText,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @heavy
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        viewer = self.viewer(campaign, play=True)
        given = body_of(request, DesignText)
        rows = classes_import(campaign=viewer.campaign, faction=own(viewer), text=given.text, source=given.source)
        return answer(ClassList(_lines(viewer, rows)), 201)


class ClassExportResource(Resource):
    """Own designs as a text."""

    @documented(
        "classes_export",
        "Export the faction's own designs as one text",
        {200: ClassText},
        query=(FORM,),
        problems=(404, 422),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        viewer = self.viewer(campaign, play=True)
        form = choice_in(request, "form", FORMS) or FORMS[0]
        rows = drawings_of(viewer.campaign, own(viewer))
        text = exported(scenario_of(viewer.campaign), [row.design for row in rows], form)
        return answer(ClassText(form, text))  # type: ignore[arg-type]


class ClassResource(Resource):
    """One drawing."""

    @documented("class", "One of the faction's own designs", {200: ClassLine}, problems=(404,), tag=TAG)
    def get(self, request: Request, campaign: str, drawing: str) -> HttpResponse:
        viewer = self.viewer(campaign, play=True)
        return answer(_lines(viewer, [drawing_of(viewer.campaign, own(viewer), drawing)])[0])

    @documented(
        "class_delete",
        "Delete a design, unless there are ships of it",
        {204: None},
        problems=(404, 403, 409),
        tag=TAG,
    )
    def delete(self, request: Request, campaign: str, drawing: str) -> HttpResponse:
        viewer = self.viewer(campaign, play=True)
        class_delete(campaign=viewer.campaign, faction=own(viewer), public_id=drawing)
        return HttpResponse(status=204)


class TechBaseResource(Resource):
    """What the caller's yards can build."""

    @documented("tech_base", "The faction's tech base", {200: TechBaseSheet}, problems=(404,), tag=TAG)
    def get(self, request: Request, campaign: str) -> HttpResponse:
        viewer = self.viewer(campaign, play=True)
        scenario = scenario_of(viewer.campaign)
        base = tech_base_of(scenario, own(viewer).key)
        if base is None:
            return answer(TechBaseSheet(False, "", 0, scenario.tech_choices, [], [], []))
        rows = (_rows(found) for found in (base.chosen(), base.along(), base.lacking()))
        return answer(TechBaseSheet(True, base.name, base.choices, scenario.tech_choices, *rows))


def _rows(found: Iterable[Technology]) -> list[TechLine]:
    return [TechLine(row.id, row.name, row.section, row.choices) for row in found]


def _lines(viewer: Viewer, rows: Iterable[ShipClass], *, others: bool = False) -> list[ClassLine]:
    """Drawings with their cards; with `others` the classes of the war too."""
    scenario, faction = scenario_of(viewer.campaign), own(viewer)
    drawn = {name: (row, cls) for row in rows for name, cls in drawn_classes(scenario, faction.key, [row]).items()}
    view = sight_if_begun(viewer.campaign, faction)
    cards = cards_of(scenario, faction.key, view, [cls for _, cls in drawn.values()])
    return [
        ClassLine(str(drawn[card.cls][0].public_id) if card.own else None, card) for card in cards if card.own or others
    ]
