"""The umpire's reports and envelopes in words, by stage and week; after the war for all members."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse

from campaign.access import Viewer
from campaign.errors import NotFound
from campaign.forms.week.orders_words import orders_words
from campaign.kinds import Source, StageStatus
from campaign.models.campaign import Branch, Campaign
from campaign.models.stage import Stage
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.rules.view import View
from campaign.selectors.clock import seats_at, war_is_over
from campaign.selectors.families import may_be_public
from campaign.selectors.truth import (
    battles_of,
    entries_of,
    resolved_stages_of,
    snapshot_at,
    stage_at,
    stages_of,
    world_of,
)
from campaign.sight.views import sight_at_stage
from campaign.store.documents import scenario_of
from engine.core.cache import Cache
from engine.core.phrase import phrase
from umpire.journal import report_of, result_of
from umpire.pages.battles import battle_page
from umpire.pages.frame import STAGES, battle_row, branch_of, page, show, stage_title, title_of
from umpire.pages.true_map import (
    moment_choices,
    moment_name,
    moment_navigation,
    number_in_address,
    twin_of,
)
from umpire.services.records import step_of

SOURCES = {
    Source.PLAYER.value: phrase("sealed by its player"),
    Source.STANDING.value: phrase("standing orders"),
    Source.DEFAULT.value: phrase("default orders, because nothing was sealed"),
    Source.ADMIRAL.value: phrase("computer admiral"),
    Source.UMPIRE.value: "umpire",
}

CACHE_SIZE = 16
_week_reports: Cache[str, tuple[Week, ...]] = Cache(CACHE_SIZE)


@dataclass(frozen=True, slots=True)
class EnvelopeText:
    """A sealed entry in words."""

    faction: str
    name: str
    revision: int
    source: str
    author: str
    sealed_at: datetime
    is_late: bool  # sealed after the deadline
    withdrawn_at: datetime | None  # None if it counts
    digest: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StageReport:
    """The umpire's report of a resolved stage."""

    ordinal: int
    week: int
    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Week:
    """A week's report by stage. Week 0 is the deployment."""

    number: int
    title: str
    stages: tuple[StageReport, ...]


def weeks_of(scenario: Scenario, stages: Iterable[Stage]) -> tuple[Week, ...]:
    """Return the reports of resolved stages by week, earliest first."""
    result: dict[int, list[StageReport]] = {}
    for stage in stages:
        result.setdefault(stage.week, []).append(stage_report(scenario, stage))
    return tuple(
        Week(number, week_title(number), tuple(week_stages))
        for number, week_stages in sorted(result.items())
    )


def stage_report(scenario: Scenario, stage: Stage) -> StageReport:
    """Return the report of a resolved stage."""
    lines = report_of(scenario, step_of(stage))
    return StageReport(stage.ordinal, stage.week, STAGES[stage.kind], lines)


def week_title(number: int) -> str:
    """Return the title of a week."""
    if number:
        return phrase("Week {}", number)
    return phrase("Deployment")


def envelopes_of(scenario: Scenario, stage: Stage) -> tuple[EnvelopeText, ...]:
    """Return every envelope of a stage in words, withdrawn ones too, by faction, newest first."""
    rows = list(entries_of(stage=stage))
    views = {row.faction_id: sight_at_stage(stage, row.faction).view for row in rows}
    return tuple(_envelope(scenario, views[row.faction_id], row) for row in rows)


def _envelope(scenario: Scenario, view: View, row: Any) -> EnvelopeText:
    """Return a sealed entry in words, with places named as in the faction's view."""
    return EnvelopeText(
        faction=row.faction.key,
        name=row.faction.name,
        revision=row.revision,
        source=SOURCES[row.source],
        author=row.author.get_username() if row.author else "",
        sealed_at=row.sealed_at,
        is_late=bool(row.is_late),
        withdrawn_at=row.withdrawn_at,
        digest=row.digest,
        lines=orders_words(scenario, view, row.payload),
    )


