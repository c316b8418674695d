"""The whole story, week by week, for every member once the war is over: reports, the true map, every sealed order."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse

from campaign.access import Viewer
from campaign.errors import NotThere
from campaign.models.campaign import Branch, Campaign
from campaign.rules.skirmish import is_skirmish
from campaign.selectors.truth import battles_of, may_be_told, resolved_of, snapshot_at, world_of
from campaign.stored import scenario_of
from umpire.journal import result_of
from umpire.pages.battles import battle_page
from umpire.pages.desk import battle_row, branch_of, show, stage_title
from umpire.pages.door import page
from umpire.pages.truemap import around, before, chosen_number, moments
from umpire.pages.weeks import Week, envelopes_of, weeks_of
from umpire.pages.worldmap import picture

KEPT = 16
_told: dict[str, tuple[Week, ...]] = {}


def told_campaign(campaign: Campaign) -> Campaign:
    """The campaign, where its story may be told. Raises NotThere until it, and all that share its history, are over."""
    if not may_be_told(campaign=campaign):
        raise NotThere("there is no story yet")
    return campaign


def _told_weeks(campaign: Campaign, branch: Branch, sha256: str) -> tuple[Week, ...]:
    """The reports of all weeks. What is over never changes, so they are kept under the hash of the end."""
    key = f"{campaign.public_id}/{sha256}"
    known = _told.get(key)
    if known is None:
        if len(_told) >= KEPT:
            _told.clear()
        known = _told[key] = weeks_of(scenario_of(campaign), resolved_of(branch=branch))
    return known


@page()
def story_battle(request: HttpRequest, viewer: Viewer, public_id: uuid.UUID) -> HttpResponse:
    """A battle of the story, turn by turn, with all sides open."""
    told_campaign(viewer.campaign)
    return battle_page(request, viewer, public_id, "story-battle", "", here="public")


@page()
def story(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The story: for it to exist, this war and every one that shares its history must be over."""
    campaign = told_campaign(viewer.campaign)
    branch, scenario = branch_of(campaign), scenario_of(campaign)
    snapshot = snapshot_at(branch=branch, seq=chosen_number(request, "seq"))
    end = snapshot_at(branch=branch)
    led_here = resolved_of(branch=branch).filter(to_snapshot=snapshot).first()
    choice = moments(viewer)
    return show(
        request,
        viewer,
        "story",
        "",
        here="public",
        result=result_of(scenario, world_of(end)),
        weeks=_told_weeks(campaign, branch, end.sha256),
        battles=[battle_row(scenario, row) for row in battles_of(branch=branch)],
        single=is_skirmish(scenario),
        picture=picture(scenario, campaign.scenario.sha256, world_of(snapshot)),
        **around(choice, snapshot.seq),
        moment=before(snapshot.week, snapshot.stage),
        led_here=stage_title(led_here.week, led_here.kind) if led_here else "",
        envelopes=envelopes_of(scenario, led_here) if led_here else (),
    )
