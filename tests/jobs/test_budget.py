"""The budget for background work: accounts, lanes, slices, and jobs that fail again and again."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db import OperationalError as DatabaseAway
from django.utils import timezone

from jobs import kinds, services
from jobs.models import DONE, INTERACTIVE, LONG, QUARANTINED, RUNNING, SHORT, WAITING, Job
from jobs.services import (
    LEASE,
    JobAccount,
    Unfinished,
    job_enqueue,
    job_retry,
    job_run,
    jobs_retry_by_release,
    jobs_sweep,
    jobs_work,
    lane_now,
)

pytestmark = pytest.mark.django_db
KIND, FAILURE_HANDLER = "tests.budget", "tests.told"
ANN, BOB = JobAccount("user/1", 7), JobAccount("user/2", 8)
runs: list[tuple[str, str]] = []
failures: list[Mapping[str, Any]] = []


def work(args: Mapping[str, Any]) -> Any:
    """Do a job; one with `slices` left is unfinished."""
    runs.append((args["name"], lane_now()))
    if args.get("fails") == "away":
        raise DatabaseAway("disk is full")
    if args.get("fails"):
        raise ValueError("a fleet of 900 ships goes to Sol")
    many = sum(name == args["name"] for name, _ in runs)
    return Unfinished(many, is_long=True) if many < args.get("slices", 1) else many


def tell(args: Mapping[str, Any]) -> None:
    failures.append(args)


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, str]]:
    """Return the messages sent, with their lanes."""
    messages: list[tuple[int, str]] = []
    monkeypatch.setattr(services, "message_send", lambda job, lane: messages.append((job, lane)))
    monkeypatch.setattr(kinds, "_kinds", {})
    kinds.kind_register(
        kind=KIND, handler=f"{__name__}.work", tries=3, quarantined=f"{__name__}.tell"
    )
    runs.clear()
    failures.clear()
    return messages


def ask(name: str, account: JobAccount = ANN, **more: Any) -> Job:
    return job_enqueue(kind=KIND, args={"name": name, **more}, dedupe_key=name, account=account)


def names() -> list[str]:
    return [name for name, _ in runs]


def test_account_uses_one_worker_for_all_its_jobs() -> None:
    first, second, other = ask("first"), ask("second"), ask("other", BOB)
    Job.objects.filter(pk=first.pk).update(status=RUNNING, owner="a worker", send_at=None)
    assert not job_run(job=second.pk)
    assert jobs_work(job=second.pk) == 1  # what the worker does instead
    assert names() == ["other"]
    other.refresh_from_db()
    assert (other.status, other.war) == (DONE, 8)
    with pytest.raises(IntegrityError), transaction.atomic():
        Job.objects.filter(pk=second.pk).update(status=RUNNING, owner="another", send_at=None)
    Job.objects.filter(pk=first.pk).update(status=DONE, owner="", done_at=timezone.now())
    assert job_run(job=second.pk)


def test_long_job_continues_in_slices_behind_short_ones(
    sent: list[tuple[int, str]],
) -> None:
    long = ask("long", slices=3)
    assert not job_run(job=long.pk)
    long.refresh_from_db()
    assert (long.status, long.lane, long.attempts, long.result) == (WAITING, LONG, 0, 1)
    assert sent[-1] == (long.pk, LONG)
    ask("short", BOB)
    assert jobs_work(job=long.pk, lanes=(SHORT,)) == 1  # a process for short jobs only
    assert jobs_work(job=long.pk) == 1
    assert runs == [("long", SHORT), ("short", SHORT), ("long", LONG), ("long", LONG)]
    long.refresh_from_db()
    assert (long.status, long.result) == (DONE, 3)


def test_process_runs_only_jobs_of_its_queues() -> None:
    kinds.kind_register(kind=KIND, handler=f"{__name__}.work", lane=INTERACTIVE)
    odds = ask("odds")
    assert odds.lane == INTERACTIVE
    assert jobs_work(job=ask("stage", BOB).pk + 1000) == 0
    assert jobs_work(job=odds.pk + 1000, lanes=(INTERACTIVE,)) == 2


def test_repeatedly_failing_job_is_quarantined_and_reported_once() -> None:
    job = ask("stuck", fails=True)
    for _ in range(5):
        job_run(job=job.pk)
    job.refresh_from_db()
    assert (job.status, job.failures, len(runs), failures) == (QUARANTINED, 3, 3, [job.args])
    assert "Sol" not in job.error
    assert jobs_sweep(now=timezone.now() + timedelta(days=1)) == 0
    ask("stuck", fails=True)
    assert not job_run(job=job.pk)
    assert job_retry(dedupe_key="stuck")
    assert not job_retry(dedupe_key="stuck")
    Job.objects.update(args={"name": "stuck"})
    assert job_run(job=job.pk)
    assert len(failures) == 1


def test_job_that_kills_workers_is_quarantined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "_last_beats", {})
    job = ask("deadly")
    for death in range(3):
        assert Job.objects.get().status == WAITING
        Job.objects.filter(pk=job.pk).update(status=RUNNING, owner=f"worker {death}", send_at=None)
        jobs_sweep(steady=death * 1000.0)
        jobs_sweep(steady=death * 1000.0 + 2 * LEASE.total_seconds())
    job.refresh_from_db()
    assert (job.status, job.error, failures) == (QUARANTINED, "the worker died", [job.args])


def test_database_outage_is_no_failure_of_the_job() -> None:
    job = ask("patient", fails="away")
    for _ in range(5):
        job_run(job=job.pk)
    job.refresh_from_db()
    assert (job.status, job.failures, failures) == (WAITING, 0, [])


def test_new_release_tries_a_quarantined_job_once() -> None:
    job = ask("stuck", fails=True)
    for _ in range(3):
        job_run(job=job.pk)
    job.refresh_from_db()
    assert jobs_retry_by_release(release=job.release) == 0
    assert jobs_retry_by_release(release="the next one") == 1
    assert jobs_retry_by_release(release="the next one") == 0
    job_run(job=job.pk)
    job.refresh_from_db()
    assert (job.status, job.failures) == (QUARANTINED, 4)
