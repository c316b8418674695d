"""The API resource of a finished war's archive."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.api.resource import Resource, heavy
from campaign.api.schema import documented
from umpire.services.archives import ARCHIVE_TYPE, archive_name, archive_zipped
from umpire.services.faction_archives import (
    faction_archive_name,
    own_archive,
)


class OwnArchiveResource(Resource):
    """What the caller's side can prove now."""

    @documented(
        "own_archive",
        "What the caller's side can prove now: its orders, views and reports with their proofs",
        {200: bytes},
        problems=(404, 503),
    )
    @heavy
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return a file that `python -m proof verify` checks as far as it goes (status 3)."""
        viewer = self.viewer(campaign, play=True)
        assert viewer.faction is not None
        name = faction_archive_name(viewer.campaign, viewer.faction)
        response = HttpResponse(own_archive(viewer=viewer), content_type=ARCHIVE_TYPE)
        response["Content-Disposition"] = f'attachment; filename="{name}"'
        return response


class ArchiveResource(Resource):
    """The archive of a war, once it and every war that shares its history are over."""

    @documented("archive", "The archive of a finished war", {200: bytes}, problems=(404, 503))
    @heavy
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return a gzipped file that `python -m proof verify` checks; 404 before the end."""
        war = self.viewer(campaign).campaign
        response = HttpResponse(archive_zipped(war), content_type=ARCHIVE_TYPE)
        response["Content-Disposition"] = f'attachment; filename="{archive_name(war)}"'
        return response
