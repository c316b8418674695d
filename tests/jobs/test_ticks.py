"""The clock's ticks: due work becomes a job, and a stage is resolved once despite repetitions."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from campaign.kinds import StageStatus
from campaign.models import Faction, LedgerRow, Notification, Stage
from campaign.selectors.due import STAGE_RESOLVE
from campaign.services.campaigns import membership_add
from campaign.tasks import DELIVER, deliver
from config.celery import TIMETABLE, app
from jobs.models import DONE, Job
from jobs.services import job_run
from tests.sealing import orders_seal
from tests.umpire.services.wars import play_until, start_campaign
from umpire.tasks import tick

pytestmark = pytest.mark.django_db


def played() -> Stage:
    """Return the deployment of three factions with players, which waits for all of them."""
    campaign, stage = start_campaign("three-powers")
    for faction in Faction.objects.filter(campaign=campaign):
        user = User.objects.create_user(faction.key)
        membership_add(campaign=campaign, user=user, role="player", faction=faction)
    return stage


def overdue() -> Stage:
    """Return a stage after its deadline."""
    stage = played()
    past = timezone.now() - timedelta(minutes=1)
    Stage.objects.filter(pk=stage.pk).update(opens=past - timedelta(days=2), closes=past)
    return stage


def run_all() -> int:
    """Do what workers would do now; return how many jobs they finished."""
    return sum(job_run(job=job.pk) for job in Job.objects.exclude(status=DONE))


def test_due_stage_is_one_job_for_any_number_of_ticks() -> None:
    stage = overdue()
    for _ in range(3):
        tick()
    job = Job.objects.get()
    assert (job.kind, job.args) == (STAGE_RESOLVE, {"stage": stage.pk})
    assert run_all() == 1
    stage.refresh_from_db()
    job.refresh_from_db()
    assert (stage.status, job.result) == (StageStatus.RESOLVED, {"resolved": True})
    tick()
    assert run_all() == 0
    assert LedgerRow.objects.count() == 1


def test_repeated_job_of_a_resolved_stage_changes_nothing() -> None:
    overdue()
    tick()
    run_all()
    before = list(LedgerRow.objects.values_list("hash", flat=True))
    Job.objects.update(status="waiting", done_at=None, send_at=timezone.now())
    assert run_all() == 1
    assert list(LedgerRow.objects.values_list("hash", flat=True)) == before


def test_stage_before_its_deadline_stays_open() -> None:
    played()
    tick()
    assert not Job.objects.exists()


def test_abandoned_computer_war_is_left_to_its_starter() -> None:
    campaign, _ = start_campaign()
    tick()
    assert not Job.objects.exists()
    membership_add(campaign=campaign, user=User.objects.create_user("ada"), role="host")
    tick()
    assert Job.objects.count() == 1


def test_last_seal_starts_a_worker_and_the_next_due_stage_follows(
    django_capture_on_commit_callbacks: Any,
) -> None:
    campaign, first = start_campaign()
    stage = play_until("orders", first)
    ember = Faction.objects.get(campaign=campaign, key="ember")
    membership_add(
        campaign=campaign, user=User.objects.create_user("ada"), role="player", faction=ember
    )
    with django_capture_on_commit_callbacks(execute=True):
        orders_seal(stage=stage, faction=ember, payload={"schema": 1})
    assert Job.objects.get().args == {"stage": stage.pk}
    run_all()
    stage.refresh_from_db()
    assert stage.status == StageStatus.RESOLVED


def test_outbox_is_one_job_if_anything_is_due() -> None:
    deliver()
    assert not Job.objects.exists()
    user = User.objects.create_user("ada")
    Notification.objects.create(
        user=user, dedupe_key="later", body="b", due_at=timezone.now() + timedelta(hours=1)
    )
    deliver()
    assert not Job.objects.exists()
    Notification.objects.create(user=user, dedupe_key="now", body="b")
    deliver()
    deliver()
    assert Job.objects.get().kind == DELIVER
    assert run_all() == 1
    assert set(Job.objects.get().result or {}) == {"sent"}


def test_every_schedule_entry_is_a_task_and_dropped_when_stale() -> None:
    app.loader.import_default_modules()
    for name, every in TIMETABLE:
        assert name in app.tasks
        assert app.conf.beat_schedule[name]["options"]["expires"] == every
