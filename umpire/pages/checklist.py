"""The umpire's checklist of the week, its time line, and the week as a PDF."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from campaign.access import Viewer
from campaign.errors import NotFound, NoViewer
from campaign.kinds import StageStatus
from campaign.models.campaign import Faction
from campaign.models.ledger import UMPIRE_EVENT
from campaign.models.stage import Stage
from campaign.rules.queries import ship_classes, ships_by_fleet, with_known_designs
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.selectors.clock import factions_of, waiting_stage
from campaign.selectors.messages import message_rules_of
from campaign.selectors.truth import resolved_stages_of, stages_of
from campaign.sight.views import sight_in_snapshot
from campaign.store.documents import scenario_of
from campaign.web.common import heavy_request
from campaign.web.seat_marks import power_names
from campaign.web.sheet_pdf import PAPERS
from campaign.words.common import count_by_classification, place_words, strength_words
from campaign.words.notices import lines_of
from engine.core.phrase import phrase
from umpire.adjudication.umpire_events import UmpireEvent
from umpire.checklist import ChecklistItem, checklist_of
from umpire.pages.act_rows import act_rows
from umpire.pages.frame import branch_of, page, show, stage_title
from umpire.pages.stage_reports import week_title, weeks_of
from umpire.pages.true_map import number_in_address
from umpire.pages.umpire_events import event_words
from umpire.pages.week_pdf import WeekPage, WeekSection, week_pdf
from umpire.services.time_line import (
    ACTION,
    MESSAGE,
    ORDERS,
    SEALED,
    SEALED_LATE,
    TAKEN_BACK,
    time_line_of,
)

KIND_WORDS = {
    MESSAGE: phrase("message"),
    ORDERS: phrase("orders"),
    ACTION: phrase("action"),
}
ORDERS_WORDS = {
    SEALED: phrase("sealed: {}"),
    SEALED_LATE: phrase("sealed late: {}"),
    TAKEN_BACK: phrase("took back: {}"),
}


@dataclass(frozen=True, slots=True)
class TimeLineRow:
    """An entry of the time line in words."""

    at: datetime
    kind: str
    who: str
    words: str
    text: str
    ordinal: int | None  # of the stage whose orders were sealed


@page(umpire=True)
def checklist(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the checklist of the open stage."""
    items = checklist_of(viewer, timezone.now())
    return show(
        request,
        viewer,
        "checklist",
        "checklist",
        facts=[item.words for item in items if item.is_fact],
        open_items=[item for item in items if not item.is_done],
        done_items=[item for item in items if item.is_done and not item.is_fact],
        papers=PAPERS.items(),
        weeks=[(number, week_title(number)) for number in reversed(_week_numbers(viewer))],
    )


