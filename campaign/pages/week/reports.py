"""The player's reports, week by week, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.http import require_safe

from campaign.access import Viewer, require
from campaign.drawings.moment import Moment
from campaign.kinds import StageKind
from campaign.models.campaign import Campaign, Faction
from campaign.models.knowledge import STAGE_REPORT
from campaign.rules.queries import with_known_designs
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.rules.view import Notice, View
from campaign.services.view_openings import view_opening_record
from campaign.sight.reports import (
    BattleSummary,
    ReportSummary,
    list_reports_and_battles,
    read_report,
)
from campaign.sight.views import sight_after
from campaign.store.documents import scenario_of
from campaign.web.battle_moments import battle_moment
from campaign.web.chart import chart
from campaign.web.common import UiPreferences, if_changed, member_page, show
from campaign.web.guide import GuidePage, guide_page
from campaign.web.mini_map import mini_map
from campaign.web.report_links import map_address, report_links
from campaign.web.tabs import tabs, tabs_key
from campaign.words.common import battle_words
from campaign.words.gazette.issues import main_headline
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
LONGEST_NUMBER = 4  # a week number in the address has fewer digits


@dataclass(frozen=True, slots=True)
class StageReport:
    """The report that a player received when a stage was resolved."""

    seq: int  # number of the view after the stage
    title: str
    lines: tuple[NoticeLine, ...]
    battles: tuple[BattleRow, ...]
    notices: tuple[Notice, ...] = ()
    on_map: str = ""  # address of the map at that moment, up to the hex


@dataclass(frozen=True, slots=True)
class BattleRow:
    """A battle in a report."""

    id: str
    place_text: str  # what and where
    moment: Moment


@member_page
@require_safe
def reports(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Show the reports of a week by stage; `?week=` selects a week, by default the newest."""
    campaign = require(viewer, see=True).campaign
    faction = viewer.visible_faction
    all_reports, battles = _stage_reports_and_battles(campaign, faction)
    weeks = sorted({item.week for item in all_reports})
    week = _requested_week(request, weeks)
    reports_of_week = [item for item in all_reports if item.week == week]
    if reports_of_week:
        view_opening_record(viewer=viewer, seq=reports_of_week[-1].seq)
    shared = tabs(viewer, "reports")
    guided = _guide_page(viewer, week, [item.seq for item in reports_of_week], battles)

    def page() -> HttpResponse:
        scenario = scenario_of(campaign)
        newest_view = _newest_view(viewer, scenario, reports_of_week)
        stage_reports = []
        for item in reversed(reports_of_week):
            view = newest_view if item is reports_of_week[-1] else None
            stage_reports.append(_stage_report(viewer, scenario, item, battles, view=view))
        return show(
            request,
            "reports",
            week=week,
            week_words=_week_words(week),
            news=_headline(scenario, newest_view, week, stage_reports),
            single=is_skirmish(scenario),
            battle_name=scenario.name,
            weeks=[(number, _week_words(number)) for number in reversed(weeks)],
            stage_reports=stage_reports,
            is_newest=bool(weeks) and week == weeks[-1],
            guided=guided,
            **shared,
        )

    if guided.steps_left(getattr(request, "ui_preferences", UiPreferences())):
        return page()  # a page with the guide's form is not cached
    cache_key = (
        str(campaign.public_id),
        campaign.scenario.sha256,
        "" if faction is None else faction.key,
        # A report's id depends on its branch and seq, so it covers all earlier ones
        all_reports[-1:],
        len(battles),
        0 if campaign.head_branch is None else campaign.head_branch.number,
        *tabs_key(shared),
    )
    return if_changed(request, cache_key, page)


def _newest_view(
    viewer: Viewer, scenario: Scenario, reports_of_week: Sequence[ReportSummary]
) -> View | None:
    """Return what the faction knew at the end of a week; None for a page without a headline."""
    faction = viewer.visible_faction
    if faction is None or not reports_of_week or is_skirmish(scenario):
        return None
    return sight_after(viewer.campaign, faction, reports_of_week[-1].seq).view


def _headline(
    scenario: Scenario, view: View | None, week: int, stage_reports: Sequence[StageReport]
) -> str:
    """Return the headline of a week's reports; "" without news, and for a single battle.

    Args:
        view: What the faction knew at the end of the week.
        stage_reports: Those of the week, newest first.
    """
    if view is None:
        return ""
    notices = [notice for report in reversed(stage_reports) for notice in report.notices]
    return main_headline(with_known_designs(scenario, view), view.faction, week, notices)


def _requested_week(request: HttpRequest, weeks: Sequence[int]) -> int:
    """Return the week in the address, by default the newest, 0 before there are reports.

    Raises:
        Http404: If there is no report of that week.
    """
    week_text = request.GET.get("week", "")
    if week_text.isdecimal() and len(week_text) < LONGEST_NUMBER:
        week = int(week_text)
    else:
        week = weeks[-1] if weeks else 0
    if weeks and week not in weeks:
        raise Http404
    return week


