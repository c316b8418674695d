"""Jobs: enqueued, and run each by one worker at a time, by the handler that its app has named for the kind.

Whatever happens to messages, workers and brokers: a row that is not done gets a message again by the sweep, and of all
who read it one at a time may run it. A handler gets the job's `args` and may run more than once for one job, even twice
at the same moment after a lease was lost: what it does must come to the same. What it returns is kept in the row and
must be JSON without secrets.

Clocks are set: an hour back, or two days ahead and back. So no running job is judged by the time of day. Its worker
counts its beats up while it works; who sees the same beat for longer than a lease of its own steady time takes it back.
A waiting job is sent at its time, and also where that lies further ahead than it can have been put: then the clock was
set back since.
"""

from __future__ import annotations

import threading
import time
import traceback
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

import structlog
from celery import current_app
from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.module_loading import import_string

from jobs.models import DONE, RUNNING, WAITING, Job

RUN = "jobs.run"
PAUSE = 5.0  # seconds without a message after one that failed: nobody waits for a broker that is known to be away
log = structlog.get_logger(__name__)
_next_try = 0.0  # time.monotonic

Handler = Callable[[Mapping[str, Any]], Any]
_handlers: dict[str, str] = {}

HEARTBEAT = settings.JOB_LEASE_SECONDS / 3
AT_ONCE = 500  # rows named in one query
WOKEN = 8  # messages for many jobs; whoever takes one goes on with what waits
TURN = 1.0  # seconds after which a worker looks at its messages again: the clock's are among them
CANDIDATES = 4  # waiting rows that a worker tries to claim before it asks anew

Args = Mapping[str, Any]

LEASE = timedelta(seconds=settings.JOB_LEASE_SECONDS)  # a worker that is silent for so long is dead
LONGEST_PAUSE = 600  # seconds between two attempts of a job that fails
OUTAGE_PAUSE = 15  # the same where the database could not be used: it may be there, or have room, any moment
SENT_AT_ONCE = 20  # messages of one sweep; whoever takes one goes on with what waits (jobs.services.jobs_work)

Beat = tuple[str, int]  # of which owner, and how many
_seen: dict[
    int, tuple[Beat, float]
] = {}  # running row to its beat, and since when this process has seen it stand there


def message_send(job: int) -> None:
    """Tell the workers of a row. Whatever keeps the message from them, the row itself waits for the next sweep.

    Every transport raises errors of its own kind (OSError, kombu's, redis's), and none of them may undo or deny what
    is already stored: they are logged, and that is all.
    """
    global _next_try  # noqa: PLW0603 known to the whole process
    if time.monotonic() < _next_try:
        return
    try:
        current_app.send_task(RUN, args=(job,), ignore_result=True, retry=False)
    except Exception as error:  # noqa: BLE001 see above
        _next_try = time.monotonic() + PAUSE
        log.warning("broker-away", job=job, kind=type(error).__name__)


def kind_register(*, kind: str, handler: str) -> None:
    """From now on the function of this dotted name does the jobs of this kind. It is imported at the first job."""
    _handlers[kind] = handler


def handlers_load() -> None:
    """Import the handlers of all kinds, before the first job."""
    for name in _handlers.values():
        import_string(name)


def handler_of(kind: str) -> Handler:
    """The handler of a kind. Raises LookupError where nobody does it."""
    if kind not in _handlers:
        raise LookupError(f"nobody does jobs of kind {kind}")
    found: Handler = import_string(_handlers[kind])
    return found


def job_enqueue(*, kind: str, args: Args, dedupe_key: str, now: datetime | None = None) -> Job:
    """The job of this key, made or asked for again, as `jobs_enqueue` does."""
    jobs_enqueue(kind=kind, asked={dedupe_key: args}, now=now)
    return Job.objects.get(dedupe_key=dedupe_key)


