"""The archive of a finished war as a file, or in a page that checks it offline."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from campaign.access import Viewer, require
from campaign.services.heavy import heavy_act
from proof.html_page import html_page
from umpire.pages.frame import page
from umpire.pages.stage_reports import story_campaign
from umpire.services.archives import ARCHIVE_TYPE, archive_name, archive_zipped
from umpire.services.faction_archives import faction_archive_name, own_archive


@page()
def own_archive_file(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Return what the reader's side can prove now; with `?page` inside an offline page."""
    require(viewer, play=True)
    assert viewer.faction is not None
    with heavy_act(viewer.user):
        content = own_archive(viewer=viewer)
    name = faction_archive_name(viewer.campaign, viewer.faction)
    response = HttpResponse(content, content_type=ARCHIVE_TYPE)
    if "page" in request.GET:
        name = name.partition(".")[0] + ".war.html"
        response = HttpResponse(html_page(content), content_type="text/html; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@page()
def archive(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Return the archive, once this war and every war that shares its history are over.

    With `?page` it is inside an HTML page that checks it, to be opened from the disk.
    """
    campaign = story_campaign(viewer.campaign)
    with heavy_act(viewer.user):
        content = archive_zipped(campaign)
    name = archive_name(campaign)
    response = HttpResponse(content, content_type=ARCHIVE_TYPE)
    if "page" in request.GET:
        name = name.partition(".")[0] + ".war.html"
        response = HttpResponse(html_page(content), content_type="text/html; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