@member_page
@require_safe
def report(request: HttpRequest, viewer: Viewer, seq: int) -> HttpResponseBase:
    """Show one report."""
    campaign = require(viewer, see=True).campaign
    faction = viewer.visible_faction
    all_reports, battles = _stage_reports_and_battles(campaign, faction)
    position = next((n for n, item in enumerate(all_reports) if item.seq == seq), None)
    if position is None:
        raise Http404
    scenario = scenario_of(campaign)
    shown_report = all_reports[position]
    view = None if faction is None else sight_after(campaign, faction, seq).view
    title = _title(shown_report.week, shown_report.stage)
    small_map = None
    if is_skirmish(scenario):
        title = scenario.name
    elif view is not None:
        small_map = mini_map(scenario, view, chart(scenario, view))
    stage_report = _stage_report(viewer, scenario, shown_report, battles, view=view)
    is_last = position + 1 == len(all_reports)
    return show(
        request,
        "report",
        title=title,
        single=is_skirmish(scenario),
        report=stage_report,
        mini=small_map,
        guided=_guide_page(viewer, shown_report.week, [seq], battles),
        previous_report=all_reports[position - 1] if position else None,
        next_report=None if is_last else all_reports[position + 1],
        **tabs(viewer, "reports"),
    )


def reports_since(viewer: Viewer, seq: int) -> list[StageReport]:
    """Return the reports of the viewer's faction that were written after a snapshot, newest first.

    Args:
        seq: The number of the snapshot.
    """
    campaign = viewer.campaign
    faction = viewer.visible_faction
    scenario = scenario_of(campaign)
    all_reports, battles = _stage_reports_and_battles(campaign, faction)
    result = []
    for item in reversed(all_reports):
        if item.seq > seq:
            report = _stage_report(viewer, scenario, item, battles)
            result.append(replace(report, title=_title(item.week, item.stage)))
    return result


def _guide_page(
    viewer: Viewer, week: int, seqs: Sequence[int], battles: Iterable[BattleSummary]
) -> GuidePage:
    """Return the guide of the page, another one if it reports a battle.

    Args:
        seqs: The reports on the page.
    """
    has_battle = any(battle.seq in seqs for battle in battles)
    return guide_page(viewer, "fought" if has_battle else "report", week)


def _stage_reports_and_battles(
    campaign: Campaign, faction: Faction | None
) -> tuple[list[ReportSummary], tuple[BattleSummary, ...]]:
    """Return the reports of stages, without the empty one of the start, and the battles.

    Both are oldest first.
    """
    all_reports, battles = list_reports_and_battles(campaign, faction)
    reports: list[ReportSummary] = []
    for item in all_reports:
        if item.kind == STAGE_REPORT and item.stage in STAGE_TITLES:
            reports.append(item)
    return reports, battles


def _stage_report(
    viewer: Viewer,
    scenario: Scenario,
    report_row: ReportSummary,
    battles: Iterable[BattleSummary],
    *,
    view: View | None = None,
) -> StageReport:
    """Return a report as its page shows it.

    Args:
        view: The view after its stage, if already loaded.
    """
    campaign, faction, seq = viewer.campaign, viewer.visible_faction, report_row.seq
    notices = notices_of(read_report(campaign, faction, report_row.id))
    faction_key, links, on_map = "", NO_LINKS, ""
    if faction is not None:
        faction_key = faction.key
        views = _views_with_ships(campaign, faction, seq, loses_ships(notices), view=view)
        links = report_links(campaign, scenario, views, seq)
        on_map = map_address(campaign, seq)
    return StageReport(
        seq=seq,
        title=STAGE_TITLES[report_row.stage],
        lines=lines_of(scenario, faction_key, notices, links),
        battles=_battle_rows(viewer, scenario, [row for row in battles if row.seq == seq]),
        notices=notices,
        on_map=on_map,
    )


def _views_with_ships(
    campaign: Campaign, faction: Faction, seq: int, has_losses: bool, *, view: View | None
) -> Iterator[View]:
    """Yield the views that contain the ships in a report.

    Args:
        has_losses: Whether ships were lost; then only the view before the stage has them.
        view: The view after the stage, if already loaded.
    """
    yield view or sight_after(campaign, faction, seq).view
    if seq and has_losses:
        yield sight_after(campaign, faction, seq - 1).view


def _battle_rows(
    viewer: Viewer, scenario: Scenario, battles: Iterable[BattleSummary]
) -> tuple[BattleRow, ...]:
    """Return battles of one report as its page shows them."""
    rows = []
    for battle in battles:
        row = BattleRow(
            id=battle.id,
            place_text=battle_words(scenario, battle.hex),
            moment=battle_moment(viewer.campaign, viewer.visible_faction, scenario, battle),
        )
        rows.append(row)
    return tuple(rows)


def _week_words(week: int) -> str:
    """Return a week in words; week 0 is the deployment."""
    if week:
        return phrase("Week {}", week)
    return phrase("Before the war")


def _title(week: int, stage: str) -> str:
    """Return the title of a stage's report, such as "Week 3: orders and movement"."""
    name = STAGE_TITLES.get(stage, stage)
    if week == 0:
        return name
    return phrase("Week {}: {}", week, name.lower())


urlpatterns: list[URLPattern | URLResolver] = [
    path("c/<uuid:c>/reports/", reports, name="reports"),
    path("c/<uuid:c>/reports/<int:seq>/", report, name="report"),
]
