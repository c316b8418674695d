"""Enqueue background jobs and run them, each by one worker at a time.

Each app registers a handler for its kinds of jobs (`jobs.kinds`). Messages, workers and brokers may
fail: the sweep sends a new message for every row that is not done, and only one worker at a time
can claim a row. A handler is called with the job's `args`. It may run more than once for one job,
even twice at the same time after a lease was lost, so it must be idempotent. Its return value is
stored in the row and must be JSON without secrets.

System clocks may be set back or forward, so the time of day never decides whether a running job has
failed. The worker increments the row's `beats` while it works. The sweep takes the row back when it
has seen the same count for longer than one lease of its own monotonic clock. A waiting job gets its
message at `send_at`, or at once if `send_at` is further ahead than any pause allows: then the clock
was set back.

Jobs use the budget of an account. At most one job of an account runs at a time. A worker process
runs the jobs of its lanes (`jobs.models.LANES`), short jobs first. If a handler returns
`Unfinished`, it is called again after the jobs that are already waiting. This is how long work is
split into slices.

If its kind has a limit of tries, a job is quarantined after that many failures in a row; killing
its worker counts as a failure, a database outage does not. A quarantined job runs again on request
(`job_retry`) and once after each release (`jobs_retry_by_release`).
"""

from __future__ import annotations

import threading
import time
import traceback
import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from typing import Any, NamedTuple

import structlog
from celery import current_app
from django.conf import settings
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, When
from django.utils import timezone

from jobs.kinds import handler_of, is_hopeless, lane_of, notify_quarantined
from jobs.models import DONE, LONG, QUARANTINED, RUNNING, SHORT, WAITING, Job

RUN = "jobs.run"
# Seconds without sending after a message failed, so that requests do not wait for a broker that is
# down.
PAUSE = 5.0
log = structlog.get_logger(__name__)
_next_try = 0.0  # time.monotonic
_lane: ContextVar[str] = ContextVar("lane", default=SHORT)

HEARTBEAT = settings.JOB_LEASE_SECONDS / 3
BATCH_SIZE = 500  # rows per query
MAX_MESSAGES = 8  # messages per call; a worker that receives one also runs other waiting jobs
# Seconds until a worker checks its messages again, which include the timetable's.
TURN_SECONDS = 1.0
CANDIDATES = 4  # waiting rows that a worker tries to claim before it queries again
LONG_AFTER = 3.0  # seconds; a job with a longer run moves to the long lane

# For processes that serve several lanes.
LANE_ORDER = Case(When(lane=SHORT, then=0), When(lane=LONG, then=2), default=1)
WORKER_DIED = "the worker died"  # stored as the error of a job without another one
MAX_ERROR_LENGTH = 400  # of the column

Args = Mapping[str, Any]

# A worker without a beat for this long is dead.
LEASE = timedelta(seconds=settings.JOB_LEASE_SECONDS)
LONGEST_PAUSE = 600  # longest pause in seconds between two attempts of a failing job
OUTAGE_PAUSE = 15  # seconds, the same after a database outage, which may end at any moment
# Messages in one sweep; a worker that receives one also runs other waiting jobs.
MESSAGES_PER_SWEEP = 20

Beat = tuple[str, int]  # owner and number of beats
# For each running row its last beat, and when this process first saw it (`monotonic`).
_last_beats: dict[int, tuple[Beat, float]] = {}


class JobAccount(NamedTuple):
    """The account whose budget a job uses, and the campaign that the job belongs to."""

    account: str = ""
    war: int | None = None


NO_ACCOUNT = JobAccount()


@dataclass(frozen=True, slots=True)
class Unfinished:
    """The return value of a handler that has finished only a slice of its work.

    Attributes:
        is_long: Whether many more slices are expected.
    """

    result: Any = None
    is_long: bool = False


def message_send(job: int, lane: str = SHORT) -> None:
    """Send the workers of a lane a message that names a job.

    Transports raise errors of their own types (OSError, kombu's, redis's). None of them may undo
    what is already stored, so errors are only logged. The next sweep sends the message again.
    """
    global _next_try  # noqa: PLW0603 known to the whole process
    if time.monotonic() < _next_try:
        return
    try:
        current_app.send_task(RUN, args=(job,), queue=lane, ignore_result=True, retry=False)
    except Exception as error:  # noqa: BLE001 see above
        _next_try = time.monotonic() + PAUSE
        log.warning("broker-away", job=job, kind=type(error).__name__)