def jobs_enqueue(*, kind: str, asked: Mapping[str, Args], now: datetime | None = None) -> int:
    """Let the jobs of these keys run, each with its arguments; how many wait that did not wait before.

    Of each at least one whole run begins after this call: a waiting row stays as it is, a running one runs once more
    afterwards, a done one is waiting again. Messages go out after the commit.
    """
    moment, keys, woken = now or timezone.now(), list(asked), list[str]()
    for start in range(0, len(keys), AT_ONCE):
        woken += _ask(kind, {key: dict(asked[key]) for key in keys[start : start + AT_ONCE]}, moment)
    if woken:
        rows = list(Job.objects.filter(dedupe_key__in=woken[:WOKEN]).order_by("pk").values_list("pk", flat=True))
        transaction.on_commit(lambda: _send(rows))
    return len(woken)


def jobs_work(*, job: int) -> int:
    """Do a job where it is free, and for a turn the others that wait for their first attempt; how many were finished.

    Where more wait then, a message says so, and whoever takes it goes on.
    """
    begun, finished = monotonic(), int(job_run(job=job))
    while True:
        fresh = Job.objects.filter(status=WAITING, attempts=0).order_by("send_at", "pk")
        rows = list(fresh.values_list("pk", flat=True)[:CANDIDATES])
        if not rows:
            return finished
        for row in rows:
            if monotonic() - begun >= TURN:
                message_send(row)
                return finished
            finished += job_run(job=row)


def job_run(*, job: int) -> bool:
    """Do a job where it is free: claim it, beat while the handler works, write what came out.

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


def jobs_forget(*, before: datetime) -> int:
    """Remove the rows done before a moment; how many."""
    return Job.objects.filter(status=DONE, done_at__lt=before).delete()[0]


def _send(rows: list[int]) -> None:
    for row in rows:
        message_send(row)


def _ask(kind: str, asked: dict[str, dict[str, Any]], moment: datetime) -> list[str]:
    """Let a run of each begin after this moment, whatever the rows do meanwhile; the keys that did not wait before."""
    woken: list[str] = []
    while asked:
        rows = Job.objects.filter(dedupe_key__in=asked).values_list("pk", "dedupe_key", "status", "args")
        found = {key: (row, status, args) for row, key, status, args in rows}
        new = [key for key in asked if key not in found]
        Job.objects.bulk_create(
            [Job(kind=kind, args=asked[key], dedupe_key=key, send_at=moment + LEASE, asked_at=moment) for key in new],
            ignore_conflicts=True,  # whoever was quicker asked for a run that has not begun
        )
        done = {row: key for key, (row, status, _) in found.items() if status == DONE}
        running = {row: key for key, (row, status, _) in found.items() if status == RUNNING}
        changed = {row: key for key, (row, _, args) in found.items() if args != asked[key]}
        for row, key in changed.items():
            Job.objects.filter(pk=row).update(args=asked[key])
        fresh = {"send_at": moment + LEASE, "asked_at": moment, "attempts": 0, "error": "", "result": None}
        Job.objects.filter(pk__in=done, status=DONE).update(status=WAITING, done_at=None, **fresh)
        marked = Job.objects.filter(pk__in=running, status=RUNNING).update(again=True)
        woken += [*new, *done.values()]
        # what ran and is done by now, or was given new arguments after it began, is asked again
        missed = set(running.values()) if marked < len(running) else set[str]()
        if changed:
            begun = Job.objects.filter(pk__in=changed, again=False).exclude(status=WAITING)
            missed |= set(begun.values_list("dedupe_key", flat=True))
        asked = {key: args for key, args in asked.items() if key in missed}
    return woken


def _claim(job: int, owner: str) -> Job | None:
    """The row, now this owner's, or None: it is done, or somebody else's."""
    claimed = Job.objects.filter(pk=job, status=WAITING).update(
        status=RUNNING, owner=owner, send_at=None, beats=F("beats") + 1, attempts=F("attempts") + 1, again=False
    )
    return Job.objects.get(pk=job) if claimed else None


def _finish(job: int, owner: str, result: Any) -> bool:
    """Write the result with the row, all or nothing, where the row is still this owner's.

    Of one that was asked for again no message goes out: `jobs_work` does it, or sends one for what is next in line. A
    job that follows itself would else leave a message behind each time, for the clock's to wait behind.
    """
    moment, mine = timezone.now(), Job.objects.filter(pk=job, owner=owner, status=RUNNING)
    if mine.filter(again=False).update(status=DONE, owner="", done_at=moment, result=result, error=""):
        return True
    return bool(
        mine.update(
            status=WAITING, owner="", again=False, attempts=0, asked_at=moment, result=result, send_at=moment + LEASE
        )
    )


def _give_back(row: Job, owner: str, error: Exception) -> None:
    """Note a failure and let the row wait for its next attempt."""
    Job.objects.filter(pk=row.pk, owner=owner).update(
        status=WAITING,
        owner="",
        again=False,
        send_at=timezone.now() + pause_after(row.attempts, outage=isinstance(error, OperationalError)),
        error=_named(error),
    )


def _named(error: Exception) -> str:
    """A failure's class and place; its text might tell what players ordered."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {last.name}, {last.filename.rsplit('/', 1)[-1]}:{last.lineno}"[:400]


