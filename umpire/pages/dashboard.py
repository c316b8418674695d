"""The first pages of a campaign for its umpire, its host and the public.

The umpire dashboard has the whole war on one screen: stage and clock, who has sealed, problems, the
truth beside a faction's knowledge, encounters, and each faction's report. The host's page has the
clock and who has sealed, and nothing hidden.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from campaign.access import Viewer
from campaign.kinds import ClosingRule, StageKind, StageStatus
from campaign.models.campaign import Campaign
from campaign.models.stage import Stage, Submission
from campaign.rules.agreements import barred_titles
from campaign.rules.queries import with_known_designs
from campaign.rules.scenario import Scenario
from campaign.selectors.clock import (
    Seat,
    acts_of,
    members_of,
    seats_at,
    waiting_stage,
    war_has_begun,
)
from campaign.selectors.due import closing_of
from campaign.selectors.families import may_be_public
from campaign.selectors.heads import head_of
from campaign.selectors.messages import MessageLine, list_messages, message_rules_of, unread_count
from campaign.selectors.stuck import is_held
from campaign.selectors.truth import battles_of, entries_of, snapshot_at, stages_of, world_of
from campaign.selectors.umpired import UmpiredCampaign, umpired_count
from campaign.store.documents import scenario_of, true_scenario_of
from campaign.store.publication import is_public
from campaign.web.faction_objectives import all_objectives
from campaign.web.hexmap import thumb_of
from campaign.web.next_action import STEPS
from campaign.web.seat_marks import seats as seat_numbers
from campaign.web.timetables import late_orders_words
from campaign.words.notices import NoticeLine, lines_of
from engine.ruleset import rules_of
from umpire.pages.act_rows import act_rows
from umpire.pages.frame import (
    battle_row,
    branch_of,
    is_single,
    next_step,
    page,
    rules_summary,
    sealing_page,
    show,
    stage_title,
    title_of,
    would_cut_short,
)
from umpire.pages.meetings import choices_of, meetings_of
from umpire.pages.true_map import Twin, marks_on_map, twin_of
from umpire.services.attention import NO_ATTENTION, attention_of
from umpire.services.health import messages_unsent, site_health
from umpire.services.notes import notes_of
from umpire.troubles import health_lines, span_text, troubles_of, unsent_lines

LATEST_ACTS = 8
LATEST_PUBLIC_ACTS = 100
LATEST_MESSAGES = 3


@dataclass(frozen=True, slots=True)
class SeatCard:
    """A faction on the dashboard."""

    seat: Seat
    number: int  # seat number


@dataclass(frozen=True, slots=True)
class MessageCard:
    """An unread message to the umpire."""

    message: MessageLine
    number: int  # seat number of the sender
    name: str  # of the sender's seat


@dataclass(frozen=True, slots=True)
class FactionReport:
    """The report of the newest stage to a faction."""

    title: str
    ordinal: int
    lines: tuple[NoticeLine, ...]
    public_at: datetime | None  # when the faction gets it
    is_public: bool  # whether the faction has it already


@page(umpire=True)
def dashboard(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the umpire dashboard; `?as=` selects the faction whose knowledge is shown."""
    campaign = viewer.campaign
    now = timezone.now()
    branch = branch_of(campaign)
    scenario = scenario_of(campaign)
    stage = waiting_stage(campaign=campaign)
    has_begun = war_has_begun(campaign=campaign)
    seats = seats_at(campaign=campaign, stage=stage, umpire=True)
    numbers = seat_numbers(scenario)
    war = UmpiredCampaign(campaign, stage, seats)
    context: dict[str, Any] = {}
    if has_begun:
        snapshot = snapshot_at(branch=branch)
        world = world_of(snapshot)
        rows = list(stages_of(branch=branch))
        twin = twin_of(request, viewer, scenario, snapshot, world)
        sealed = choices_of((row.faction.key, row.payload) for row in _sealed_decisions(stage))
        battles = []
        for row in battles_of(branch=branch, week=world.week):
            battles.append(battle_row(scenario, row, "umpire-battle", c=campaign.public_id))
        context = {
            "twin": twin,
            "week": world.week,
            "weeks": history_of(rows, scenario.weeks),
            "meetings": meetings_of(scenario, world, sealed),
            "battles": battles,
            "pencil_marks": marks_on_map(viewer, scenario, twin),
            "report": _faction_report(scenario, twin, rows, now),
            "faction_objectives": all_objectives(true_scenario_of(campaign), world.objectives),
        }
    waits = attention_of([war], viewer.user.pk, now).get(campaign.pk, NO_ATTENTION)
    health = site_health(now)
    unread = unread_count(viewer) if message_rules_of(campaign).on else None
    return show(
        request,
        viewer,
        "dashboard",
        "dashboard",
        stage=stage,
        title=title_of(campaign, stage),
        steps=_steps_of(campaign, stage),
        last_week=scenario.weeks,
        seats=seats,
        cards=[SeatCard(seat, numbers[seat.key]) for seat in seats],
        next=next_step(
            campaign=campaign,
            stage=stage,
            seats=seats,
            has_begun=has_begun,
            now=now,
            umpires=True,
        ),
        is_held=stage is not None and is_held(stage),
        late_orders="" if stage is None else late_orders_words(campaign, stage),
        time_left=_time_left(campaign, stage, now),
        troubles=troubles_of(war, waits, now),
        unsent_messages=unsent_lines(messages_unsent([campaign], now).get(campaign.pk, ())),
        health=health,
        health_faults=health_lines(health),
        has_begun=has_begun,
        umpired=umpired_count(viewer.user),
        acts=act_rows(
            acts_of(campaign=campaign, umpire=True)[:LATEST_ACTS],
            single=is_single(campaign),
        ),
        members=members_of(campaign=campaign),
        notes=notes_of(viewer),
        unread_messages=unread,
        newest_messages=_newest_messages(viewer, seats, numbers) if unread else [],
        rules=rules_summary(campaign, stage),
        act="umpire-act",
        **context,
    )