def job_enqueue(
    *,
    kind: str,
    args: Args,
    dedupe_key: str,
    account: JobAccount = NO_ACCOUNT,
    now: datetime | None = None,
) -> Job:
    """Enqueue one job as `jobs_enqueue` does, and return it."""
    jobs_enqueue(kind=kind, requests={dedupe_key: args}, accounts={dedupe_key: account}, now=now)
    return Job.objects.get(dedupe_key=dedupe_key)


def jobs_enqueue(
    *,
    kind: str,
    requests: Mapping[str, Args],
    accounts: Mapping[str, JobAccount] | None = None,
    now: datetime | None = None,
) -> int:
    """Enqueue jobs by their deduplication keys.

    For each key at least one complete run begins after this call: a waiting row stays as it is, a
    running one runs again afterwards, a finished one waits again. A quarantined row stays
    quarantined. Messages are sent after the commit.

    Args:
        requests: The arguments of each job, by deduplication key.
        accounts: The account whose budget each new job uses, by deduplication key.

    Returns:
        The number of jobs that are waiting now and were not before.
    """
    moment = now or timezone.now()
    keys = list(requests)
    woken: list[str] = []
    for start in range(0, len(keys), BATCH_SIZE):
        batch = {key: dict(requests[key]) for key in keys[start : start + BATCH_SIZE]}
        woken += _request_runs(kind, batch, accounts or {}, moment)
    if woken:
        first = Job.objects.filter(dedupe_key__in=woken[:MAX_MESSAGES]).order_by("pk")
        rows = list(first.values_list("pk", "lane"))
        transaction.on_commit(lambda: _send(rows))
    return len(woken)


def jobs_work(*, job: int, lanes: Collection[str] = (SHORT, LONG)) -> int:
    """Run a job if it is free, then other jobs waiting for their first attempt until the turn is
    over.

    Short jobs go first, then those that have waited longest. If jobs are left after `TURN_SECONDS`,
    a message is sent so that a worker continues with them.

    Args:
        lanes: The lanes that this worker process serves.

    Returns:
        The number of jobs finished.
    """
    started, finished = monotonic(), 0
    if not _must_wait(job, lanes):
        finished += int(job_run(job=job))
    while True:
        rows = list(_free(lanes).values_list("pk", "lane")[:CANDIDATES])
        if not rows:
            return finished
        for row, lane in rows:
            if monotonic() - started >= TURN_SECONDS:
                message_send(row, lane)
                return finished
            finished += job_run(job=row)


def job_run(*, job: int) -> bool:
    """Claim a job if it is free, run its handler with a heartbeat, and store the result.

    If the handler fails, the failure is stored and the job is retried after a pause, or quarantined
    if it has failed too often.

    Returns:
        Whether this call finished the job.
    """
    owner = uuid.uuid4().hex
    row = _claim(job, owner)
    if row is None:
        return False
    job_log = log.bind(job=row.pk, kind=row.kind, attempt=row.attempts, account=row.account)
    started = monotonic()
    try:
        with _heartbeat(row.pk, owner):
            result = _call_handler(row)
        if isinstance(result, Unfinished):
            was_long = result.is_long or monotonic() - started >= LONG_AFTER
            next_lane = LONG if was_long and row.lane == SHORT else row.lane
            _queue_next_slice(row, owner, result.result, next_lane)
            return False
        finished = _finish(row.pk, owner, result)
    except Exception as error:  # noqa: BLE001 whatever a handler raises is noted in its row
        _store_failure(row, owner, error)
        job_log.exception("job-failed")
        return False
    job_log.info("job-done" if finished else "job-lease-lost")
    return finished


def slice_result(dedupe_key: str) -> Any:
    """Return what the last slice of a job returned; None for the first slice."""
    rows = Job.objects.filter(dedupe_key=dedupe_key)
    return rows.values_list("result", flat=True).first()


def lane_now() -> str:
    """Return the lane of the job being run here, or SHORT outside any job."""
    return _lane.get()


