"""The machine's clock is set an hour back, or two days ahead and back.

No job is lost, and none runs twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from celery.app.base import Celery
from celery.beat import Scheduler
from django.utils import timezone

from config import celery
from jobs import kinds, services
from jobs.kinds import Kind
from jobs.models import RUNNING, Job
from jobs.services import LEASE, job_enqueue, job_run, jobs_sweep

pytestmark = pytest.mark.django_db
KIND = "tests.clocks"
HOUR, LEASE_SECONDS = timedelta(hours=1), LEASE.total_seconds()


def work(args: Mapping[str, Any]) -> int:
    return 7


def failing(args: Mapping[str, Any]) -> int:
    raise ValueError


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the messages sent, by row."""
    messages: list[int] = []
    monkeypatch.setattr(services, "message_send", lambda job, _lane: messages.append(job))
    work, failing = Kind(f"{__name__}.work"), Kind(f"{__name__}.failing")
    monkeypatch.setattr(kinds, "_kinds", {KIND: work, "failing": failing})
    monkeypatch.setattr(services, "_last_beats", {})
    return messages


def of_a_dead_worker() -> Job:
    job = job_enqueue(kind=KIND, args={}, dedupe_key="dead")
    claimed = services._claim(job.pk, "a dead worker")
    assert claimed is not None
    return claimed


@pytest.mark.parametrize("set_by", [-48 * HOUR, -HOUR, 0 * HOUR, 48 * HOUR])
def test_job_of_a_dead_worker_is_done_despite_the_clock(set_by: timedelta, sent: list[int]) -> None:
    job = of_a_dead_worker()
    now = timezone.now() + set_by
    assert jobs_sweep(now=now, steady=100.0) == 0
    assert jobs_sweep(now=now, steady=99.0 + LEASE_SECONDS) == 0
    assert jobs_sweep(now=now, steady=100.0 + LEASE_SECONDS) == 1
    assert sent == [job.pk]
    assert job_run(job=job.pk)


@pytest.mark.parametrize("set_by", [-48 * HOUR, -HOUR, 48 * HOUR])
def test_job_of_a_live_worker_is_left_alone(set_by: timedelta, sent: list[int]) -> None:
    job = of_a_dead_worker()
    for steady in range(0, 100, 2):
        assert services._beat(job.pk, "a dead worker")  # not dead
        assert jobs_sweep(now=timezone.now() + set_by, steady=float(steady)) == 0
    assert Job.objects.get().status == RUNNING


def test_job_that_changed_workers_is_watched_again(sent: list[int]) -> None:
    job = of_a_dead_worker()
    jobs_sweep(steady=0.0)
    Job.objects.update(owner="another")
    assert jobs_sweep(steady=LEASE_SECONDS) == 0
    assert jobs_sweep(steady=2 * LEASE_SECONDS) == 1
    assert sent == [job.pk]


@pytest.mark.parametrize("ahead", [HOUR, 48 * HOUR])
def test_untaken_waiting_job_is_sent_again(ahead: timedelta, sent: list[int]) -> None:
    """It was queued while the clock was fast, its message was lost, and the clock was set back."""
    now = timezone.now()
    job = job_enqueue(kind=KIND, args={}, dedupe_key="lost", now=now + ahead)
    assert jobs_sweep(now=now) == 1
    assert sent == [job.pk]
    assert jobs_sweep(now=now) == 0
    assert jobs_sweep(now=now + LEASE) == 1


def test_failed_job_waits_no_longer_than_necessary(sent: list[int]) -> None:
    job = job_enqueue(kind="failing", args={}, dedupe_key="failing")
    for _ in range(5):
        job_run(job=job.pk)
    now = timezone.now()
    assert jobs_sweep(now=now) == 0
    assert jobs_sweep(now=now - timedelta(minutes=5)) == 1
    assert sent == [job.pk]


def test_schedule_continues_when_the_clock_is_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds, sent_names = [1000.0], list[str]()
    monkeypatch.setattr(celery, "time", SimpleNamespace(monotonic=lambda: seconds[0]))
    clock = Scheduler(celery.app, lazy=True)
    clock.update_from_dict(celery.schedule())
    monkeypatch.setattr(
        clock, "apply_async", lambda entry, **_options: sent_names.append(entry.name)
    )
    for step in range(20):
        if step == 10:  # the time of day for Celery
            monkeypatch.setattr(Celery, "now", lambda _app: timezone.now() - HOUR)
        while clock.tick() == 0:
            continue
        seconds[0] += 1.0
    assert {sent_names.count("jobs.sweep"), sent_names.count("umpire.tick")} == {9, 3}
