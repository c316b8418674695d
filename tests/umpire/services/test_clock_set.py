"""The clock was two days or an hour fast and is set back: nobody waits longer than the timetable."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.models import Campaign, Notification, Stage
from campaign.selectors.truth import stages_to_resolve
from campaign.services.seats import campaign_begin
from campaign.store.publication import public_stage
from campaign.words.battle.phase_titles import PHASES
from tests.campaign.seats.people import DAILY, MONDAY, join_by_invitation, open_campaign
from tests.umpire.services.online_war import OnlineWar
from umpire.services.control import campaign_pause, campaign_resume, stage_extend
from umpire.services.stages import stage_close, stage_resolve
from umpire.services.ticks import instants_restate

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def resolve_ahead(by: timedelta = 48 * HOUR, **settings: Any) -> tuple[Any, Stage, Stage]:
    """Return a war of two whose deployment of 48 hours was resolved by a fast clock, and its next
    stage.
    """
    _, host = open_campaign(**{"timetable": DAILY, **settings})
    join_by_invitation(host, "pia", faction="ember")
    join_by_invitation(host, "flo", faction="frost")
    first = campaign_begin(viewer=host, now=MONDAY)
    resolution = stage_resolve(stage=first.pk, now=MONDAY + by, force=True)
    assert resolution is not None
    assert resolution.next is not None
    return host, resolution.stage, resolution.next


@pytest.mark.parametrize("ahead", [HOUR, 48 * HOUR])
@pytest.mark.any_database
def test_next_stage_opens_now_with_its_full_time(ahead: timedelta) -> None:
    _, _, following = resolve_ahead(ahead)
    assert following.closes == MONDAY + ahead + 48 * HOUR
    now = MONDAY + HOUR / 30
    assert instants_restate(now=now) == 1
    following.refresh_from_db()
    assert (following.opens, following.closes) == (now, now + 48 * HOUR)
    assert stages_to_resolve(now=now + 47 * HOUR) == []
    assert stages_to_resolve(now=now + 48 * HOUR) == [following]
    assert instants_restate(now=now) == 0


@pytest.mark.any_database
def test_outcome_is_published_now(settings: Any) -> None:
    settings.PUBLICATION_GRID = 10
    _, stage, _ = resolve_ahead()
    now = MONDAY + HOUR
    assert (
        public_stage(stage.branch.campaign, Stage.objects.get(pk=stage.pk), now).status == "closed"
    )
    assert instants_restate(now=now) == 1
    stage_stored = Stage.objects.get(pk=stage.pk)
    assert (stage_stored.closed_at, stage_stored.publishes_at) == (now, now)
    assert public_stage(stage.branch.campaign, stage_stored, now).status == "resolved"


def test_stage_closed_by_a_fast_clock_resolves_at_once(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its opening and its instant of publication are in the future by then."""
    settings.PUBLICATION_GRID = 10
    _, _, following = resolve_ahead()
    assert stage_close(stage=following.pk, force=True, now=MONDAY + 50 * HOUR)
    monkeypatch.setattr("django.utils.timezone.now", lambda: MONDAY + HOUR)
    resolution = stage_resolve(stage=following.pk)
    assert resolution is not None
    assert resolution.here


@pytest.mark.any_database
def test_deadline_set_by_hand_stays() -> None:
    host, _, following = resolve_ahead()
    stage_extend(viewer=host, hours=5, now=MONDAY + 49 * HOUR)
    instants_restate(now=MONDAY + HOUR)
    following.refresh_from_db()
    assert (following.opens, following.closes) == (MONDAY + HOUR, MONDAY + 101 * HOUR)


def test_players_are_told_the_valid_times() -> None:
    _, _, following = resolve_ahead()
    notifications = Notification.objects.filter(dedupe_key__contains=f"/1/{following.ordinal}/")
    notifications.filter(user__username="pia").update(sent_at=MONDAY)
    instants_restate(now=MONDAY + HOUR)
    assert sorted(
        notifications.filter(sent_at__isnull=True).values_list("user__username", "due_at")
    ) == [
        ("flo", MONDAY + HOUR),
        ("hope", MONDAY + HOUR),
        ("pia", MONDAY + HOUR),
    ]
    assert all(
        "Wed 18 Nov, 13:00" in row.body for row in notifications.filter(sent_at__isnull=True)
    )


@pytest.mark.any_database
def test_pause_begun_by_a_fast_clock_costs_no_time() -> None:
    host, _, following = resolve_ahead(HOUR / 60)
    campaign_pause(viewer=host, now=MONDAY + 40 * HOUR)
    closes = following.closes
    assert closes is not None
    instants_restate(now=MONDAY + HOUR)
    assert Campaign.objects.get(pk=host.campaign.pk).paused_at == MONDAY + HOUR
    campaign_resume(viewer=host, now=MONDAY + 3 * HOUR)
    following.refresh_from_db()
    assert following.closes == closes + 2 * HOUR


def test_battle_phase_opens_now_with_its_time() -> None:
    war = OnlineWar(timetable={"phase_minutes": 30})
    phase = war.open_phase()
    assert phase is not None
    now = phase.opens - 48 * HOUR
    assert instants_restate(now=now) == 1
    phase.refresh_from_db()
    assert phase.kind in PHASES
    assert (phase.opens, phase.closes) == (now, now + HOUR / 2)


@pytest.mark.any_database
def test_correct_clock_changes_nothing_with_one_query() -> None:
    _, _, following = resolve_ahead(HOUR / 60)
    before = list(Stage.objects.order_by("pk").values())
    with CaptureQueriesContext(connection) as queries:
        assert instants_restate(now=MONDAY) == 0
    assert len(queries) == 1
    assert list(Stage.objects.order_by("pk").values()) == before
    assert following.opens > MONDAY
