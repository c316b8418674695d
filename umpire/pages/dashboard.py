"""The first pages of a campaign for who runs it: the umpire's dashboard, the host's page, and what is public.

The dashboard says where the war stands, who is awaited, what is fought, what was done, what to do next. The host's page
has the clock and who has sealed, and nothing hidden.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from campaign.access import Viewer
from campaign.pages.hexmap import ground, names_layer
from campaign.selectors.clock import acts_of, members_of, seats_at, stage_waiting, war_has_begun
from campaign.selectors.truth import battles_of, ledger_of, may_be_told, resolved_of, snapshot_at, world_of
from campaign.stored import scenario_of
from umpire.pages.acts import act_rows
from umpire.pages.desk import battle_row, branch_of, next_step, page, rules_shown, show, stage_title
from umpire.pages.weeks import told_of
from umpire.pages.worldmap import encounters, picture

LATEST_ACTS = 8
LATEST_ROWS = 4


@page(umpire=True)
def dashboard(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The dashboard."""
    campaign = viewer.campaign
    branch, scenario = branch_of(campaign), scenario_of(campaign)
    stage, begun = stage_waiting(campaign=campaign), war_has_begun(campaign=campaign)
    seats = seats_at(campaign=campaign, stage=stage, umpire=True)
    world = world_of(snapshot_at(branch=branch)) if begun else None
    last = resolved_of(branch=branch).last() if begun else None
    return show(
        request,
        viewer,
        "dashboard",
        "dashboard",
        stage=stage,
        title=stage_title(stage.week, stage.kind) if stage else "",
        seats=seats,
        next=next_step(campaign=campaign, stage=stage, seats=seats, begun=begun, now=timezone.now()),
        world=world is not None,
        week=world.week if world else 0,
        picture=picture(scenario, campaign.scenario.sha256, world) if world else None,
        encounters=encounters(scenario, world) if world else (),
        battles=[battle_row(scenario, row) for row in battles_of(branch=branch, week=world.week)] if world else [],
        told=told_of(scenario, last) if last else None,
        told_title=stage_title(last.week, last.kind) if last else "",
        ledger=ledger_of(campaign=campaign).order_by("-seq")[:LATEST_ROWS],
        acts=act_rows(acts_of(campaign=campaign, umpire=True)[:LATEST_ACTS]),
        members=members_of(campaign=campaign),
        rules=rules_shown(campaign, stage),
        act="umpire-act",
    )


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
    """The page of what is public, for every member: the map as it was published, who plays, the clock, the ledger."""
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
