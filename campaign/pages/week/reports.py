"""What a player was told, week by week, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.http import require_safe

from campaign.access import Viewer, need
from campaign.kinds import StageKind
from campaign.models.campaign import Campaign, Faction
from campaign.models.knowledge import STAGE_REPORT
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.rules.view import Notice, View
from campaign.sight.reports import BattleTold, ReportTold, battles_told, report_read, reports_told
from campaign.sight.views import sight_then
from campaign.store.documents import scenario_of
from campaign.web.chart import chart
from campaign.web.common import UiPreferences, if_changed, member_page, show
from campaign.web.guide import GuidePage, guide_page
from campaign.web.mini_map import mini_map
from campaign.web.report_links import map_address, report_links
from campaign.web.tabs import tabs, tabs_key
from campaign.words.notices import NoticeLine, lines_of
from campaign.words.report_words import loses_ships, notices_of
from campaign.words.sayings import battle_words
from campaign.words.week.reader import NO_LINKS
from engine.core.phrase import phrase

CALLED = {
    StageKind.DEPLOY.value: phrase("Deployment"),
    StageKind.ORDERS.value: phrase("Orders and movement"),
    StageKind.DECISIONS.value: phrase("Decisions"),
    StageKind.BATTLES.value: phrase("Battles"),
}
LONGEST_NUMBER = 4  # digits of a week, and more


@dataclass(frozen=True, slots=True)
class StageTold:
    """The report a player was handed when a stage was resolved.

    `on_map`: the map as he knew it then, up to the hex.
    """

    seq: int
    title: str
    lines: tuple[NoticeLine, ...]
    battles: tuple[BattleRow, ...]
    on_map: str = ""


@dataclass(frozen=True, slots=True)
class BattleRow:
    """A battle in a report.

    `called`: what and where; `ended`: how, for the reader's side; `tone`: of its badge.
    """

    id: str
    called: str
    turns: int
    ended: str
    tone: str


@member_page
@require_safe
def reports(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """The reports of a week, stage by stage; `?week=` chooses another than the newest."""
    campaign, faction = need(viewer, see=True).campaign, viewer.sees
    told = _stage_reports(campaign, faction)
    weeks = sorted({one.week for one in told})
    asked = request.GET.get("week", "")
    week = (
        int(asked)
        if asked.isdecimal() and len(asked) < LONGEST_NUMBER
        else weeks[-1]
        if weeks
        else 0
    )
    if weeks and week not in weeks:
        raise Http404
    battles, shared = battles_told(campaign, faction), tabs(viewer, "reports")
    guided = _guided(viewer, week, [one.seq for one in told if one.week == week], battles)

    def page() -> HttpResponse:
        scenario = scenario_of(campaign)
        fought = _battles(scenario, battles)
        return show(
            request,
            "reports",
            week=week,
            week_words=_week(week),
            single=is_skirmish(scenario),
            called=scenario.name,
            weeks=[(number, _week(number)) for number in reversed(weeks)],
            stages=[
                _told(viewer, scenario, one, fought) for one in reversed(told) if one.week == week
            ],
            newest=bool(weeks) and week == weeks[-1],
            guided=guided,
            **shared,
        )

    if guided.left(getattr(request, "ui_preferences", UiPreferences())):
        return page()  # the form of the guide is nothing to keep
    of_whom = "" if faction is None else faction.key
    newest = (
        told[-1:],
        len(battles),
    )  # a report's id is of its branch and seq: it stands for all before it
    key = (str(campaign.public_id), campaign.scenario.sha256, of_whom, *newest, *tabs_key(shared))
    return if_changed(request, key, page)


@member_page
@require_safe
def report(request: HttpRequest, viewer: Viewer, seq: int) -> HttpResponseBase:
    """One report: what the reader was told when that stage was resolved."""
    campaign, faction = need(viewer, see=True).campaign, viewer.sees
    told = _stage_reports(campaign, faction)
    place = next((n for n, one in enumerate(told) if one.seq == seq), None)
    if place is None:
        raise Http404
    scenario = scenario_of(campaign)
    this, battles = told[place], battles_told(campaign, faction)
    view = None if faction is None else sight_then(campaign, faction, seq).view
    return show(
        request,
        "report",
        title=scenario.name if is_skirmish(scenario) else _title(this.week, this.stage),
        single=is_skirmish(scenario),
        told=_told(viewer, scenario, this, _battles(scenario, battles), view),
        mini=None
        if view is None or is_skirmish(scenario)
        else mini_map(scenario, view, chart(scenario, view)),
        guided=_guided(viewer, this.week, [seq], battles),
        before=told[place - 1] if place else None,
        after=told[place + 1] if place + 1 < len(told) else None,
        **tabs(viewer, "reports"),
    )


def _guided(
    viewer: Viewer, week: int, seqs: Sequence[int], battles: Iterable[BattleTold]
) -> GuidePage:
    """The page as its guide knows it: `fought` where it tells of a battle."""
    fought = any(battle.seq in seqs for battle in battles)
    return guide_page(viewer, "fought" if fought else "report", week)


def _stage_reports(campaign: Campaign, faction: Faction | None) -> list[ReportTold]:
    """The reports of stages, oldest first; that of the very start says nothing."""
    return [
        one
        for one in reports_told(campaign, faction)
        if one.kind == STAGE_REPORT and one.stage in CALLED
    ]


def _told(
    viewer: Viewer,
    scenario: Scenario,
    one: ReportTold,
    fought: Mapping[int, tuple[BattleRow, ...]],
    view: View | None = None,
) -> StageTold:
    """A report as its page shows it. `view`: that of its stage, where it was read already."""
    campaign, faction = viewer.campaign, viewer.sees
    body = report_read(campaign, faction, one.id)
    notices = notices_of(body)
    key, links = "", NO_LINKS
    if faction is not None:
        key = faction.key
        links = report_links(
            campaign, scenario, _views(campaign, faction, one.seq, notices, view), one.seq
        )
    lines = lines_of(scenario, key, notices, links)
    on_map = map_address(campaign, one.seq) if faction else ""
    return StageTold(one.seq, CALLED[one.stage], lines, fought.get(one.seq, ()), on_map)


def _views(
    campaign: Campaign, faction: Faction, seq: int, notices: Iterable[Notice], view: View | None
) -> Iterator[View]:
    """The Views in which a report's ships are: after the stage, and before it where some were
    lost.
    """
    yield view or sight_then(campaign, faction, seq).view
    if seq and loses_ships(notices):
        yield sight_then(campaign, faction, seq - 1).view


def _battles(scenario: Scenario, battles: Iterable[BattleTold]) -> dict[int, tuple[BattleRow, ...]]:
    """The battles by the seq they came with."""
    found: dict[int, tuple[BattleRow, ...]] = {}
    for battle in battles:
        won = battle.winner == battle.side
        ended, tone = (phrase("lost"), "bad") if battle.winner else (phrase("drawn"), "quiet")
        if won:
            ended, tone = phrase("won"), "good"
        line = BattleRow(battle.id, battle_words(scenario, battle.hex), battle.turns, ended, tone)
        found[battle.seq] = (*found.get(battle.seq, ()), line)
    return found


def _week(week: int) -> str:
    return phrase("Week {}", week) if week else phrase("Before the war")


def _title(week: int, stage: str) -> str:
    name = CALLED.get(stage, stage)
    return name if week == 0 else phrase("Week {}: {}", week, name.lower())


urlpatterns: list[URLPattern | URLResolver] = [
    path("c/<uuid:c>/reports/", reports, name="reports"),
    path("c/<uuid:c>/reports/<int:seq>/", report, name="report"),
]
