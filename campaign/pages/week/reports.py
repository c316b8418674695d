"""The player's reports, week by week, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.http import require_safe

from campaign.access import Viewer, require
from campaign.kinds import StageKind
from campaign.models.campaign import Campaign, Faction
from campaign.models.knowledge import STAGE_REPORT
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.rules.view import Notice, View
from campaign.sight.reports import (
    BattleSummary,
    ReportSummary,
    list_battles,
    list_reports,
    read_report,
)
from campaign.sight.views import sight_after
from campaign.store.documents import scenario_of
from campaign.web.chart import chart
from campaign.web.common import UiPreferences, if_changed, member_page, show
from campaign.web.guide import GuidePage, guide_page
from campaign.web.mini_map import mini_map
from campaign.web.report_links import map_address, report_links
from campaign.web.tabs import tabs, tabs_key
from campaign.words.common import battle_words
from campaign.words.notices import NoticeLine, lines_of
from campaign.words.report_words import loses_ships, notices_of
from campaign.words.week.reader import NO_LINKS
from engine.core.phrase import phrase

STAGE_TITLES = {
    StageKind.DEPLOY.value: phrase("Deployment"),
    StageKind.ORDERS.value: phrase("Orders and movement"),
    StageKind.DECISIONS.value: phrase("Decisions"),
    StageKind.BATTLES.value: phrase("Battles"),
}
LONGEST_NUMBER = 4  # digits; week numbers must be shorter


@dataclass(frozen=True, slots=True)
class StageReport:
    """The report that a player received when a stage was resolved."""

    seq: int
    title: str
    lines: tuple[NoticeLine, ...]
    battles: tuple[BattleRow, ...]
    on_map: str = ""  # address of the map at that moment, up to the hex


@dataclass(frozen=True, slots=True)
class BattleRow:
    """A battle in a report."""

    id: str
    place_text: str  # what and where
    turns: int
    result_text: str  # for the reader's side
    tone: str  # of its badge


@member_page
@require_safe
def reports(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Show the reports of a week by stage; `?week=` selects a week, by default the newest."""
    campaign = require(viewer, see=True).campaign
    faction = viewer.visible_faction
    all_reports = _stage_reports(campaign, faction)
    weeks = sorted({item.week for item in all_reports})
    week_text = request.GET.get("week", "")
    if week_text.isdecimal() and len(week_text) < LONGEST_NUMBER:
        week = int(week_text)
    else:
        week = weeks[-1] if weeks else 0
    if weeks and week not in weeks:
        raise Http404
    battles = list_battles(campaign, faction)
    shared = tabs(viewer, "reports")
    guided = _guide_page(
        viewer, week, [item.seq for item in all_reports if item.week == week], battles
    )

    def page() -> HttpResponse:
        scenario = scenario_of(campaign)
        battles_by_seq = _battles(scenario, battles)
        stages = []
        for item in reversed(all_reports):
            if item.week == week:
                stages.append(_stage_report(viewer, scenario, item, battles_by_seq))
        return show(
            request,
            "reports",
            week=week,
            week_words=_week(week),
            single=is_skirmish(scenario),
            called=scenario.name,
            weeks=[(number, _week(number)) for number in reversed(weeks)],
            stages=stages,
            newest=bool(weeks) and week == weeks[-1],
            guided=guided,
            **shared,
        )

    if guided.steps_left(getattr(request, "ui_preferences", UiPreferences())):
        return page()  # a page with the guide's form is not cached
    of_whom = "" if faction is None else faction.key
    # A report's id depends on its branch and seq, so it covers all earlier ones
    newest = (all_reports[-1:], len(battles))
    key = (str(campaign.public_id), campaign.scenario.sha256, of_whom, *newest, *tabs_key(shared))
    return if_changed(request, key, page)


