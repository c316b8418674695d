"""What the umpires of a finished war did: readable by all of its people, like the story."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from campaign.access import Viewer
from campaign.kinds import StageKind
from campaign.selectors.clock import acts_of
from campaign.services.umpire_access import accesses_of
from campaign.store.documents import scenario_of
from umpire.pages.act_rows import act_rows
from umpire.pages.frame import branch_of, is_single, page, show
from umpire.pages.openings import opening_rows
from umpire.pages.rulings import ruling_rows
from umpire.pages.stage_reports import story_campaign
from umpire.pages.umpire_events import event_row
from umpire.services.umpire_events import events_on


@page()
def umpire_record(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show what umpires wrote and did, once the story is public."""
    campaign = story_campaign(viewer.campaign)
    scenario = scenario_of(campaign)
    end = (scenario.weeks, str(StageKind.OVER))
    return show(
        request,
        viewer,
        "umpire_record",
        "",
        here="public",
        rows=[event_row(scenario, event) for event in events_on(branch_of(campaign), end)],
        rulings=ruling_rows(campaign),
        openings=opening_rows(campaign, accesses_of(campaign)),
        acts=act_rows(acts_of(campaign=campaign, umpire=True), single=is_single(campaign)),
    )
