"""Enqueue a job, run it under a lease, and send lost ones again.

Whatever happens to messages, workers and brokers: a row that is not done gets a message again when its lease has run
out, and of all who read it one at a time may run it.
"""

from __future__ import annotations

import threading
import traceback
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Q
from django.utils import timezone

from jobs.broker import message_send
from jobs.kinds import handler_of
from jobs.models import DONE, RUNNING, WAITING, Job

LEASE = timedelta(seconds=settings.JOB_LEASE_SECONDS)
HEARTBEAT = settings.JOB_LEASE_SECONDS / 3
LONGEST_PAUSE = 600  # seconds between two attempts of a job that fails
SENT_AT_ONCE = 200  # messages of one sweep

log = structlog.get_logger(__name__)


def job_enqueue(*, kind: str, args: Mapping[str, Any], dedupe_key: str, now: datetime | None = None) -> Job:
    """The job of this key, made or asked for again. After every call at least one whole run begins.

    A waiting row stays as it is, a running one runs once more afterwards, a done one is waiting again. The message
    goes out after the commit.
    """
    moment = now or timezone.now()
    job, made = Job.objects.get_or_create(
        dedupe_key=dedupe_key,
        defaults={"kind": kind, "args": dict(args), "lease_until": moment + LEASE, "asked_at": moment},
    )
    if made or _ask_again(job, dict(args), moment):
        transaction.on_commit(lambda: message_send(job.pk))
    job.refresh_from_db()
    return job


def job_run(*, job: int) -> bool:
    """Do a job where it is free: claim it, keep its lease while the handler works, write what came out.

    Whether this call finished it. A handler's failure is noted in the row and the job tried again after a pause.
    """
    owner = uuid.uuid4().hex
    row = _claim(job, owner)
    if row is None:
        return False
    bound = log.bind(job=row.pk, kind=row.kind, attempt=row.attempts)
    try:
        with _heartbeat(row.pk, owner):
            result = handler_of(row.kind)(row.args)
        finished = _finish(row.pk, owner, result)
    except Exception as error:  # noqa: BLE001 whatever a handler raises is noted in its row
        _give_back(row, owner, error)
        bound.exception("job-failed")
        return False
    bound.info("job-done" if finished else "job-lease-lost")
    return finished


def jobs_sweep(*, now: datetime | None = None) -> int:
    """Send a message for every row that is not done and whose lease, or last message, has run out; how many."""
    moment = now or timezone.now()
    overdue = Job.objects.exclude(status=DONE).filter(lease_until__lte=moment)
    rows = list(overdue.order_by("lease_until").values_list("pk", flat=True)[:SENT_AT_ONCE])
    # a running row's lease is left alone: only a claim may take it over
    overdue.filter(pk__in=rows, status=WAITING).update(lease_until=moment + LEASE)
    for row in rows:
        message_send(row)
    return len(rows)


def jobs_forget(*, before: datetime) -> int:
    """Remove the rows done before a moment; how many."""
    return Job.objects.filter(status=DONE, done_at__lt=before).delete()[0]


def _ask_again(job: Job, args: dict[str, Any], moment: datetime) -> bool:
    """Let a run begin after this moment, whatever the row does meanwhile. Whether it needs a message."""
    row = Job.objects.filter(pk=job.pk)
    while True:
        if row.filter(status=WAITING).update(args=args) or row.filter(status=RUNNING).update(args=args, again=True):
            return False
        fresh = {"args": args, "lease_until": moment + LEASE, "asked_at": moment, "attempts": 0, "error": ""}
        if row.filter(status=DONE).update(status=WAITING, done_at=None, result=None, **fresh):
            return True


def _claim(job: int, owner: str) -> Job | None:
    """The row, now this owner's, or None: it is done, or somebody else's."""
    moment = timezone.now()
    free = Q(status=WAITING) | Q(status=RUNNING, lease_until__lte=moment)
    claimed = Job.objects.filter(free, pk=job).update(
        status=RUNNING, owner=owner, lease_until=moment + LEASE, attempts=F("attempts") + 1, again=False
    )
    return Job.objects.get(pk=job) if claimed else None


def _finish(job: int, owner: str, result: Any) -> bool:
    """Write the result with the row, all or nothing, where the row is still this owner's."""
    moment = timezone.now()
    with transaction.atomic():
        mine = Job.objects.filter(pk=job, owner=owner, status=RUNNING)
        if mine.filter(again=True).update(
            status=WAITING, owner="", again=False, attempts=0, result=result, lease_until=moment + LEASE
        ):
            transaction.on_commit(lambda: message_send(job))
            return True
        return bool(mine.update(status=DONE, owner="", lease_until=None, done_at=moment, result=result, error=""))


def _give_back(row: Job, owner: str, error: Exception) -> None:
    """Note a failure and let the row wait for its next attempt."""
    pause = timedelta(seconds=min(2**row.attempts, LONGEST_PAUSE))
    Job.objects.filter(pk=row.pk, owner=owner).update(
        status=WAITING, owner="", again=False, lease_until=timezone.now() + pause, error=_named(error)
    )


def _named(error: Exception) -> str:
    """A failure's class and place; its text might tell what players ordered."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {last.name}, {last.filename.rsplit('/', 1)[-1]}:{last.lineno}"[:400]


def _extend(job: int, owner: str) -> bool:
    """A full lease from now on, where the row is still this owner's."""
    mine = Job.objects.filter(pk=job, owner=owner, status=RUNNING)
    return bool(mine.update(lease_until=timezone.now() + LEASE))


@contextmanager
def _heartbeat(job: int, owner: str) -> Iterator[None]:
    """Extend the lease from another thread while the block works."""
    over = threading.Event()

    def beat() -> None:
        try:
            while not over.wait(HEARTBEAT) and _extend(job, owner):
                continue
        except Exception:  # without heartbeat the lease runs out and the job is done again
            log.exception("heartbeat-failed", job=job)
        finally:
            connection.close()

    thread = threading.Thread(target=beat, name=f"lease-{job}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