@page(umpire=True)
def stages(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """List every stage of the war with its ledger row."""
    rows = []
    for row in stages_of(branch=branch_of(viewer.campaign)):
        rows.append((row, title_of(viewer.campaign, row)))
    return show(request, viewer, "stages", "stages", rows=rows[::-1])


@page(umpire=True)
def stage(request: HttpRequest, viewer: Viewer, ordinal: int) -> HttpResponse:
    """Show one stage: envelopes, report and ledger row."""
    scenario = scenario_of(viewer.campaign)
    row = stage_at(branch=branch_of(viewer.campaign), ordinal=ordinal)
    return show(
        request,
        viewer,
        "stage",
        "stages",
        stage=row,
        title=title_of(viewer.campaign, row),
        seats=seats_at(campaign=viewer.campaign, stage=row, umpire=True),
        envelopes=envelopes_of(scenario, row),
        report=stage_report(scenario, row) if row.status == StageStatus.RESOLVED else None,
        ledger=getattr(row, "ledger_row", None),
    )


@page(umpire=True)
def reports(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the umpire's report of a week, by default the newest."""
    rows = resolved_stages_of(branch=branch_of(viewer.campaign))
    numbers = sorted(set(rows.values_list("week", flat=True)))
    week = number_in_address(request, "week")
    if week is None:
        week = numbers[-1] if numbers else 0
    weeks = weeks_of(scenario_of(viewer.campaign), rows.filter(week=week))
    choice = [(number, week_title(number)) for number in numbers]
    return show(
        request,
        viewer,
        "reports",
        "reports",
        week=weeks[0] if weeks else None,
        number=week,
        choice=choice,
        earlier_week=max((number for number in numbers if number < week), default=None),
        later_week=min((number for number in numbers if number > week), default=None),
    )


def story_campaign(campaign: Campaign) -> Campaign:
    """Return the campaign, if its story is public.

    Raises:
        NotFound: Until it, and all campaigns that share its history, are over.
    """
    if not may_be_public(campaign=campaign):
        raise NotFound(phrase("there is no story yet"))
    return campaign


def hidden_story(request: HttpRequest, viewer: Viewer) -> HttpResponse | None:
    """Return the page that says why the story of a finished war is still secret, or None."""
    campaign = viewer.campaign
    if may_be_public(campaign=campaign) or not war_is_over(campaign=campaign):
        return None
    response = show(request, viewer, "story_hidden", "", here="public")
    response.status_code = HTTPStatus.NOT_FOUND
    return response


def _story_weeks(campaign: Campaign, branch: Branch, sha256: str) -> tuple[Week, ...]:
    """Return the reports of all weeks.

    A finished war never changes, so they are cached under the hash of its end.
    """
    key = f"{campaign.public_id}/{sha256}"
    return _week_reports.get_or_make(
        key, lambda: weeks_of(scenario_of(campaign), resolved_stages_of(branch=branch))
    )


@page()
def story_battle(request: HttpRequest, viewer: Viewer, public_id: uuid.UUID) -> HttpResponse:
    """Show a battle of the story with all sides revealed."""
    story_campaign(viewer.campaign)
    return battle_page(request, viewer, public_id, "story-battle", "", here="public")


@page()
def story(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the story, once this war and every war that shares its history are over.

    Many pages of a finished war link here, so the answer says why its story is still secret.
    """
    hidden = hidden_story(request, viewer)
    if hidden is not None:
        return hidden
    campaign = story_campaign(viewer.campaign)
    branch = branch_of(campaign)
    scenario = scenario_of(campaign)
    snapshot = snapshot_at(branch=branch, seq=number_in_address(request, "seq"))
    end = snapshot_at(branch=branch)
    led_here = resolved_stages_of(branch=branch).filter(to_snapshot=snapshot).first()
    choice = moment_choices(viewer)
    twin = twin_of(request, viewer, scenario, snapshot, world_of(snapshot), in_gallery=True)
    battles = []
    for row in battles_of(branch=branch):
        battles.append(battle_row(scenario, row, "story-battle", c=campaign.public_id))
    return show(
        request,
        viewer,
        "story",
        "",
        here="public",
        result=result_of(scenario, world_of(end)),
        weeks=_story_weeks(campaign, branch, end.sha256),
        battles=battles,
        single=is_skirmish(scenario),
        twin=twin,
        picture=twin.picture,
        moment_query=f"seq={snapshot.seq}",
        **moment_navigation(choice, snapshot.seq),
        moment=moment_name(snapshot.week, snapshot.stage),
        led_here=stage_title(led_here.week, led_here.kind) if led_here else "",
        envelopes=envelopes_of(scenario, led_here) if led_here else (),
    )
