"""The API resource of a finished war's archive."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.api.resource import Resource, heavy
from campaign.api.schema import documented
from umpire.services.archives import ARCHIVE_TYPE, archive_name, archive_zipped


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
