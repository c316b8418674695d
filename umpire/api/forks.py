"""The API resource for forking a war."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from campaign.access import viewer_of
from campaign.api.campaigns import campaign_sheet
from campaign.api.requests import body_of, user_of
from campaign.api.resource import Resource, idempotent, json_response
from campaign.api.schema import documented
from campaign.api.shapes import CampaignSheet
from umpire.services.forks import ForkSettings, fork_refusal, fork_weeks, history_fork

TAG = "timelines"


@dataclass(frozen=True, slots=True)
class Forking:
    """A fork of a war.

    Attributes:
        week: It begins with the orders of this week.
        name: Empty: that of the war, with the week.
        play: Key of the faction that the caller leads; empty for none.
        admirals: Character of the computer admiral by faction key, for factions without players.
    """

    week: int
    name: str = ""
    play: str = ""
    admirals: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ForksSheet:
    """What the caller can fork.

    Attributes:
        weeks: Newest first.
        refusal: Why the caller may not fork the war now; null if they may.
    """

    weeks: list[int]
    refusal: str | None


class ForkListResource(Resource):
    """Forks of a war."""

    @documented(
        "forks",
        "The weeks with which a fork can begin, and whether the caller may make one",
        {200: ForksSheet},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the weeks, and perhaps why the caller may not fork the war now."""
        viewer = self.viewer(campaign)
        weeks = [stage.week for stage in fork_weeks(viewer.campaign)]
        return json_response(ForksSheet(weeks, fork_refusal(viewer) or None))

    @documented(
        "fork",
        "Fork the war: create a war that begins with a week of this one",
        {201: CampaignSheet},
        body_type=Forking,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Return the new war, with the caller as its host, before its start."""
        body = body_of(request, Forking)
        settings = ForkSettings(body.name.strip(), body.play, body.admirals)
        fork = history_fork(viewer=self.viewer(campaign), week=body.week, settings=settings)
        public_id = str(fork.public_id)
        sheet = campaign_sheet(viewer_of(user_of(request), public_id))
        return json_response(sheet, 201, location=reverse("api-campaign", args=[public_id]))