def job_retry(*, dedupe_key: str, now: datetime | None = None) -> bool:
    """Reset a quarantined job and make it wait again; return whether it was quarantined."""
    moment = now or timezone.now()
    again = Job.objects.filter(dedupe_key=dedupe_key, status=QUARANTINED).update(
        status=WAITING, attempts=0, failures=0, send_at=moment + LEASE, asked_at=moment
    )
    if again:
        rows = list(Job.objects.filter(dedupe_key=dedupe_key).values_list("pk", "lane"))
        transaction.on_commit(lambda: _send(rows))
    return bool(again)


def jobs_retry_by_release(*, release: str, now: datetime | None = None) -> int:
    """Let jobs that another release quarantined run once more; return their number.

    They keep their count of failures, so one more failure quarantines them again.
    """
    moment = now or timezone.now()
    others = Job.objects.filter(status=QUARANTINED).exclude(release=release)
    return others.update(status=WAITING, send_at=moment, release=release)


def _call_handler(row: Job) -> Any:
    """Call the handler of a job, with `lane_now` returning the job's lane."""
    token = _lane.set(row.lane)
    try:
        return handler_of(row.kind)(row.args)
    finally:
        _lane.reset(token)


def jobs_forget(*, before: datetime) -> int:
    """Delete the jobs finished before a moment; return their number."""
    return Job.objects.filter(status=DONE, done_at__lt=before).delete()[0]


def _send(rows: list[tuple[int, str]]) -> None:
    """Send a message for each job, given as (primary key, lane)."""
    for row, lane in rows:
        message_send(row, lane)


def _free(lanes: Collection[str]) -> QuerySet[Job]:
    """Return the jobs waiting for their first attempt whose account has none running, in running
    order.
    """
    busy = Job.objects.filter(status=RUNNING, account=OuterRef("account")).exclude(account="")
    waiting = Job.objects.filter(~Exists(busy), status=WAITING, attempts=0, lane__in=lanes)
    return waiting.order_by(LANE_ORDER, "send_at", "pk")


def _must_wait(job: int, lanes: Collection[str]) -> bool:
    """Return whether a job is a long one while short ones are waiting."""
    is_long = Job.objects.filter(pk=job, lane=LONG).exists()
    return is_long and _free(lanes).filter(lane=SHORT).exists()


class _ExistingJob(NamedTuple):
    """What decides how a job that has a row already is requested again."""

    pk: int
    dedupe_key: str
    status: str
    args: Any


def _request_runs(
    kind: str,
    requests: dict[str, dict[str, Any]],
    accounts: Mapping[str, JobAccount],
    moment: datetime,
) -> list[str]:
    """Make sure that a run of each job begins after this moment, whatever happens to the rows
    meanwhile.

    Returns:
        The keys of the jobs that were not waiting before.
    """
    woken: list[str] = []
    while requests:
        rows = Job.objects.filter(dedupe_key__in=requests)
        existing = [_ExistingJob(*row) for row in rows.values_list(*_ExistingJob._fields)]
        finished = [job for job in existing if job.status == DONE]
        running = [job for job in existing if job.status == RUNNING]
        new_keys = set(requests) - {job.dedupe_key for job in existing}
        new_requests = {key: args for key, args in requests.items() if key in new_keys}
        _insert_jobs(kind, new_requests, accounts, moment)
        changed = _update_args(existing, requests)
        Job.objects.filter(pk__in=_keys_of(finished), status=DONE).update(
            status=WAITING,
            done_at=None,
            send_at=moment + LEASE,
            asked_at=moment,
            attempts=0,
            failures=0,
            error="",
            result=None,
            lane=lane_of(kind),
        )
        marked = Job.objects.filter(pk__in=_keys_of(running), status=RUNNING).update(again=True)
        woken += [*new_requests, *(job.dedupe_key for job in finished)]
        # Request again jobs that finished meanwhile, or whose arguments changed after they began.
        missed = set(_begun_before(changed))
        if marked < len(running):
            missed |= {job.dedupe_key for job in running}
        requests = {key: args for key, args in requests.items() if key in missed}
    return woken


def _keys_of(jobs: Iterable[_ExistingJob]) -> list[int]:
    """Return the primary keys of jobs."""
    return [job.pk for job in jobs]