def _newest_messages(
    viewer: Viewer, seats: Sequence[Seat], numbers: Mapping[str, int]
) -> list[MessageCard]:
    """Return the newest unread messages to the umpire, newest first."""
    names = {seat.key: seat.name for seat in seats}
    cards: list[MessageCard] = []
    for message in list_messages(viewer):
        sender = message.sender
        if message.unread and sender is not None:
            cards.append(MessageCard(message, numbers[sender], names[sender]))
    return list(reversed(cards[-LATEST_MESSAGES:]))


def _sealed_decisions(stage: Stage | None) -> Sequence[Submission]:
    """Return the entries of the week's decisions; an umpire may read them once they are sealed."""
    if stage is None or stage.kind != StageKind.DECISIONS:
        return ()
    return list(entries_of(stage=stage).filter(withdrawn_at__isnull=True))


def _time_left(campaign: Campaign, stage: Stage | None, now: datetime) -> str:
    """Return the time until the stage closes, in words; empty if no clock is running."""
    if stage is None or stage.closes is None:
        return ""
    if stage.status != StageStatus.OPEN or campaign.paused_at is not None:
        return ""
    return span_text(stage.closes - now)


def _steps_of(campaign: Campaign, stage: Stage | None) -> list[tuple[str, str]]:
    """Return the stages of a week as done, now or to come; none outside the weeks."""
    if stage is None or stage.kind == StageKind.DEPLOY or is_single(campaign):
        return []
    present = [step for step, _ in STEPS].index(stage.kind)
    result = []
    for number, (_, label) in enumerate(STEPS):
        state = ""
        if number < present:
            state = "done"
        elif number == present:
            state = "now"
        result.append((label, state))
    return result


def history_of(rows: Sequence[Stage], weeks: int) -> list[tuple[int, list[tuple[Stage, str]]]]:
    """Return the stages of the war by week with their titles; future weeks are empty.

    Week 0 is the deployment.
    """
    result: dict[int, list[tuple[Stage, str]]] = {week: [] for week in range(weeks + 1)}
    for row in rows:
        result.setdefault(row.week, []).append((row, stage_title(row.week, row.kind)))
    if not result[0]:  # there was no deployment
        del result[0]
    return sorted(result.items())


def _faction_report(
    scenario: Scenario, twin: Twin, rows: Sequence[Stage], now: datetime
) -> FactionReport | None:
    """Return the chosen faction's report of the newest resolved stage, published or not."""
    last = next((row for row in reversed(rows) if row.status == StageStatus.RESOLVED), None)
    if last is None or twin.faction is None or twin.view is None:
        return None
    lines = lines_of(with_known_designs(scenario, twin.view), twin.faction.key, twin.view.notices)
    return FactionReport(
        stage_title(last.week, last.kind),
        last.ordinal,
        lines,
        last.publishes_at,
        is_public(last, now),
    )


@page(host=True)
def host(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the host's page."""
    campaign = viewer.campaign
    stage = waiting_stage(campaign=campaign)
    has_begun = war_has_begun(campaign=campaign)
    seats = seats_at(campaign=campaign, stage=stage, player=viewer.faction)
    scenario = scenario_of(campaign)
    now = timezone.now()
    numbers = seat_numbers(scenario)
    return show(
        request,
        viewer,
        "host",
        "host",
        here="host",
        has_begun=has_begun,
        stage=stage,
        title=title_of(campaign, stage),
        steps=_steps_of(campaign, stage),
        last_week=scenario.weeks,
        time_left=_time_left(campaign, stage, now),
        cards=[SeatCard(seat, numbers[seat.key]) for seat in seats],
        next=next_step(campaign=campaign, stage=stage, seats=seats, has_begun=has_begun, now=now),
        acts=act_rows(acts_of(campaign=campaign)[:LATEST_ACTS], single=is_single(campaign)),
        members=members_of(campaign=campaign),
        rules=rules_summary(campaign, stage),
        act="host-act",
        cannot_close=would_cut_short(viewer, seats),
        closes_when_ready=stage is not None and closing_of(stage).rule == ClosingRule.READY,
        sealing_page=sealing_page(viewer, stage),
    )


@page()
def public(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the public page to any member: the published map, players and clock."""
    campaign = viewer.campaign
    scenario = scenario_of(viewer.campaign)
    stage = waiting_stage(campaign=campaign)
    has_begun = war_has_begun(campaign=campaign)
    return show(
        request,
        viewer,
        "public",
        "public",
        here="public",
        scenario=scenario,
        thumb=thumb_of(scenario, campaign.scenario.sha256),
        stage=stage,
        title=title_of(campaign, stage),
        over=has_begun and stage is None,
        may_be_told=may_be_public(campaign=campaign),
        story_url=reverse("story", args=(campaign.public_id,)),
        seats=seats_at(campaign=campaign, stage=None),
        members=members_of(campaign=campaign),
        ledger_head=head_of(campaign),
        rules=rules_summary(campaign, stage),
        acts=act_rows(acts_of(campaign=campaign)[:LATEST_PUBLIC_ACTS], single=is_single(campaign)),
        options=rules_of(scenario.edition).titles(scenario.options),
        barred=barred_titles(scenario),
    )
