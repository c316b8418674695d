"""A player's reports on an abandoned timeline, which no longer count."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.http import require_safe

from campaign.access import Viewer, require
from campaign.pages.week.reports import reports_since
from campaign.selectors.timelines import abandoned_timeline
from campaign.web.common import member_page, show
from campaign.web.tabs import tabs


@member_page
@require_safe
def timeline(request: HttpRequest, viewer: Viewer, number: int) -> HttpResponse:
    """Show the reports of the reader's faction on a timeline after the war left it."""
    campaign = require(viewer, see=True).campaign
    branch, last_shared = abandoned_timeline(campaign, number)
    shared_tabs = tabs(viewer, "reports")
    campaign.head_branch = branch  # only in memory: all reads below follow the old timeline
    return show(
        request,
        "timeline",
        branch=branch,
        stage_reports=reports_since(viewer, last_shared),
        **shared_tabs,
    )


urlpatterns: list[URLPattern | URLResolver] = [
    path("c/<uuid:c>/timelines/<int:number>/", timeline, name="timeline"),
]
