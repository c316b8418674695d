"""Stages: what was sealed and what came of it, stage by stage and week by week."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from campaign.access import Viewer
from campaign.models.stage import RESOLVED
from campaign.selectors.clock import seats_at
from campaign.selectors.truth import resolved_of, stage_at, stages_of
from campaign.stored import scenario_of
from umpire.pages.desk import branch_of, show, stage_title
from umpire.pages.door import page
from umpire.pages.truemap import chosen_number
from umpire.pages.weeks import envelopes_of, told_of, week_title, weeks_of


@page(umpire=True)
def stages(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Every stage of the war with its ledger row."""
    rows = [(row, stage_title(row.week, row.kind)) for row in stages_of(branch=branch_of(viewer.campaign))]
    return show(request, viewer, "stages", "stages", rows=rows[::-1])


@page(umpire=True)
def stage(request: HttpRequest, viewer: Viewer, ordinal: int) -> HttpResponse:
    """One stage: the envelopes, the report, the ledger row."""
    scenario = scenario_of(viewer.campaign)
    row = stage_at(branch=branch_of(viewer.campaign), ordinal=ordinal)
    return show(
        request,
        viewer,
        "stage",
        "stages",
        stage=row,
        title=stage_title(row.week, row.kind),
        seats=seats_at(campaign=viewer.campaign, stage=row, umpire=True),
        envelopes=envelopes_of(scenario, row),
        told=told_of(scenario, row) if row.status == RESOLVED else None,
        ledger=getattr(row, "ledger_row", None),
    )


@page(umpire=True)
def reports(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The umpire's report of a week, the newest where none is asked for."""
    rows = resolved_of(branch=branch_of(viewer.campaign))
    numbers = sorted(set(rows.values_list("week", flat=True)))
    asked = chosen_number(request, "week")
    week = asked if asked is not None else (numbers[-1] if numbers else 0)
    found = weeks_of(scenario_of(viewer.campaign), rows.filter(week=week))
    choice = [(number, week_title(number)) for number in numbers]
    return show(
        request,
        viewer,
        "reports",
        "reports",
        week=found[0] if found else None,
        number=week,
        choice=choice,
        earlier=max((number for number in numbers if number < week), default=None),
        later=min((number for number in numbers if number > week), default=None),
    )