def _beat(job: int, owner: str) -> bool:
    """Show that the owner lives, where the row is still his."""
    return bool(Job.objects.filter(pk=job, owner=owner, status=RUNNING).update(beats=F("beats") + 1))


@contextmanager
def _heartbeat(job: int, owner: str) -> Iterator[None]:
    """Beat from another thread while the block works."""
    over = threading.Event()

    def beat() -> None:
        try:
            while not over.wait(HEARTBEAT) and _beat(job, owner):
                continue
        except Exception:  # without beats the job is taken back and done again
            log.exception("heartbeat-failed", job=job)
        finally:
            connection.close()

    thread = threading.Thread(target=beat, name=f"beat-{job}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def jobs_sweep(*, now: datetime | None = None, steady: float | None = None) -> int:
    """Take back what stands still and send a message for every waiting row whose time has come; how many were sent.

    `now`: the time of day; `steady`: seconds of a clock that only goes forward.
    """
    moment = now or timezone.now()
    _take_back(moment, monotonic() if steady is None else steady)
    late = Q(send_at__lte=moment) | Q(send_at__gt=moment + LEASE)
    waiting = Job.objects.filter(late, status=WAITING).order_by("send_at", "pk")
    found = waiting.values_list("pk", "send_at", "attempts")[: 10 * SENT_AT_ONCE]
    rows = [row for row, send_at, attempts in found if send_at and _comes(send_at, attempts, moment)][:SENT_AT_ONCE]
    waiting.filter(pk__in=rows).update(send_at=moment + LEASE)
    for row in rows:
        message_send(row)
    return len(rows)


def pause_after(attempts: int, *, outage: bool = False) -> timedelta:
    """The time a job rests that has failed so often. `outage`: it could not use the database."""
    return timedelta(seconds=min(2**attempts, OUTAGE_PAUSE if outage else LONGEST_PAUSE))


def _comes(send_at: datetime, attempts: int, now: datetime) -> bool:
    return send_at <= now or send_at > now + LEASE + pause_after(attempts)


def _take_back(now: datetime, steady: float) -> None:
    """Let the running rows wait whose owners have stood still for a lease."""
    before, running = dict(_seen), Job.objects.filter(status=RUNNING)
    _seen.clear()
    for row, owner, beats in running.values_list("pk", "owner", "beats"):
        beat = (owner, beats)
        last, since = before.get(row, (beat, steady))
        if last != beat:
            since = steady
        if steady - since < LEASE.total_seconds():
            _seen[row] = (beat, since)
        else:  # only where it stands there still
            running.filter(pk=row, owner=owner, beats=beats).update(status=WAITING, owner="", again=False, send_at=now)