@page(umpire=True)
def time_line(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show messages, orders and actions of a week in the order of their times."""
    weeks = _week_numbers(viewer)
    week = number_in_address(request, "week")
    if week is None:
        week = weeks[-1] if weeks else 0
    return show(
        request,
        viewer,
        "time_line",
        "checklist",
        entries=_time_line_rows(viewer, week),
        week=week,
        title=week_title(week),
        choice=[(number, week_title(number)) for number in weeks],
        hides_messages=not message_rules_of(viewer.campaign).umpire_reads,
    )


def _time_line_rows(viewer: Viewer, week: int) -> list[TimeLineRow]:
    """Return the time line of a week in words, oldest first."""
    scenario = scenario_of(viewer.campaign)
    names = power_names(scenario)
    titles = {}
    for stage in stages_of(branch=branch_of(viewer.campaign)):
        titles[stage.ordinal] = stage_title(stage.week, stage.kind)
    rows = []
    for entry in time_line_of(viewer, week):
        who = names.get(entry.faction, phrase("The umpire"))
        text = entry.text
        if entry.act is not None:
            (act,) = act_rows([entry.act])
            who = act.actor
            words = phrase("{}: {}", act.words, act.detail) if act.detail else act.words
            if entry.what == UMPIRE_EVENT:
                text = event_words(scenario, UmpireEvent.from_facts(entry.act.body["facts"]))
        elif entry.ordinal is not None:
            title = titles[entry.ordinal]
            words = phrase(ORDERS_WORDS[entry.what], title)
            if entry.user:
                who = phrase("{} ({})", who, entry.user)
        else:
            words = phrase("writes to {}", names.get(entry.to, phrase("the umpire")))
        rows.append(TimeLineRow(entry.at, KIND_WORDS[entry.kind], who, words, text, entry.ordinal))
    return rows


@page(umpire=True)
def week_as_pdf(request: HttpRequest, viewer: Viewer, week: int) -> HttpResponse:
    """Return a week as a PDF: a sheet for the umpire, and one to hand to each faction.

    Raises:
        NotFound: If the war has no such week.
    """
    if week not in _week_numbers(viewer):
        raise NotFound(phrase("there is no such week"))
    paper = request.GET.get("paper", "a4")
    scenario = scenario_of(viewer.campaign)
    stages = list(resolved_stages_of(branch=branch_of(viewer.campaign)).filter(week=week))
    pages = [_umpire_page(viewer, scenario, stages, week)]
    for faction in factions_of(viewer.campaign):
        pages.append(_faction_page(scenario, faction, stages, week))
    title = phrase("{}: {}", viewer.campaign.name, week_title(week))
    with heavy_request(request):
        content = week_pdf(title, pages, paper if paper in PAPERS else "a4")
    response = HttpResponse(content, content_type="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="week-{week}.pdf"'
    return response


def _umpire_page(viewer: Viewer, scenario: Scenario, stages: list[Stage], week: int) -> WeekPage:
    """Return the umpire's sheet: the checklist of the present week, and what happened."""
    sections = []
    waiting = waiting_stage(campaign=viewer.campaign)
    if waiting is not None and waiting.week == week:
        checks = _check_lines(checklist_of(viewer, timezone.now()))
        sections.append(WeekSection(phrase("Checklist"), checks))
    for part in weeks_of(scenario, stages):
        for report in part.stages:
            sections.append(WeekSection(report.title, report.lines))
    return WeekPage(phrase("For the umpire: {}", week_title(week)), tuple(sections))


def _check_lines(items: Iterable[ChecklistItem]) -> tuple[str, ...]:
    """Return a checklist as lines, each with a box."""
    lines = []
    for item in items:
        if item.is_fact:
            lines.append(item.words)
            continue
        box = "☑" if item.is_done else "☐"
        lines.append(phrase("{} {}", box, item.words))
    return tuple(lines)


def _faction_page(scenario: Scenario, faction: Faction, stages: list[Stage], week: int) -> WeekPage:
    """Return what a faction learned in a week, and its fleets at the end of it."""
    sections = []
    newest: View | None = None
    for stage in stages:
        if stage.status != StageStatus.RESOLVED or stage.to_snapshot_id is None:
            continue
        try:
            newest = sight_in_snapshot(stage.to_snapshot_id, faction).view
        except NoViewer:
            continue
        lines = []
        for line in lines_of(with_known_designs(scenario, newest), faction.key, newest.notices):
            words = phrase("{}: {}", line.place, line.words) if line.place else line.words
            lines.append(words)
        sections.append(WeekSection(stage_title(stage.week, stage.kind), tuple(lines)))
    if newest is not None:
        sections.append(WeekSection(phrase("Your fleets"), _fleet_lines(scenario, newest)))
    title = phrase("{}: {}", faction.name, week_title(week))
    return WeekPage(title, tuple(sections))


def _fleet_lines(scenario: Scenario, view: View) -> tuple[str, ...]:
    """Return a faction's fleets with their places and strengths."""
    with_designs = with_known_designs(scenario, view)
    classes = ship_classes(with_designs)
    ships_of = ships_by_fleet(view.ships)
    lines = []
    for fleet in view.fleets:
        ships = [ship for ship in ships_of.get(fleet.key, ()) if ship.cls in classes]
        strength = strength_words(count_by_classification(with_designs, ships))
        lines.append(phrase("{}, {}: {}", fleet.name, place_words(scenario, fleet.hex), strength))
    return tuple(lines)


def _week_numbers(viewer: Viewer) -> list[int]:
    """Return the weeks of a war that have begun."""
    if viewer.campaign.head_branch is None:
        return []
    rows = stages_of(branch=viewer.campaign.head_branch)
    return sorted(set(rows.values_list("week", flat=True)))
