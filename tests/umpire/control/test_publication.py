"""Stages open and outcomes are published at stated instants, however long the computing took."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest import mock

import pytest

from campaign.access import Viewer
from campaign.errors import NoViewer, StageClosed
from campaign.models import LedgerRow, Notification, Stage, Submission
from campaign.selectors.clock import waiting_stage, war_is_over
from campaign.selectors.due import stage_due
from campaign.selectors.envelopes import sealed_entries_of, sealed_of, stage_now, stages_of
from campaign.selectors.next_action import campaigns_of
from campaign.selectors.truth import ledger_of, stages_to_resolve
from campaign.services.outbox import notifications_deliver
from campaign.services.preferences import calendar_of
from campaign.services.seats import campaign_begin
from campaign.sight.reports import list_reports
from campaign.sight.views import current_sight
from tests.campaign.seats.people import DAILY, MONDAY, join_by_invitation, open_campaign, viewer
from tests.sealing import orders_seal
from umpire.adjudication.fighting import fight_by_captains
from umpire.services.computing import stage_compute
from umpire.services.control import campaign_pause
from umpire.services.stages import Resolution, stage_close, stage_resolve
from umpire.services.stand_ins import computer_admiral

pytestmark = [pytest.mark.django_db, pytest.mark.rule("camp.hidden")]
DEADLINE = MONDAY + timedelta(hours=48)
OPENS = DEADLINE + timedelta(seconds=10)  # the first grid point after the allowance
HOLD = {"schema": 1}


class Clock:
    """A clock that the whole site uses."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock(settings: Any) -> Iterator[Clock]:
    settings.PUBLICATION_ALLOWANCE, settings.PUBLICATION_GRID = 5, 10
    clock = Clock(MONDAY)
    with mock.patch("django.utils.timezone.now", clock):
        yield clock


def started_war(slug: str = "three-powers", **settings: Any) -> tuple[Viewer, Stage]:
    """Return a war with a player in every faction, open since Monday noon for 48 hours."""
    campaign, host = open_campaign(slug, **{"timetable": DAILY, **settings})
    for faction in campaign.factions.order_by("key"):
        join_by_invitation(host, f"player-{faction.key}", faction=faction.key)
    return host, campaign_begin(viewer=host, now=MONDAY)


def resolve_slowly(clock: Clock, seconds: float, stage: Stage) -> Resolution:
    """Resolve a stage with a worker that computes for so long."""

    def slow(**kwargs: Any) -> Any:
        clock.now += timedelta(seconds=seconds)
        return stage_compute(**kwargs)

    with mock.patch("umpire.services.stages.stage_compute", slow):
        resolution = stage_resolve(stage=stage.pk)
    assert resolution is not None
    return resolution


@pytest.mark.any_database
@pytest.mark.parametrize("seconds", [0, 0.18, 0.45, 4])
def test_publication_times_do_not_reveal_computing_time(clock: Clock, seconds: float) -> None:
    _, stage = started_war()
    clock.now = DEADLINE + timedelta(seconds=2)
    following = resolve_slowly(clock, seconds, stage).next
    assert following is not None
    stage.refresh_from_db()
    assert (stage.closed_at, stage.publishes_at, following.opens) == (DEADLINE, OPENS, OPENS)
    assert following.closes == OPENS + timedelta(hours=48)
    assert set(Submission.objects.values_list("sealed_at", flat=True)) == {DEADLINE}
    assert set(Notification.objects.exclude(due_at=MONDAY).values_list("due_at", flat=True)) == {
        OPENS
    }


@pytest.mark.any_database
@pytest.mark.parametrize(("seconds", "late"), [(5, 0), (7, 10), (14, 10), (17, 20)])
def test_late_outcome_is_published_at_the_next_instant(
    clock: Clock, seconds: int, late: int
) -> None:
    """Everything written two seconds before a grid point is published at that point."""
    _, stage = started_war()
    clock.now = DEADLINE + timedelta(seconds=2)
    following = resolve_slowly(clock, seconds, stage).next
    assert following is not None
    assert following.opens == OPENS + timedelta(seconds=late)


