"""Scenarios: public to everybody who is logged in."""

from __future__ import annotations

from django.db.models import F, Max, Window
from django.http import HttpResponse
from rest_framework.request import Request

from campaign.api.resource import Resource, answer, answer_if_changed
from campaign.api.schema import documented
from campaign.api.shapes import Power, ScenarioLine, ScenarioList, ScenarioSheet
from campaign.errors import NotThere
from campaign.models.scenario import Scenario as Row
from campaign.rules.scenario import Scenario
from campaign.stored import scenario_kept


class ScenarioListResource(Resource):
    """The scenarios there are."""

    @documented("scenarios", "The newest version of every scenario", {200: ScenarioList}, tag="scenarios")
    def get(self, request: Request) -> HttpResponse:
        newest = Window(Max("version"), partition_by=F("slug"))
        rows = Row.objects.annotate(newest=newest).filter(version=F("newest")).order_by("slug").defer("body")
        return answer(ScenarioList([_line(row, scenario_kept(row)) for row in rows]))


class ScenarioResource(Resource):
    """One scenario, whole."""

    @documented("scenario", "A scenario in full", {200: ScenarioSheet}, etag="read", problems=(404,), tag="scenarios")
    def get(self, request: Request, slug: str) -> HttpResponse:
        row = scenario_named(slug)
        return answer_if_changed(request, ScenarioSheet(row.sha256, scenario_kept(row)), row.sha256)


def scenario_named(slug: str) -> Row:
    """The newest version of a scenario. Raises NotThere."""
    row = Row.objects.filter(slug=slug).order_by("-version").defer("body").first()
    if row is None:
        raise NotThere("there is no such scenario")
    return row


def _line(row: Row, value: Scenario) -> ScenarioLine:
    powers = [Power(faction.id, faction.name, faction.alliance) for faction in value.factions]
    return ScenarioLine(row.slug, row.version, row.name, value.edition, value.weeks, powers, value.intro)