@member_page
@require_safe
def report(request: HttpRequest, viewer: Viewer, seq: int) -> HttpResponseBase:
    """Show one report."""
    campaign = require(viewer, see=True).campaign
    faction = viewer.visible_faction
    all_reports = _stage_reports(campaign, faction)
    place = next((n for n, item in enumerate(all_reports) if item.seq == seq), None)
    if place is None:
        raise Http404
    scenario = scenario_of(campaign)
    shown_report = all_reports[place]
    battles = list_battles(campaign, faction)
    view = None if faction is None else sight_after(campaign, faction, seq).view
    return show(
        request,
        "report",
        title=scenario.name
        if is_skirmish(scenario)
        else _title(shown_report.week, shown_report.stage),
        single=is_skirmish(scenario),
        report=_stage_report(viewer, scenario, shown_report, _battles(scenario, battles), view),
        mini=None
        if view is None or is_skirmish(scenario)
        else mini_map(scenario, view, chart(scenario, view)),
        guided=_guide_page(viewer, shown_report.week, [seq], battles),
        before=all_reports[place - 1] if place else None,
        after=all_reports[place + 1] if place + 1 < len(all_reports) else None,
        **tabs(viewer, "reports"),
    )


def _guide_page(
    viewer: Viewer, week: int, seqs: Sequence[int], battles: Iterable[BattleSummary]
) -> GuidePage:
    """Return the guide of the page: `fought` if it reports a battle."""
    has_battle = any(battle.seq in seqs for battle in battles)
    return guide_page(viewer, "fought" if has_battle else "report", week)


def _stage_reports(campaign: Campaign, faction: Faction | None) -> list[ReportSummary]:
    """Return the reports of stages, oldest first, without the empty one of the start."""
    reports: list[ReportSummary] = []
    for item in list_reports(campaign, faction):
        if item.kind == STAGE_REPORT and item.stage in STAGE_TITLES:
            reports.append(item)
    return reports


def _stage_report(
    viewer: Viewer,
    scenario: Scenario,
    report_row: ReportSummary,
    battles_by_seq: Mapping[int, tuple[BattleRow, ...]],
    view: View | None = None,
) -> StageReport:
    """Return a report as its page shows it.

    Args:
        view: The view after its stage, if already loaded.
    """
    campaign, faction = viewer.campaign, viewer.visible_faction
    body = read_report(campaign, faction, report_row.id)
    notices = notices_of(body)
    key, links = "", NO_LINKS
    if faction is not None:
        key = faction.key
        links = report_links(
            campaign,
            scenario,
            _views(campaign, faction, report_row.seq, notices, view),
            report_row.seq,
        )
    lines = lines_of(scenario, key, notices, links)
    if faction:
        on_map = map_address(campaign, report_row.seq)
    else:
        on_map = ""
    return StageReport(
        report_row.seq,
        STAGE_TITLES[report_row.stage],
        lines,
        battles_by_seq.get(report_row.seq, ()),
        on_map,
    )


def _views(
    campaign: Campaign, faction: Faction, seq: int, notices: Iterable[Notice], view: View | None
) -> Iterator[View]:
    """Yield the views that contain a report's ships.

    The view after the stage, and the one before it if ships were lost.
    """
    yield view or sight_after(campaign, faction, seq).view
    if seq and loses_ships(notices):
        yield sight_after(campaign, faction, seq - 1).view


def _battles(
    scenario: Scenario, battles: Iterable[BattleSummary]
) -> dict[int, tuple[BattleRow, ...]]:
    """Group battles by the seq of their report."""
    rows_by_seq: dict[int, tuple[BattleRow, ...]] = {}
    for battle in battles:
        is_won = battle.winner == battle.side
        ended, tone = (phrase("lost"), "bad") if battle.winner else (phrase("drawn"), "quiet")
        if is_won:
            ended = phrase("won")
            tone = "good"
        line = BattleRow(battle.id, battle_words(scenario, battle.hex), battle.turns, ended, tone)
        rows_by_seq[battle.seq] = (*rows_by_seq.get(battle.seq, ()), line)
    return rows_by_seq


def _week(week: int) -> str:
    if week:
        return phrase("Week {}", week)
    return phrase("Before the war")


def _title(week: int, stage: str) -> str:
    name = STAGE_TITLES.get(stage, stage)
    if week == 0:
        return name
    return phrase("Week {}: {}", week, name.lower())


urlpatterns: list[URLPattern | URLResolver] = [
    path("c/<uuid:c>/reports/", reports, name="reports"),
    path("c/<uuid:c>/reports/<int:seq>/", report, name="report"),
]
