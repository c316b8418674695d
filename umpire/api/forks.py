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
from campaign.kinds import StageKind
from umpire.api.timelines import TimelinesSheet, timelines_sheet
from umpire.services.fork_rights import fork_power, fork_refusal
from umpire.services.fork_starts import fork_stages
from umpire.services.forks import ForkSettings, fork_propose, history_fork
from umpire.services.history import Power

TAG = "timelines"


@dataclass(frozen=True, slots=True)
class Forking:
    """A fork of a war.

    Attributes:
        week: It begins with a stage of this week.
        stage: orders, decisions or battles.
        name: Empty: that of the war, with the week.
        play: Key of the faction that the caller leads; empty for none.
        admirals: Character of the computer admiral by faction key, for factions without players.
    """

    week: int
    stage: str = StageKind.ORDERS
    name: str = ""
    play: str = ""
    admirals: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ForkStart:
    """A stage with which a fork can begin.

    Attributes:
        stage: orders, decisions or battles.
    """

    week: int
    stage: str


@dataclass(frozen=True, slots=True)
class ForksSheet:
    """The stages with which the caller can begin a fork, and by whose decision.

    Attributes:
        stages: Newest first.
        weeks: The weeks of the orders stages among them, newest first.
        power: alone; vote: a fork is proposed to the sides of the war; or none.
        refusal: Why the caller may neither fork the war now nor propose it; null if they may.
    """

    stages: list[ForkStart]
    weeks: list[int]
    power: str
    refusal: str | None


class ForkListResource(Resource):
    """Forks of a war."""

    @documented(
        "forks",
        "The stages with which a fork can begin, and whether the caller may make one",
        {200: ForksSheet},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the stages, and perhaps why the caller may not fork the war now."""
        viewer = self.viewer(campaign)
        stages = fork_stages(viewer.campaign)
        sheet = ForksSheet(
            stages=[ForkStart(stage.week, stage.kind) for stage in stages],
            weeks=[stage.week for stage in stages if stage.kind == StageKind.ORDERS],
            power=fork_power(viewer).value,
            refusal=fork_refusal(viewer) or None,
        )
        return json_response(sheet)

    @documented(
        "fork",
        "Fork the war: create a war that begins with a stage of this one, or propose that",
        {201: CampaignSheet, 202: TimelinesSheet},
        body_type=Forking,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Return the new war, with the caller as its host, before its start.

        If every side must agree, return the timelines with the proposal instead.
        """
        viewer = self.viewer(campaign)
        body = body_of(request, Forking)
        settings = ForkSettings(body.name.strip(), body.play, body.admirals)
        if fork_power(viewer) is Power.VOTE:
            fork_propose(viewer=viewer, week=body.week, stage=body.stage, settings=settings)
            return json_response(timelines_sheet(viewer), 202)
        fork = history_fork(viewer=viewer, week=body.week, stage=body.stage, settings=settings)
        public_id = str(fork.public_id)
        sheet = campaign_sheet(viewer_of(user_of(request), public_id))
        return json_response(sheet, 201, location=reverse("api-campaign", args=[public_id]))