def test_old_stage_stays_closed_until_publication(clock: Clock) -> None:
    _, stage = started_war()
    player = viewer(stage.branch.campaign, "player-karst")
    campaign, faction = player.campaign, player.faction
    assert faction is not None

    def stage_states() -> list[object]:
        now, waits = stages_of(campaign)[-1], waiting_stage(campaign=campaign)
        assert waits is not None
        return [
            *((row.pk, row.status, row.publishes_at) for row in (now, waits)),
            current_sight(campaign, faction).seq,
            len(list_reports(campaign, faction)),
            len(sealed_entries_of(campaign, faction)),
            sealed_of(now, faction),
            list(ledger_of(campaign=campaign)),
            war_is_over(campaign=campaign),
            [
                (mine.stage and (mine.stage.pk, mine.stage.status), mine.sealed)
                for mine in campaigns_of(player.user)
            ],
            calendar_of(player.user),
        ]

    clock.now = DEADLINE - timedelta(seconds=1)
    assert stage_states()[:2] == [(stage.pk, "open", None)] * 2
    clock.now = DEADLINE
    before = stage_states()
    assert before[:2] == [(stage.pk, "closed", OPENS)] * 2
    assert stage_close(stage=stage.pk)
    assert stage_states() == before
    assert stage_resolve(stage=stage.pk) is not None
    assert stage_states() == before
    clock.now = OPENS - timedelta(microseconds=1)
    assert stage_states() == before
    assert LedgerRow.objects.count() == 1
    clock.now = OPENS
    after = stage_states()
    assert after[0] == after[1] == (stage_now(campaign).pk, "open", None)  # type: ignore[union-attr]
    assert (before[2:5], after[2:5]) == ([0, 1, 0], [1, 2, 1])
    assert len(after[6]) == 1  # type: ignore[arg-type]


@pytest.mark.any_database
def test_missing_worker_moves_the_announcement_along_the_grid(clock: Clock) -> None:
    _, stage = started_war()
    campaign = viewer(stage.branch.campaign, "player-karst").campaign
    for passed, announced in ((0, 10), (9.9, 10), (10, 20), (19, 20), (300, 310)):
        clock.now = DEADLINE + timedelta(seconds=passed)
        stage_seen = stage_now(campaign)
        assert stage_seen is not None
        assert (stage_seen.status, stage_seen.publishes_at) == (
            "closed",
            DEADLINE + timedelta(seconds=announced),
        )


def test_successor_of_a_dead_worker_gets_the_same_outcome(clock: Clock) -> None:
    _, stage = started_war()
    clock.now = DEADLINE + timedelta(seconds=1)
    with (
        mock.patch("umpire.services.stages.entry_for", side_effect=OSError("the worker died")),
        pytest.raises(OSError, match="died"),
    ):
        stage_resolve(stage=stage.pk)
    clock.now += timedelta(seconds=4)
    resolution = stage_resolve(stage=stage.pk)
    assert resolution is not None
    assert resolution.next is not None
    assert resolution.next.opens == OPENS
    assert set(Submission.objects.values_list("sealed_at", flat=True)) == {DEADLINE}


@pytest.mark.any_database
def test_unopened_stage_accepts_nothing_and_is_not_due(clock: Clock) -> None:
    _, stage = started_war()
    clock.now = DEADLINE
    following = resolve_slowly(clock, 0, stage).next
    assert following is not None
    faction = stage.branch.campaign.factions.get(key="karst")
    Stage.objects.filter(pk=following.pk).update(closes=OPENS)
    following.refresh_from_db()
    assert stages_to_resolve(now=clock.now) == []
    assert not stage_due(stage=following, now=clock.now)
    clock.now = OPENS
    assert stages_to_resolve(now=clock.now) == [following]
    Stage.objects.filter(pk=following.pk).update(closes=OPENS + timedelta(hours=1))
    clock.now = OPENS - timedelta(seconds=1)
    view = current_sight(stage.branch.campaign, faction)
    assert view.seq == 0
    clock.now = OPENS
    orders_seal(stage=following, faction=faction, payload=HOLD)


@pytest.mark.any_database
def test_nobody_seals_or_changes_the_clock_between_stages(clock: Clock) -> None:
    host, stage = started_war()
    clock.now = DEADLINE
    following = resolve_slowly(clock, 0, stage).next
    assert following is not None
    faction = stage.branch.campaign.factions.get(key="karst")
    with pytest.raises(StageClosed):
        campaign_pause(viewer=host)
    clock.now = OPENS - timedelta(seconds=1)
    with pytest.raises(StageClosed):
        orders_seal(stage=stage, faction=faction, payload=HOLD)
    with pytest.raises(NoViewer):  # and the next one does not exist yet
        orders_seal(stage=following, faction=faction, payload=HOLD)
    clock.now = OPENS
    campaign_pause(viewer=host)


