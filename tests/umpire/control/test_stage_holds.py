"""Late orders are accepted for a time after the deadline, and a held stage waits for its release."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.access import Viewer, viewer_of
from campaign.errors import NotAllowed, NotFound, StageClosed
from campaign.models import Act, Stage
from campaign.selectors.clock import seats_at
from campaign.selectors.due import stage_due
from campaign.services.campaigns import membership_add
from campaign.services.clock import clock_start, clock_stop
from campaign.services.envelopes import lock_stage
from campaign.store.publication import public_stage
from engine.core.fair import orders_digest
from tests.campaign.seats.people import person
from tests.umpire.services.wars import attack, campaign_at
from umpire.checklist import checklist_of
from umpire.services.control import stage_extend
from umpire.services.stage_holds import stage_grace, stage_hold, stage_release
from umpire.services.stages import stage_resolve
from umpire.services.time_line import time_line_of

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
HOUR = timedelta(hours=1)


def umpired_stage() -> tuple[Viewer, Stage]:
    """Return the umpire of a war with a player, and its open stage, which closes in an hour."""
    campaign, stage = campaign_at("orders")
    umpire = person("ulla")
    membership_add(campaign=campaign, user=umpire, role="umpire")
    membership_add(
        campaign=campaign,
        user=person("ed"),
        role="player",
        faction=campaign.factions.get(key="ember"),
    )
    Stage.objects.filter(pk=stage.pk).update(closes=timezone.now() + HOUR)
    stage.refresh_from_db()
    return viewer_of(umpire, campaign.public_id), stage


def test_late_orders_are_accepted_until_the_stated_moment() -> None:
    umpire, stage = umpired_stage()
    assert stage.closes is not None
    deadline = stage.closes
    stage = stage_grace(viewer=umpire, hours=2, reason="a train")
    assert Act.objects.get(verb="grace").body["facts"]["until"] == (deadline + 2 * HOUR).isoformat()
    late = deadline + HOUR
    assert not stage_due(stage=stage, now=late)
    lock_stage(stage, late)
    faction = umpire.campaign.factions.get(key="ember")
    entry = stage.submissions.create(
        faction=faction,
        revision=1,
        payload={},
        nonce="0" * 32,
        digest=orders_digest({}, "0" * 32),
        source="player",
        sealed_at=late,
    )
    is_late = {seat.key: seat.is_late for seat in seats_at(campaign=umpire.campaign, stage=stage)}
    assert is_late == {"ember": True, "frost": False}
    assert "Ember" in next(
        item.words for item in checklist_of(umpire, late) if "after the deadline" in item.words
    )
    assert [item.what for item in time_line_of(umpire, stage.week) if item.ordinal] == [
        "sealed-late"
    ]
    entry.withdrawn_at = late
    entry.save(update_fields=["withdrawn_at"])
    shown = public_stage(umpire.campaign, Stage.objects.get(pk=stage.pk), late)
    assert (shown.status, shown.closes) == ("open", deadline + 2 * HOUR)
    over = deadline + 2 * HOUR
    assert stage_due(stage=stage, now=over)
    with pytest.raises(StageClosed):
        lock_stage(stage, over)
    assert public_stage(umpire.campaign, Stage.objects.get(pk=stage.pk), over).status == "closed"
    assert stage_resolve(stage=stage.pk, admiral=attack, now=over + HOUR) is not None
    stage.refresh_from_db()
    assert stage.closed_at == over


def test_late_orders_follow_the_deadline_and_can_be_ended() -> None:
    umpire, stage = umpired_stage()
    assert stage.closes is not None
    stage_grace(viewer=umpire, hours=3)
    extended = stage_extend(viewer=umpire, hours=5)
    assert extended.closes is not None
    assert extended.grace_until == extended.closes + 3 * HOUR
    now = timezone.now()
    stage.refresh_from_db()
    clock_stop(campaign=umpire.campaign, stage=stage, actor=umpire.user, now=now)
    clock_start(campaign=umpire.campaign, stage=stage, actor=umpire.user, now=now + HOUR)
    stage.refresh_from_db()
    assert stage.grace_until == extended.closes + 4 * HOUR
    assert stage_grace(viewer=umpire, hours=0).grace_until is None
    with pytest.raises(NotFound):
        stage_grace(viewer=viewer_of(person("harry"), umpire.campaign.public_id), hours=1)


def test_timetable_sets_late_orders_for_every_stage() -> None:
    umpire, stage = umpired_stage()
    campaign = umpire.campaign
    campaign.timetable = {**campaign.timetable, "hours": {"decisions": 10}, "grace_hours": 2}
    campaign.save(update_fields=["timetable"])
    resolution = stage_resolve(stage=stage.pk, force=True, admiral=attack)
    assert resolution is not None
    following = resolution.next
    assert following is not None
    assert following.closes is not None
    assert following.grace_until == following.closes + 2 * HOUR


def test_held_stage_waits_for_its_release() -> None:
    umpire, stage = umpired_stage()
    with pytest.raises(NotAllowed):
        stage_release(viewer=umpire, stage=stage.ordinal)
    stage_hold(viewer=umpire, reason="club evening")
    stage_hold(viewer=umpire)
    assert stage_resolve(stage=stage.pk, force=True, admiral=attack) is None
    stage.refresh_from_db()
    assert stage.status == "closed"
    stage_release(viewer=umpire, stage=stage.ordinal)
    resolution = stage_resolve(stage=stage.pk, admiral=attack)
    assert resolution is not None
    assert resolution.here
    assert list(Act.objects.order_by("pk").values_list("verb", flat=True)) == ["hold", "release"]
