"""API resource for the public gallery: which wars are shown now."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from campaign.api.resource import Resource, json_response
from campaign.api.schema import documented
from campaign.selectors.gallery import gallery_wars
from umpire.api.shapes import GalleryList, GalleryWar


class GalleryListResource(Resource):
    """The wars that are public."""

    @documented("gallery", "The wars in the public gallery", {200: GalleryList}, tag="gallery")
    def get(self, request: Request) -> HttpResponse:
        """Return each with the last week that is shown, and its page.

        A war disappears as soon as one of its players withdraws consent.
        """
        wars = []
        for war in gallery_wars():
            wars.append(
                GalleryWar(
                    id=str(war.campaign.public_id),
                    name=war.campaign.name,
                    scenario=war.campaign.scenario.slug,
                    until=war.until,
                    over=war.is_over,
                    page=reverse("gallery-war", args=[war.campaign.public_id]),
                )
            )
        return json_response(GalleryList(wars))
