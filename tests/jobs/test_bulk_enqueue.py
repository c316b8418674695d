"""Many jobs at once: queued with few queries for any backlog, and done by whoever began with one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from jobs import kinds, services
from jobs.kinds import Kind
from jobs.models import DONE, RUNNING, WAITING, Job
from jobs.services import MAX_MESSAGES, job_run, jobs_enqueue, jobs_work

pytestmark = pytest.mark.django_db
KIND = "tests.many"
done_work: list[int] = []


def work(args: Mapping[str, Any]) -> int:
    done_work.append(args["number"])
    return int(args["number"])


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the messages sent, by row."""
    messages: list[int] = []
    monkeypatch.setattr(services, "message_send", lambda job, _lane: messages.append(job))
    monkeypatch.setattr(kinds, "_kinds", {KIND: Kind(f"{__name__}.work")})
    done_work.clear()
    return messages


def ask(many: int, more: int = 0) -> int:
    jobs = {f"many/{number}": {"number": number + more} for number in range(many)}
    return jobs_enqueue(kind=KIND, requests=jobs)


def queries(many: int) -> int:
    with CaptureQueriesContext(connection) as captured:
        ask(many)
    return len(captured)


def test_many_jobs_cost_the_queries_of_one_and_few_messages(
    sent: list[int], django_capture_on_commit_callbacks: Any
) -> None:
    assert queries(1) == 3
    with django_capture_on_commit_callbacks(execute=True):
        assert queries(301) <= 9  # SQLite inserts the new rows in several parts
    assert Job.objects.filter(status=WAITING).count() == 301
    assert len(sent) == MAX_MESSAGES


def test_waiting_jobs_cost_one_query_and_no_message(
    sent: list[int], django_capture_on_commit_callbacks: Any
) -> None:
    assert ask(300) == 300
    with django_capture_on_commit_callbacks(execute=True):
        assert queries(300) == 1
        assert ask(300) == 0
    assert sent == []


def test_run_begins_after_every_request_for_its_job() -> None:
    ask(5)
    rows = list(Job.objects.order_by("pk"))
    for row in rows[:2]:
        assert job_run(job=row.pk)
    Job.objects.filter(pk=rows[2].pk).update(status=RUNNING, owner="somebody", send_at=None)
    assert ask(5, more=10) == 2  # those that were done
    rows = list(Job.objects.order_by("pk"))
    assert [row.status for row in rows] == [WAITING, WAITING, RUNNING, WAITING, WAITING]
    assert [row.again for row in rows] == [False, False, True, False, False]
    assert [row.args["number"] for row in rows] == [10, 11, 12, 13, 14]


def test_worker_continues_with_waiting_jobs(
    monkeypatch: pytest.MonkeyPatch, sent: list[int]
) -> None:
    monkeypatch.setattr(services, "TURN_SECONDS", 3600.0)  # on any slow machine
    ask(10)
    resting = Job.objects.order_by("pk")[7]
    Job.objects.filter(pk=resting.pk).update(attempts=3)  # failed, and waits
    assert jobs_work(job=Job.objects.order_by("pk")[4].pk) == 9
    assert sorted(done_work) == [0, 1, 2, 3, 4, 5, 6, 8, 9]
    assert done_work[0] == 4
    assert list(Job.objects.exclude(status=DONE)) == [resting]
    assert sent == []


def test_worker_announces_remaining_jobs_after_its_turn(
    monkeypatch: pytest.MonkeyPatch, sent: list[int]
) -> None:
    """So the clock's messages get their turn."""
    ask(10)
    monkeypatch.setattr(services, "TURN_SECONDS", 0.0)
    first, second = Job.objects.order_by("pk")[:2]
    assert jobs_work(job=first.pk) == 1
    assert sent == [second.pk]
    assert Job.objects.filter(status=WAITING, send_at__gt=timezone.now()).count() == 9


def test_self_following_job_leaves_one_message_per_turn(
    monkeypatch: pytest.MonkeyPatch, sent: list[int], django_capture_on_commit_callbacks: Any
) -> None:
    """Two would multiply with every turn, and the clock's messages would wait behind them and
    expire.
    """
    ask(1)
    row = Job.objects.get()

    def again(args: Mapping[str, Any]) -> int:
        ask(1)
        return work(args)

    monkeypatch.setattr(services, "handler_of", lambda _: again)
    monkeypatch.setattr(services, "TURN_SECONDS", 0.0)
    for turn in range(1, 4):
        with django_capture_on_commit_callbacks(execute=True):
            assert jobs_work(job=row.pk) == 1
        assert (len(done_work), sent) == (turn, [row.pk] * turn)
    monkeypatch.setattr(services, "handler_of", lambda _: work)
    monkeypatch.setattr(services, "TURN_SECONDS", 9.0)
    assert jobs_work(job=row.pk) == 1
    assert len(sent) == 3
