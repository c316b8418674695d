"""API resource for the objectives of a war, as the caller's faction may read them."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.api.resource import Resource, json_response_if_changed, visible_faction
from campaign.api.schema import documented
from campaign.rules.queries import with_known_designs
from campaign.services.meetings import encounters_by_week
from campaign.sight.views import current_sight
from campaign.store.documents import true_scenario_of
from campaign.web.faction_objectives import ObjectiveLine, objectives_for


@dataclass(frozen=True, slots=True)
class ObjectiveSheet:
    """An objective.

    Attributes:
        text: In words, in English unless the author wrote another language.
        by: The last week that counts.
        wanted: The number at which all points are scored.
        reached: The number reached, as far as the faction knows; null where it cannot know.
        scored: The points for that, or null.
    """

    faction: str
    id: str
    kind: str
    text: str
    points: int
    by: int
    secret: bool
    wanted: int
    reached: int | None
    scored: int | None


@dataclass(frozen=True, slots=True)
class ObjectiveList:
    """The objectives that the faction may read, its own first."""

    objectives: list[ObjectiveSheet]


class ObjectiveListResource(Resource):
    """The objectives of a war."""

    @documented(
        "objectives",
        "The objectives of all factions that the caller's faction may read",
        {200: ObjectiveList},
        etag="read",
        problems=(404,),
        tag="knowledge",
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the faction's own objectives with its progress, and those of others.

        Secret objectives of others, and how far others have come, are in it only after the war.
        """
        viewer = self.viewer(campaign, see=True)
        faction = visible_faction(viewer)
        sight_now = current_sight(viewer.campaign, faction)
        scenario = with_known_designs(true_scenario_of(viewer.campaign), sight_now.view)
        sheets = []
        encounters = encounters_by_week(viewer.campaign, faction, sight_now.seq)
        for power in objectives_for(scenario, sight_now.view, encounters):
            sheets += [_sheet(line) for line in power.lines]
        return json_response_if_changed(request, ObjectiveList(sheets), sight_now.etag)


def _sheet(line: ObjectiveLine) -> ObjectiveSheet:
    return ObjectiveSheet(
        faction=line.faction,
        id=line.id,
        kind=line.kind,
        text=str(line.text),
        points=line.points,
        by=line.by,
        secret=line.is_secret,
        wanted=line.wanted,
        reached=line.reached,
        scored=line.scored,
    )
