"""API resources for the public gallery: how late a war is shown, and which players consent."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.access import Viewer
from campaign.api.requests import body_of
from campaign.api.resource import Resource, idempotent, json_response
from campaign.api.schema import documented
from campaign.selectors.gallery_consent import consent_of, gallery_rule
from campaign.services.gallery import consent_set, gallery_rule_set

TAG = "gallery"


@dataclass(frozen=True, slots=True)
class ConsentBody:
    """Whether a player lets their war be shown to the public, and their name with it."""

    may_be_shown: bool
    may_be_named: bool = False


@dataclass(frozen=True, slots=True)
class WeeksLate:
    """How many weeks late a war is shown; 0 for only after its end, null for never."""

    weeks: int | None


@dataclass(frozen=True, slots=True)
class GallerySheet:
    """A war's state in the public gallery.

    Attributes:
        weeks: As in `WeeksLate`.
        mine: The caller's consent; null if they do not play.
    """

    weeks: int | None
    mine: ConsentBody | None


class GalleryResource(Resource):
    """A war's state in the gallery."""

    @documented(
        "gallery_mine",
        "How late the war is shown to the public",
        {200: GallerySheet},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the host's rule and a player's own consent."""
        return json_response(_sheet(self.viewer(campaign)))

    @documented(
        "gallery_consent",
        "Player: give or withdraw consent to showing the war",
        {200: GallerySheet},
        body_type=ConsentBody,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def put(self, request: Request, campaign: str) -> HttpResponse:
        """Set the caller's consent, at once. 403 if the host does not show the war at all."""
        viewer = self.viewer(campaign, play=True)
        body = body_of(request, ConsentBody)
        consent_set(viewer=viewer, show_war=body.may_be_shown, show_name=body.may_be_named)
        return json_response(_sheet(viewer))


class GalleryWeeksResource(Resource):
    """The host's rule."""

    @documented(
        "gallery_weeks",
        "Host: how many weeks late the war is shown",
        {200: GallerySheet},
        body_type=WeeksLate,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Set how many weeks late the war is shown.

        At least 2, 0 for only after its end, null for never. Once the war has begun, only null is
        allowed: 409 for all else.
        """
        gallery_rule_set(
            viewer=self.viewer(campaign, host=True), weeks=body_of(request, WeeksLate).weeks
        )
        return json_response(_sheet(self.viewer(campaign, host=True)))


def _sheet(viewer: Viewer) -> GallerySheet:
    mine = consent_of(viewer) if viewer.plays else None
    return GallerySheet(
        gallery_rule(viewer.campaign),
        None if mine is None else ConsentBody(mine.may_be_shown, mine.may_be_named),
    )
