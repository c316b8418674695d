"""What a player was told, week by week, in words."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponseBase
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.http import require_safe

from campaign.access import Viewer, need
from campaign.models.report import STAGE_REPORT
from campaign.notices import lines_of
from campaign.pages.common import member_page, show
from campaign.pages.wants import ANSWERED_AT, want
from campaign.papers import sealed_of
from campaign.rules.scenario import Scenario
from campaign.selectors.clock import stage_waiting
from campaign.sight import Battle, battles_told, reports_told, sight_then
from campaign.stored import scenario_of

CALLED = {"deploy": "Deployment", "orders": "Orders and movement", "decisions": "Decisions", "battles": "Battles"}


@member_page
@require_safe
def reports(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """All reports by week, the newest week first; the newest report is here to read."""
    campaign, faction = need(viewer, play=True).campaign, viewer.faction
    told = [one for one in reports_told(campaign, faction) if one.kind == STAGE_REPORT]
    scenario = scenario_of(campaign)
    fought = _battles(scenario, battles_told(campaign, faction))
    weeks: dict[int, list[dict[str, Any]]] = {}
    for one in reversed(told):
        row = {"seq": one.seq, "stage": CALLED.get(one.stage, one.stage), "battles": fought.get(one.seq, [])}
        weeks.setdefault(one.week, []).append(row)
    newest = told[-1] if told else None
    lines = _lines(viewer, scenario, newest.seq) if newest else ()
    return show(
        request,
        "reports",
        weeks=[(_week(week), rows) for week, rows in weeks.items()],
        newest=newest,
        newest_title=_title(newest.week, newest.stage) if newest else "",
        lines=lines,
        **tabs(viewer, "reports"),
    )


@member_page
@require_safe
def report(request: HttpRequest, viewer: Viewer, seq: int) -> HttpResponseBase:
    """One report: what the reader was told when that stage was resolved."""
    campaign, faction = need(viewer, play=True).campaign, viewer.faction
    told = [one for one in reports_told(campaign, faction) if one.kind == STAGE_REPORT]
    place = next((n for n, one in enumerate(told) if one.seq == seq), None)
    if place is None:
        raise Http404
    scenario = scenario_of(campaign)
    this = told[place]
    return show(
        request,
        "report",
        title=_title(this.week, this.stage),
        this=this,
        lines=_lines(viewer, scenario, seq),
        battles=_battles(scenario, battles_told(campaign, faction)).get(seq, []),
        before=told[place - 1] if place else None,
        after=told[place + 1] if place + 1 < len(told) else None,
        **tabs(viewer, "reports"),
    )


def tabs(viewer: Viewer, here: str) -> dict[str, Any]:
    """What the tabs of a begun campaign want."""
    stage = stage_waiting(campaign=viewer.campaign)
    sealed = stage is None or viewer.faction is None or sealed_of(stage, viewer.faction) is not None
    return {
        "viewer": viewer,
        "kind": stage.kind if stage else "over",
        "page": ANSWERED_AT.get(stage.kind, "") if stage else "",
        "due": want(viewer.campaign, viewer.roles, stage, sealed).due,
        "here": here,
    }


def _lines(viewer: Viewer, scenario: Scenario, seq: int) -> tuple[Any, ...]:
    seen = sight_then(viewer.campaign, viewer.faction, seq)
    return lines_of(scenario, seen.view.faction, seen.view.notices)


def _battles(scenario: Scenario, battles: tuple[Battle, ...]) -> dict[int, list[dict[str, Any]]]:
    """The battles by the seq they came with: where, how long, and whether the reader's side had the field."""
    places = {system.hex: system.name for system in scenario.systems}
    found: dict[int, list[dict[str, Any]]] = {}
    for battle in battles:
        ended = (
            ("won", "good")
            if battle.winner == battle.side
            else ("lost", "bad")
            if battle.winner
            else ("drawn", "quiet")
        )
        row = {"battle": battle, "place": places.get(battle.hex, f"hex {battle.hex}"), "ended": ended}
        found.setdefault(battle.seq, []).append(row)
    return found


def _week(week: int) -> str:
    return f"Week {week}" if week else "Before the war"


def _title(week: int, stage: str) -> str:
    name = CALLED.get(stage, stage)
    return name if week == 0 else f"Week {week}: {name[:1].lower()}{name[1:]}"


urlpatterns: list[URLPattern | URLResolver] = [
    path("c/<uuid:c>/reports/", reports, name="reports"),
    path("c/<uuid:c>/reports/<int:seq>/", report, name="report"),
]