def _insert_jobs(
    kind: str,
    requests: Mapping[str, dict[str, Any]],
    accounts: Mapping[str, JobAccount],
    moment: datetime,
) -> None:
    """Insert a row for each request; one inserted by somebody else meanwhile serves as well."""
    rows = []
    for key, args in requests.items():
        account = accounts.get(key, NO_ACCOUNT)
        rows.append(
            Job(
                kind=kind,
                args=args,
                dedupe_key=key,
                send_at=moment + LEASE,
                asked_at=moment,
                lane=lane_of(kind),
                account=account.account,
                war=account.war,
            )
        )
    Job.objects.bulk_create(rows, ignore_conflicts=True)


def _update_args(
    existing: Iterable[_ExistingJob], requests: Mapping[str, dict[str, Any]]
) -> list[_ExistingJob]:
    """Store the arguments of the new requests; return the jobs whose arguments changed."""
    changed = []
    for job in existing:
        args = requests[job.dedupe_key]
        if args != job.args:
            Job.objects.filter(pk=job.pk).update(args=args)
            changed.append(job)
    return changed


def _begun_before(changed: Sequence[_ExistingJob]) -> list[str]:
    """Return the keys of jobs whose last run may have begun before their arguments changed."""
    if not changed:
        return []
    rows = Job.objects.filter(pk__in=_keys_of(changed), again=False, status__in=(RUNNING, DONE))
    return list(rows.values_list("dedupe_key", flat=True))


def _claim(job: int, owner: str) -> Job | None:
    """Claim a job for an owner and return its row.

    Returns None if the job is done or claimed by another owner, or if its account has a job
    running.
    """
    busy = Job.objects.filter(status=RUNNING, account=OuterRef("account")).exclude(account="")
    free = Job.objects.filter(~Exists(busy), pk=job, status=WAITING)
    try:
        with transaction.atomic():
            claimed = free.update(
                status=RUNNING,
                owner=owner,
                send_at=None,
                beats=F("beats") + 1,
                attempts=F("attempts") + 1,
                again=False,
            )
    except IntegrityError:  # another job of the account was claimed at the same moment
        return None
    if claimed:
        return Job.objects.get(pk=job)
    return None


def _finish(job: int, owner: str, result: Any) -> bool:
    """Store the result in one update if the row still belongs to this owner; return whether it did.

    A job that was requested again gets no message here: `jobs_work` runs it, or sends a message for
    the next one in line. Otherwise a job that enqueues itself would add a message each time, and
    the timetable's messages would queue behind them.
    """
    moment, mine = timezone.now(), Job.objects.filter(pk=job, owner=owner, status=RUNNING)
    if mine.filter(again=False).update(
        status=DONE, owner="", done_at=moment, result=result, error="", failures=0
    ):
        return True
    waiting = {"status": WAITING, "owner": "", "again": False, "attempts": 0, "failures": 0}
    return bool(mine.update(**waiting, asked_at=moment, result=result, send_at=moment + LEASE))


def _queue_next_slice(row: Job, owner: str, result: Any, lane: str) -> None:
    """Put a job that has finished a slice back in line, behind those already waiting."""
    own_row = Job.objects.filter(pk=row.pk, owner=owner, status=RUNNING)
    waiting = {"status": WAITING, "owner": "", "attempts": 0, "failures": 0, "error": ""}
    own_row.update(**waiting, result=result, send_at=timezone.now() + LEASE, lane=lane)
    if lane != row.lane:  # this worker may not serve that lane
        message_send(row.pk, lane)


def _store_failure(row: Job, owner: str, error: Exception) -> None:
    """Store a failure, and let the job wait for its next attempt or quarantine it."""
    is_outage = isinstance(error, OperationalError)
    failures = row.failures + (0 if is_outage else 1)
    changes = {"owner": "", "again": False, "error": _error_place(error), "failures": failures}
    own_row = Job.objects.filter(pk=row.pk, owner=owner)
    if is_hopeless(row.kind, failures) and not is_outage:
        _quarantine(row, own_row, changes)
        return
    pause = pause_after(row.attempts, outage=is_outage)
    own_row.update(**changes, status=WAITING, send_at=timezone.now() + pause)


