"""The archive of a finished war as a file."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from campaign.access import Viewer
from campaign.services.heavy import heavy_act
from umpire.pages.frame import page
from umpire.pages.stage_reports import story_campaign
from umpire.services.archives import ARCHIVE_TYPE, archive_name, archive_zipped


@page()
def archive(_request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Return the archive, once this war and every war that shares its history are over."""
    campaign = story_campaign(viewer.campaign)
    with heavy_act(viewer.user):
        response = HttpResponse(archive_zipped(campaign), content_type=ARCHIVE_TYPE)
    response["Content-Disposition"] = f'attachment; filename="{archive_name(campaign)}"'
    return response