def test_messages_are_sent_when_the_stage_opens(clock: Clock) -> None:
    host, stage = started_war()
    notifications_deliver(now=clock.now)
    members = host.campaign.memberships.values("user_id").distinct().count()
    clock.now = DEADLINE
    resolve_slowly(clock, 1, stage)
    assert notifications_deliver(now=OPENS - timedelta(seconds=1)) == 0
    assert notifications_deliver(now=OPENS) == members


def test_two_sealed_sides_close_a_stage_at_once(clock: Clock) -> None:
    _, stage = started_war("first-steps", timetable={**DAILY, "early_close": None})
    clock.now = MONDAY + timedelta(seconds=61)
    for faction in stage.branch.campaign.factions.all():
        orders_seal(stage=stage, faction=faction, payload=HOLD)
    clock.now += timedelta(seconds=1)
    following = resolve_slowly(clock, 0.4, stage).next
    assert following is not None
    stage.refresh_from_db()
    assert stage.closed_at == MONDAY + timedelta(seconds=62)
    assert following.opens == MONDAY + timedelta(seconds=70)


def test_solo_war_publishes_at_once(clock: Clock) -> None:
    _, host = open_campaign("three-powers", timetable={**DAILY, "early_close": True}, play="karst")
    stage = campaign_begin(viewer=host, now=MONDAY)
    orders_seal(stage=stage, faction=host.faction, payload=HOLD)  # type: ignore[arg-type]
    following = resolve_slowly(clock, 0.4, stage).next
    assert following is not None
    assert following.opens == clock.now == MONDAY + timedelta(seconds=0.4)


@pytest.mark.any_database
def test_admirals_do_not_delay_publication_visibly(clock: Clock) -> None:
    """The stage closes before admirals think, and visitors see it closed at its deadline anyway."""
    _, stage = started_war("three-powers", admirals={"thessaly": "bold"})

    def slow(*args: Any) -> Any:
        clock.now += timedelta(seconds=3)
        assert Stage.objects.get(pk=stage.pk).status == "closed"
        return computer_admiral(*args)

    stage.branch.campaign.factions.filter(key="thessaly").update(admiral="bold")
    clock.now = DEADLINE
    assert stage_resolve(stage=stage.pk, admiral=slow, fighter=fight_by_captains) is not None
    assert clock.now == DEADLINE + timedelta(seconds=3)
    assert Stage.objects.get(status="open").opens == OPENS


@pytest.mark.any_database
@pytest.mark.parametrize("battles", ["online", "table"])
def test_battles_by_people_do_not_end_a_week_early_for_a_third(clock: Clock, battles: str) -> None:
    campaign, host = open_campaign(
        "three-powers",
        timetable={**DAILY, "early_close": True, "hours": {"deploy": 1}},
        battles=battles,
    )
    for faction in campaign.factions.order_by("key"):
        join_by_invitation(host, f"player-{faction.key}", faction=faction.key)
    stage = campaign_begin(viewer=host, now=MONDAY)
    for kind in ("deploy", "orders", "decisions"):
        assert stage.kind == kind
        for faction in campaign.factions.order_by("key"):
            orders_seal(stage=stage, faction=faction, payload=HOLD)
        following = resolve_slowly(clock, 0, stage).next
        assert following is not None
        stage, clock.now = following, following.opens
    assert (stage.kind, stage.closes) == ("battles", stage.opens + timedelta(hours=72))
    for faction in campaign.factions.order_by("key"):
        orders_seal(stage=stage, faction=faction, payload=HOLD)
    assert not stage_due(stage=stage, now=clock.now)
    assert stage_due(stage=stage, now=stage.opens + timedelta(hours=72))


def test_grid_uses_round_clock_times(clock: Clock) -> None:
    from campaign.store.publication import planned_instant

    at = datetime(2026, 1, 1, 0, 0, 4, 999_999, tzinfo=UTC)
    assert planned_instant(at).second == 10
    assert planned_instant(at + timedelta(microseconds=1)).second == 10
    assert planned_instant(at + timedelta(microseconds=2)).second == 20