def _quarantine(row: Job, own_row: QuerySet[Job], changes: Mapping[str, Any]) -> None:
    """Quarantine a job and notify people, both in one transaction.

    Args:
        own_row: A query for the row that matches only while it still belongs to the caller.
        changes: What else to store in the row, with the count of failures and the error.
    """
    with transaction.atomic():
        if own_row.update(**changes, status=QUARANTINED, send_at=None, release=settings.RELEASE):
            notify_quarantined(row.kind, row.args)
            log.error(
                "job-quarantined",
                job=row.pk,
                kind=row.kind,
                failures=changes["failures"],
                error=changes["error"],
            )


def _error_place(error: Exception) -> str:
    """Return the class and place of a failure; its text may contain players' orders."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    file_name = last.filename.rsplit("/", 1)[-1]
    place = f"{type(error).__name__} in {last.name}, {file_name}:{last.lineno}"
    return place[:MAX_ERROR_LENGTH]


def _beat(job: int, owner: str) -> bool:
    """Increment the beats of a job if it still belongs to this owner; return whether it does."""
    return bool(
        Job.objects.filter(pk=job, owner=owner, status=RUNNING).update(beats=F("beats") + 1)
    )


@contextmanager
def _heartbeat(job: int, owner: str) -> Iterator[None]:
    """Send beats from another thread while the block runs."""
    over = threading.Event()

    def beat() -> None:
        try:
            while not over.wait(HEARTBEAT) and _beat(job, owner):
                continue
        except Exception:  # without beats the sweep takes the job back and it runs again
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
    """Take back stalled jobs and send a message for each waiting job that is due.

    Args:
        now: The time of day.
        steady: Seconds of a monotonic clock.

    Returns:
        The number of messages sent.
    """
    moment = now or timezone.now()
    _take_back(moment, monotonic() if steady is None else steady)
    may_be_due = Q(send_at__lte=moment) | Q(send_at__gt=moment + LEASE)
    waiting = Job.objects.filter(may_be_due, status=WAITING).order_by("send_at", "pk")
    candidates = waiting.values_list("pk", "lane", "send_at", "attempts")[: 10 * MESSAGES_PER_SWEEP]
    due = []
    for row, lane, send_at, attempts in candidates:
        if send_at and _is_due(send_at, attempts, moment):
            due.append((row, lane))
    rows = due[:MESSAGES_PER_SWEEP]
    waiting.filter(pk__in=[row for row, _ in rows]).update(send_at=moment + LEASE)
    _send(rows)
    return len(rows)


def pause_after(attempts: int, *, outage: bool = False) -> timedelta:
    """Return how long a job pauses after this many attempts.

    Args:
        outage: Whether the database could not be used.
    """
    return timedelta(seconds=min(2**attempts, OUTAGE_PAUSE if outage else LONGEST_PAUSE))


def _is_due(send_at: datetime, attempts: int, now: datetime) -> bool:
    """Return whether a message is due, or further ahead than any pause: the clock was set back."""
    return send_at <= now or send_at > now + LEASE + pause_after(attempts)


def _take_back(now: datetime, steady: float) -> None:
    """Release the running jobs whose beats have not changed for a lease."""
    known_beats = dict(_last_beats)
    running = Job.objects.filter(status=RUNNING)
    _last_beats.clear()
    for row, owner, beats in running.values_list("pk", "owner", "beats"):
        beat = (owner, beats)
        last, since = known_beats.get(row, (beat, steady))
        if last != beat:
            since = steady
        if steady - since < LEASE.total_seconds():
            _last_beats[row] = (beat, since)
        else:
            unchanged_row = running.filter(pk=row, owner=owner, beats=beats)
            _release_from_dead_worker(unchanged_row, now)


def _release_from_dead_worker(unchanged_row: QuerySet[Job], now: datetime) -> None:
    """Make a job whose worker died wait again, or quarantine it after too many failures.

    Args:
        unchanged_row: A query for the row that matches only while no new beat has arrived.
    """
    row = unchanged_row.first()
    if row is None:
        return
    changes = {"owner": "", "again": False, "failures": row.failures + 1}
    if is_hopeless(row.kind, row.failures + 1):
        _quarantine(row, unchanged_row, changes | {"error": row.error or WORKER_DIED})
    else:
        unchanged_row.update(**changes, status=WAITING, send_at=now)
