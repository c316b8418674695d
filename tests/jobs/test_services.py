"""Jobs in one process: one row for the same work, one owner at a time, nothing lost or revealed."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError as DatabaseAway
from django.utils import timezone
from kombu.exceptions import OperationalError
from redis.exceptions import ResponseError

from jobs import kinds, services
from jobs.models import DONE, RUNNING, WAITING, Job
from jobs.services import (
    LEASE,
    OUTAGE_PAUSE,
    job_enqueue,
    job_run,
    jobs_forget,
    jobs_sweep,
    message_send,
)

pytestmark = pytest.mark.django_db
KIND = "tests.work"
done_work: list[Mapping[str, Any]] = []
enough = threading.Event()


def work(args: Mapping[str, Any]) -> int:
    done_work.append(args)
    return 7


def failing(args: Mapping[str, Any]) -> None:
    raise ValueError("the second fleet goes to Sol")


def full(args: Mapping[str, Any]) -> None:
    raise DatabaseAway("database or disk is full")


def patient(args: Mapping[str, Any]) -> bool:
    return enough.wait(30)


def enqueue_again(args: Mapping[str, Any]) -> int:
    if not done_work:
        done_work.append(args)
        ask()
    return 7


def lose_lease(args: Mapping[str, Any]) -> int:
    Job.objects.update(owner="a thief")
    return 7


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the messages sent, by row."""
    messages: list[int] = []
    monkeypatch.setattr(services, "message_send", lambda job, _lane: messages.append(job))
    monkeypatch.setattr(kinds, "_kinds", {})
    done_work.clear()
    set_handler(work)
    return messages


def set_handler(function: Any) -> None:
    kinds.kind_register(kind=KIND, handler=f"{__name__}.{function.__name__}")


def ask() -> Job:
    return job_enqueue(kind=KIND, args={"stage": 3}, dedupe_key="work/3")


def test_message_is_sent_after_the_commit(
    sent: list[int], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        job = ask()
        assert sent == []
    assert sent == [job.pk]


def test_same_work_is_one_row_and_runs_once(sent: list[int]) -> None:
    assert ask().pk == ask().pk
    job = Job.objects.get()
    assert [job_run(job=job.pk), job_run(job=job.pk)] == [True, False]
    job.refresh_from_db()
    assert (job.status, job.result, job.attempts, len(done_work)) == (DONE, 7, 1, 1)


def test_finished_work_can_be_requested_again() -> None:
    job_run(job=ask().pk)
    again = ask()
    assert (again.status, again.result, again.done_at) == (WAITING, None, None)
    assert job_run(job=again.pk)
    assert len(done_work) == 2


def test_work_requested_while_running_runs_once_more() -> None:
    set_handler(enqueue_again)
    job = ask()
    assert job_run(job=job.pk)
    job.refresh_from_db()
    assert (job.status, job.again) == (WAITING, False)
    assert job_run(job=job.pk)
    job.refresh_from_db()
    assert job.status == DONE


def test_running_job_belongs_to_its_worker() -> None:
    job = ask()
    Job.objects.update(status=RUNNING, owner="somebody", send_at=None)
    assert not job_run(job=job.pk)
    assert done_work == []


def test_worker_without_the_lease_writes_nothing() -> None:
    set_handler(lose_lease)
    job = ask()
    assert not job_run(job=job.pk)
    job.refresh_from_db()
    assert (job.status, job.owner, job.result) == (RUNNING, "a thief", None)


def test_failure_is_named_without_text_and_retried_later(sent: list[int]) -> None:
    set_handler(failing)
    job = ask()
    for attempt in (1, 2, 3):
        before = timezone.now()
        assert not job_run(job=job.pk)
        job.refresh_from_db()
        assert job.send_at is not None
        assert (job.status, job.attempts) == (WAITING, attempt)
        assert (
            timedelta(seconds=2**attempt)
            <= job.send_at - before
            < timedelta(seconds=2**attempt + 60)
        )
    assert job.error.startswith("ValueError in failing, test_services.py:")
    assert "Sol" not in job.error
    assert jobs_sweep() == 0
    assert jobs_sweep(now=job.send_at) == 1
    assert sent == [job.pk]
    set_handler(work)
    assert job_run(job=job.pk)
    job.refresh_from_db()
    assert (job.status, job.error) == (DONE, "")


def test_full_disk_is_retried_within_seconds() -> None:
    set_handler(full)
    job = ask()
    Job.objects.update(attempts=12)
    assert not job_run(job=job.pk)
    job.refresh_from_db()
    assert job.send_at is not None
    assert job.send_at - timezone.now() <= timedelta(seconds=OUTAGE_PAUSE)


def test_work_waits_for_a_worker() -> None:
    job = job_enqueue(kind="tests.nobody", args={}, dedupe_key="nobody")
    assert not job_run(job=job.pk)
    job.refresh_from_db()
    assert job.error.startswith("LookupError")


def test_sweep_sends_only_forgotten_jobs(sent: list[int]) -> None:
    stale_job, fresh, done_job = (job_enqueue(kind=KIND, args={}, dedupe_key=key) for key in "abc")
    now = timezone.now()
    Job.objects.filter(pk=stale_job.pk).update(send_at=now - LEASE)
    job_run(job=done_job.pk)
    assert jobs_sweep(now=now) == 1
    assert sent == [stale_job.pk]
    assert jobs_sweep(now=now) == 0  # its message is on the way
    assert Job.objects.get(pk=fresh.pk).status == WAITING


@pytest.mark.parametrize(
    "error", [OperationalError("refused"), NotADirectoryError(20, "broker"), ResponseError("OOM")]
)
def test_row_waits_without_a_broker_and_nobody_blocks(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    tried: list[Any] = []

    def away(*args: Any, **options: Any) -> None:
        tried.append(options)
        raise error

    monkeypatch.setattr("celery.current_app.send_task", away)
    monkeypatch.setattr(services, "_next_try", 0.0)
    job = ask()
    for _ in range(3):
        message_send(job.pk)
    assert Job.objects.get().status == WAITING
    assert len(tried) == 1
    monkeypatch.setattr(services, "_next_try", 0.0)
    message_send(job.pk)
    assert len(tried) == 2


def test_old_rows_are_deleted_only_when_finished() -> None:
    job_run(job=ask().pk)
    job_enqueue(kind=KIND, args={}, dedupe_key="waiting")
    assert jobs_forget(before=timezone.now() + timedelta(days=1)) == 1
    assert list(Job.objects.values_list("dedupe_key", flat=True)) == ["waiting"]


def test_worker_sends_heartbeats(monkeypatch: pytest.MonkeyPatch) -> None:
    beats: list[int] = []

    def beat(job: int, owner: str) -> bool:
        beats.append(job)
        if len(beats) == 3:
            enough.set()
        return True

    enough.clear()
    monkeypatch.setattr(services, "HEARTBEAT", 0.01)
    monkeypatch.setattr(services, "_beat", beat)
    set_handler(patient)
    job = ask()
    assert job_run(job=job.pk)
    job.refresh_from_db()
    assert job.result is True
    assert beats[:3] == [job.pk] * 3


def test_only_the_owner_sends_heartbeats() -> None:
    job = ask()
    Job.objects.update(status=RUNNING, owner="me", send_at=None)
    assert not services._beat(job.pk, "another")
    assert services._beat(job.pk, "me")
    job.refresh_from_db()
    assert job.beats == 1
