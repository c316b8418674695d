"""API resources for public moments: a player lists, publishes, agrees and takes back."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from campaign.access import Viewer, require
from campaign.api.requests import body_of
from campaign.api.resource import Resource, idempotent, json_response
from campaign.api.schema import documented
from campaign.errors import NotFound
from campaign.models.gallery import PublicMoment
from umpire.services.moments import (
    NO_MOMENT,
    is_public,
    moment_agree,
    moment_of,
    moment_publish,
    moment_take_back,
    moments_of,
)

TAG = "gallery"


@dataclass(frozen=True, slots=True)
class Publishing:
    """A moment to publish.

    Attributes:
        battle: The id of the battle, as in the caller's reports.
        named: Whether the page names the caller.
    """

    battle: str
    turn: int
    title: str
    named: bool = False


@dataclass(frozen=True, slots=True)
class MomentSheet:
    """A moment of a war.

    Attributes:
        by: Who published it.
        public: Whether everybody can open its page now.
        page: The address of its page.
    """

    id: str
    turn: int
    title: str
    by: str
    named: bool
    created_at: datetime
    public: bool
    page: str


@dataclass(frozen=True, slots=True)
class MomentList:
    """The moments of a war, newest first, public or not."""

    moments: list[MomentSheet]


class MomentListResource(Resource):
    """The moments of a war."""

    @documented(
        "moments", "The public moments of a war", {200: MomentList}, problems=(404,), tag=TAG
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the moments that players have published, also those that wait for consent."""
        return json_response(_list_of(require(self.viewer(campaign), play=True)))

    @documented(
        "moment_publish",
        "Player: publish a turn of a battle of a finished war",
        {200: MomentList},
        body_type=Publishing,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Publish the turn, or change the title of the caller's moment of it.

        It is public at once if the caller played alone, else once all players have agreed. 403
        until the war and all its forks are over.
        """
        viewer = require(self.viewer(campaign), play=True)
        body = body_of(request, Publishing)
        moment_publish(
            viewer=viewer,
            battle=_id_of(body.battle),
            turn=body.turn,
            title=body.title,
            is_named=body.named,
        )
        return json_response(_list_of(viewer))


class MomentResource(Resource):
    """One moment of a war."""

    @documented(
        "moment_take_back",
        "Player: take a moment back",
        {200: MomentList},
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    def delete(self, request: Request, campaign: str, moment: str) -> HttpResponse:
        """Delete the moment, whoever published it. Its page and picture are gone at once."""
        viewer = require(self.viewer(campaign), play=True)
        moment_take_back(viewer=viewer, moment=moment_of(viewer.campaign, _id_of(moment)))
        return json_response(_list_of(viewer))


class MomentAgreeResource(Resource):
    """The caller's consent to a moment."""

    @documented(
        "moment_agree",
        "Player: agree to a moment that another player published",
        {200: MomentList},
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str, moment: str) -> HttpResponse:
        """Consent. Taking the moment back withdraws the consent."""
        viewer = require(self.viewer(campaign), play=True)
        moment_agree(viewer=viewer, moment=moment_of(viewer.campaign, _id_of(moment)))
        return json_response(_list_of(viewer))


def _id_of(text: str) -> uuid.UUID:
    """Return an id. Raises NotFound if it is none."""
    try:
        return uuid.UUID(text)
    except ValueError as error:
        raise NotFound(NO_MOMENT) from error


def _list_of(viewer: Viewer) -> MomentList:
    """Return the moments of the viewer's war."""
    return MomentList([_sheet(moment) for moment in moments_of(viewer.campaign)])


def _sheet(moment: PublicMoment) -> MomentSheet:
    """Return a moment as the API shows it."""
    return MomentSheet(
        id=str(moment.public_id),
        turn=moment.turn,
        title=moment.title,
        by=moment.by.get_username(),
        named=moment.is_named,
        created_at=moment.created_at,
        public=is_public(moment),
        page=reverse("gallery-moment", args=[moment.public_id]),
    )
