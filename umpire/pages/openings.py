"""The page on which an umpire reads what the umpires of a war have opened."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from campaign.access import Viewer
from campaign.services.umpire_access import accesses_of, openings_in
from umpire.pages.frame import page, show

LATEST = 300  # entries on the page


@page(umpire=True)
def openings(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """List what umpires opened, newest first."""
    rows = openings_in(accesses_of(viewer.campaign)[:LATEST])
    return show(request, viewer, "openings", "ledger", openings=rows, latest=LATEST)
