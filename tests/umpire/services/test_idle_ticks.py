"""Queries of the clock when nothing is due: few, and the same for any number of campaigns."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign import models
from campaign.selectors.due import STAGE_RESOLVE, stage_due
from campaign.selectors.truth import stages_to_resolve
from campaign.services.campaigns import membership_add
from campaign.services.envelopes import envelope_write
from campaign.words.battle.phase_titles import PHASES
from jobs.models import Job
from tests.growth import Work, check_growth, work_of
from tests.sealing import orders_seal
from tests.umpire.services.campaign_copies import copy_campaign
from tests.umpire.services.online_war import OnlineWar
from tests.umpire.services.wars import start_campaign
from umpire.services.phase_clock import phase_due, phases_to_resolve
from umpire.tasks import tick

pytestmark = pytest.mark.django_db

# The deployment of a war of three waits for its players; a war of two waits in an online battle,
# where one player has missed orders once, which is too few for a computer admiral to take over.
WAITING: dict[str, Any] = {"admiral_after": 2, "stop_minutes": 60}


def start_war_of_three() -> models.Stage:
    campaign, stage = start_campaign("three-powers")
    for faction in models.Faction.objects.filter(campaign=campaign):
        membership_add(
            campaign=campaign,
            user=User.objects.create_user(faction.key),
            role="player",
            faction=faction,
        )
    return stage


def count_queries() -> int:
    with CaptureQueriesContext(connection) as queries:
        tick()
    return len(queries)


@pytest.mark.any_database
def test_idle_tick_costs_equal_queries_for_any_campaigns() -> None:
    none = count_queries()
    campaigns = start_war_of_three().branch.campaign, OnlineWar(timetable=WAITING).campaign
    counts = [count_queries()]
    for many in (4, 20):
        for campaign in campaigns:
            copy_campaign(campaign, many)
        counts.append(count_queries())
    assert models.Stage.objects.filter(kind__in=PHASES, status="open").count() == 25
    assert models.Stage.objects.filter(battle__isnull=True, status="open").count() == 50
    assert counts == [none] * 3
    assert none <= 2


@pytest.mark.any_database
def test_sealed_week_before_its_deadline_costs_no_query() -> None:
    """Three factions close early only by agreement, so the tick finds all orders sealed and stops."""
    none, stage = count_queries(), start_war_of_three()
    closes = timezone.now() + timedelta(days=1)
    models.Stage.objects.filter(pk=stage.pk).update(closes=closes)
    for faction in models.Faction.objects.filter(campaign=stage.branch.campaign):
        orders_seal(stage=stage, faction=faction, payload={"schema": 1})
    copy_campaign(stage.branch.campaign, 5)
    assert count_queries() == none
    assert len(stages_to_resolve(now=closes)) == 6


@pytest.mark.parametrize("paused", [False, True])
@pytest.mark.parametrize(("early", "due"), [(None, {3, 4}), (True, {3, 4, 5}), (False, {4})])
def test_tick_and_stage_agree(early: bool | None, due: set[int], paused: bool) -> None:
    """So many of three have sealed. 3: all, one alone with players; 4: overdue; 5: two, one
    excused.
    """
    first, now = start_war_of_three().branch.campaign, timezone.now()
    timetable, paused_at = {**first.timetable, "early_close": early}, now if paused else None
    stages = []
    for number, campaign in enumerate(
        copy_campaign(first, 6, timetable=timetable, paused_at=paused_at)
    ):
        factions = list(models.Faction.objects.filter(campaign=campaign).order_by("key"))
        stage = models.Stage.objects.select_related("branch__campaign").get(
            branch__campaign=campaign, status="open"
        )
        for faction in factions[: {3: 1, 4: 0, 5: 2}.get(number, number)]:
            envelope_write(
                stage=stage, faction=faction, payload={"schema": 1}, source="player", now=now
            )
        if number == 3:
            models.Membership.objects.filter(campaign=campaign).exclude(
                faction=factions[0]
            ).delete()
        if number == 4:
            models.Stage.objects.filter(pk=stage.pk).update(
                closes=now, opens=now - timedelta(hours=3)
            )
        if number == 5:
            models.Excuse.objects.create(
                faction=factions[2],
                week=stage.week,
                branch_id=factions[2].campaign.head_branch_id,
                ordinal=0,
            )
        stages.append(stage)
    due_stages = [stage for stage in stages if stage_due(stage=stage, now=now)]
    assert {stages.index(stage) for stage in due_stages} == (set() if paused else due)
    assert stages_to_resolve(now=now) == due_stages


def test_tick_and_phase_agree() -> None:
    """None, one or both have sealed; one is excused, or led by a computer; and the clock's verdict."""
    war, now = OnlineWar(timetable={**WAITING, "admiral_after": 1}), timezone.now()
    sealed = {"none in": 0, "one in": 1, "all in": 2, "excused": 1, "absent": 1, "paused": 2}
    sealed |= {"late": 0, "over": 2, "closed": 0}
    phases = {}
    for state, many in sealed.items():
        sources = {"ember": "player", "frost": "default" if state == "absent" else "player"}
        (campaign,) = copy_campaign(
            war.campaign, sources=sources, paused_at=now if state == "paused" else None
        )
        factions = models.Faction.objects.filter(campaign=campaign).order_by("key")
        phase = models.Stage.objects.select_related("branch__campaign").get(
            branch__campaign=campaign, kind__in=PHASES
        )
        for faction in factions[:many]:
            envelope_write(stage=phase, faction=faction, payload={}, source="player", now=now)
        if state == "excused":
            models.Excuse.objects.create(
                faction=factions[1],
                week=phase.week,
                branch_id=factions[1].campaign.head_branch_id,
                ordinal=0,
            )
        if state == "late":
            models.Stage.objects.filter(pk=phase.pk).update(
                opens=now - timedelta(hours=2), closes=now
            )
        if state == "over":
            models.Stage.objects.filter(branch=phase.branch_id, kind="battles").update(
                status="closed", closed_at=now
            )
        if state == "closed":
            models.Stage.objects.filter(pk=phase.pk).update(status="closed", closed_at=now)
        phases[state] = phase
    due = {state for state, phase in phases.items() if phase_due(stage=phase, now=now)}
    assert due == {"all in", "excused", "absent", "late", "over"}
    due_keys = {stage.pk for stage in phases_to_resolve(now=now)}
    assert {state for state, phase in phases.items() if phase.pk in due_keys} == {
        "all in",
        "excused",
        "absent",
        "late",
        "closed",
    }


@pytest.mark.any_database
def test_busy_tick_grows_linearly_with_due_wars() -> None:
    """Twice the wars that are due cost no further query, and about twice the work."""
    campaign = start_war_of_three().branch.campaign
    tick()  # fills the caches of the process

    def busy(wars: int) -> Work:
        new = copy_campaign(campaign, wars)
        ended = timezone.now()
        stages = models.Stage.objects.filter(branch__campaign__in=new, status="open")
        assert stages.update(closes=ended, opens=ended - timedelta(hours=3)) == wars
        measurement = work_of(tick)
        assert Job.objects.filter(kind=STAGE_RESOLVE).count() == wars
        Job.objects.all().delete()
        models.Stage.objects.filter(branch__campaign__in=new).update(closes=None)
        return measurement

    check_growth("a busy tick", busy(20), busy(40))
