"""The host's page (the clock and who has sealed, nothing hidden) and the page of what is public in a campaign."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from campaign.access import Viewer
from campaign.pages.hexmap import ground, names_layer
from campaign.selectors.clock import acts_of, members_of, seats_at, stage_waiting, war_has_begun
from campaign.selectors.lists import ledger_of
from campaign.selectors.truth import may_be_told
from campaign.stored import scenario_of
from umpire.pages.acting import act_rows
from umpire.pages.desk import next_step, show, stage_title
from umpire.pages.door import page
from umpire.pages.rules import rules_shown

LATEST_ACTS = 8


@page(host=True)
def host(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The host's page."""
    campaign = viewer.campaign
    stage, begun = stage_waiting(campaign=campaign), war_has_begun(campaign=campaign)
    seats = seats_at(campaign=campaign, stage=stage, player=viewer.faction)
    return show(
        request,
        viewer,
        "host",
        "host",
        here="host",
        begun=begun,
        stage=stage,
        title=stage_title(stage.week, stage.kind) if stage else "",
        seats=seats,
        next=next_step(campaign=campaign, stage=stage, seats=seats, begun=begun, now=timezone.now()),
        acts=act_rows(acts_of(campaign=campaign)[:LATEST_ACTS]),
        members=members_of(campaign=campaign),
        rules=rules_shown(campaign, stage),
        act="host-act",
    )


@page()
def public(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """What is public, for every member: the map as it was published, who plays, the clock, the ledger."""
    campaign, scenario = viewer.campaign, scenario_of(viewer.campaign)
    stage = stage_waiting(campaign=campaign)
    begun = war_has_begun(campaign=campaign)
    return show(
        request,
        viewer,
        "public",
        "public",
        here="public",
        scenario=scenario,
        ground=ground(scenario, campaign.scenario.sha256),
        names=names_layer(scenario),
        stage=stage,
        title=stage_title(stage.week, stage.kind) if stage else "",
        over=begun and stage is None,
        may_be_told=may_be_told(campaign=campaign),
        story_url=reverse("story", args=(campaign.public_id,)),
        seats=seats_at(campaign=campaign, stage=None),
        members=members_of(campaign=campaign),
        ledger=ledger_of(campaign=campaign).order_by("-seq"),
        rules=rules_shown(campaign, stage),
        faction_order=[faction.name for faction in sorted(scenario.factions, key=lambda item: item.id)],
    )
