"""Jobs: enqueued, and run each by one worker at a time, by the handler that its app has named for
the kind.

Whatever happens to messages, workers and brokers: a row that is not done gets a message again by
the sweep, and of all who read it one at a time may run it. A handler gets the job's `args` and may
run more than once for one job, even twice at the same moment after a lease was lost: what it does
must come to the same. What it returns is kept in the row and must be JSON without secrets.

Clocks are set: an hour back, or two days ahead and back. So no running job is judged by the time of
day. Its worker counts its beats up while it works; who sees the same beat for longer than a lease
of its own steady time takes it back. A waiting job is sent at its time, and also where that lies
further ahead than it can have been put: then the clock was set back since.

Budget: a job uses the budget of an account, and of each account one job runs at a time. A worker
process does the jobs of its lanes (`jobs.models.LANES`), short ones first. A handler that returns
`Unfinished` is called again later, after the jobs that waited meanwhile: long work is cut into
slices in this way.

A job whose kind has a limit of tries is quarantined when it has failed, or killed its worker, so
often in a row. An outage of the database is no failure. A quarantined job is tried again when
somebody asks (`job_retry`) and once by every later release (`jobs_retry_by_release`).
"""

from __future__ import annotations

import threading
import time
import traceback
import uuid
from collections.abc import Collection, Iterator, Mapping
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

from jobs.kinds import handler_of, is_hopeless, lane_of, tell_quarantined
from jobs.models import DONE, LONG, QUARANTINED, RUNNING, SHORT, WAITING, Job

RUN = "jobs.run"
# Seconds without a message after one that failed: nobody waits for a broker that is known to be
# away
PAUSE = 5.0
log = structlog.get_logger(__name__)
_next_try = 0.0  # time.monotonic
_lane: ContextVar[str] = ContextVar("lane", default=SHORT)

HEARTBEAT = settings.JOB_LEASE_SECONDS / 3
BATCH_SIZE = 500  # rows named in one query
MAX_MESSAGES = 8  # messages for many jobs; whoever takes one goes on with what waits
TURN_SECONDS = (
    1.0  # seconds after which a worker looks at its messages again: the clock's are among them
)
CANDIDATES = 4  # waiting rows that a worker tries to claim before it asks anew
LONG_AFTER = (
    3.0  # seconds that one run of a job takes; from then on it is in the lane for long ones
)

LANE_ORDER = Case(
    When(lane=SHORT, then=0), When(lane=LONG, then=2), default=1
)  # where a process does several lanes
WORKER_DIED = "the worker died"  # what is noted of a job that failed in no other way

Args = Mapping[str, Any]

LEASE = timedelta(seconds=settings.JOB_LEASE_SECONDS)  # a worker that is silent for so long is dead
LONGEST_PAUSE = 600  # seconds between two attempts of a job that fails
OUTAGE_PAUSE = (
    15  # the same where the database could not be used: it may be there, or have room, any moment
)
MESSAGES_PER_SWEEP = (
    20  # messages of one sweep; whoever takes one goes on with what waits (jobs.services.jobs_work)
)

Beat = tuple[str, int]  # of which owner, and how many
_last_beats: dict[
    int, tuple[Beat, float]
] = {}  # running row to its beat, and since when this process has seen it stand there


class JobAccount(NamedTuple):
    """Whose budget a job uses, and the campaign it belongs to."""

    account: str = ""
    war: int | None = None


NO_ACCOUNT = JobAccount()


@dataclass(frozen=True, slots=True)
class Unfinished:
    """What a handler returns that has done a slice of its work.

    `is_long`: expect many more slices.
    """

    result: Any = None
    is_long: bool = False


def message_send(job: int, lane: str = SHORT) -> None:
    """Tell the workers of a lane of a row.

    Whatever keeps the message from them, the row waits for the next sweep.

    Every transport raises errors of its own kind (OSError, kombu's, redis's), and none of them may
    undo or deny what is already stored: they are logged, and that is all.
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
    """Return the job of this key, made or asked for again, as `jobs_enqueue` does."""
    jobs_enqueue(kind=kind, requests={dedupe_key: args}, accounts={dedupe_key: account}, now=now)
    return Job.objects.get(dedupe_key=dedupe_key)


def jobs_enqueue(
    *,
    kind: str,
    requests: Mapping[str, Args],
    accounts: Mapping[str, JobAccount] | None = None,
    now: datetime | None = None,
) -> int:
    """Let the jobs of these keys run, each with its arguments; return how many wait that did not
    wait before.

    Of each at least one whole run begins after this call: a waiting row stays as it is, a running
    one runs once more afterwards, a done one is waiting again. A quarantined one stays quarantined.
    Messages go out after the commit.

    Args:
        asked: The arguments of each job by its key.
        whose: Whose budget each new job uses, by its key.
    """
    moment, keys, woken = now or timezone.now(), list(requests), list[str]()
    for start in range(0, len(keys), BATCH_SIZE):
        part = {key: dict(requests[key]) for key in keys[start : start + BATCH_SIZE]}
        woken += _ask(kind, part, accounts or {}, moment)
    if woken:
        first = Job.objects.filter(dedupe_key__in=woken[:MAX_MESSAGES]).order_by("pk")
        rows = list(first.values_list("pk", "lane"))
        transaction.on_commit(lambda: _send(rows))
    return len(woken)


def jobs_work(*, job: int, lanes: Collection[str] = (SHORT, LONG)) -> int:
    """Do a job where it is free, and for a turn the others that wait for their first attempt; how
    many were finished.

    Short jobs go first, then those that have waited longest. Where more wait after a turn, a
    message says so, and whoever takes it goes on.

    Args:
        lanes: Those whose jobs this worker process does.
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
    """Do a job where it is free: claim it, beat while the handler works, write what came out.

    Whether this call finished it. A handler's failure is noted in the row and the job tried again
    after a pause, unless it has failed too often.
    """
    owner = uuid.uuid4().hex
    row = _claim(job, owner)
    if row is None:
        return False
    bound = log.bind(job=row.pk, kind=row.kind, attempt=row.attempts, account=row.account)
    started = monotonic()
    try:
        with _heartbeat(row.pk, owner):
            result = _call_handler(row)
        lane = LONG if row.lane == SHORT and monotonic() - started >= LONG_AFTER else row.lane
        if isinstance(result, Unfinished):
            _go_on(row, owner, result, lane)
            return False
        finished = _finish(row.pk, owner, result)
    except Exception as error:  # noqa: BLE001 whatever a handler raises is noted in its row
        _give_back(row, owner, error)
        bound.exception("job-failed")
        return False
    bound.info("job-done" if finished else "job-lease-lost")
    return finished


def lane_now() -> str:
    """Return the lane of the job that is being done here; what is done outside of any job is
    short.
    """
    return _lane.get()


def job_retry(*, dedupe_key: str, now: datetime | None = None) -> bool:
    """Let a quarantined job be tried again, as often as a new one; whether it was quarantined."""
    moment = now or timezone.now()
    again = Job.objects.filter(dedupe_key=dedupe_key, status=QUARANTINED).update(
        status=WAITING, attempts=0, failures=0, send_at=moment + LEASE, asked_at=moment
    )
    if again:
        rows = list(Job.objects.filter(dedupe_key=dedupe_key).values_list("pk", "lane"))
        transaction.on_commit(lambda: _send(rows))
    return bool(again)


def jobs_retry_by_release(*, release: str, now: datetime | None = None) -> int:
    """Let the jobs that another release quarantined be tried once more; how many.

    They keep their count of failures, so that one more failure quarantines them again.
    """
    moment = now or timezone.now()
    others = Job.objects.filter(status=QUARANTINED).exclude(release=release)
    return others.update(status=WAITING, send_at=moment, release=release)


def _call_handler(row: Job) -> Any:
    """Call the handler of a job, which can ask for its lane."""
    token = _lane.set(row.lane)
    try:
        return handler_of(row.kind)(row.args)
    finally:
        _lane.reset(token)


def jobs_forget(*, before: datetime) -> int:
    """Remove the rows done before a moment; how many."""
    return Job.objects.filter(status=DONE, done_at__lt=before).delete()[0]


def _send(rows: list[tuple[int, str]]) -> None:
    for row, lane in rows:
        message_send(row, lane)


def _free(lanes: Collection[str]) -> QuerySet[Job]:
    """The jobs that wait for their first attempt and whose account has none running, those that go
    first first.
    """
    busy = Job.objects.filter(status=RUNNING, account=OuterRef("account")).exclude(account="")
    waiting = Job.objects.filter(~Exists(busy), status=WAITING, attempts=0, lane__in=lanes)
    return waiting.order_by(LANE_ORDER, "send_at", "pk")


def _must_wait(job: int, lanes: Collection[str]) -> bool:
    """Whether a job that a message names is a long one, while short ones wait."""
    is_long = Job.objects.filter(pk=job, lane=LONG).exists()
    return is_long and _free(lanes).filter(lane=SHORT).exists()


def _ask(
    kind: str,
    requests: dict[str, dict[str, Any]],
    accounts: Mapping[str, JobAccount],
    moment: datetime,
) -> list[str]:
    """Let a run of each begin after this moment, whatever the rows do meanwhile; the keys that did
    not wait before.
    """
    woken: list[str] = []
    while requests:
        rows = Job.objects.filter(dedupe_key__in=requests).values_list(
            "pk", "dedupe_key", "status", "args"
        )
        existing = {key: (row, status, args) for row, key, status, args in rows}
        new = [key for key in requests if key not in existing]
        new_rows = [
            Job(
                kind=kind,
                args=requests[key],
                dedupe_key=key,
                send_at=moment + LEASE,
                asked_at=moment,
                lane=lane_of(kind),
                account=accounts.get(key, NO_ACCOUNT).account,
                war=accounts.get(key, NO_ACCOUNT).war,
            )
            for key in new
        ]
        Job.objects.bulk_create(
            new_rows,
            ignore_conflicts=True,  # whoever was quicker asked for a run that has not begun
        )
        finished = {row: key for key, (row, status, _) in existing.items() if status == DONE}
        running = {row: key for key, (row, status, _) in existing.items() if status == RUNNING}
        changed = {row: key for key, (row, _, args) in existing.items() if args != requests[key]}
        for row, key in changed.items():
            Job.objects.filter(pk=row).update(args=requests[key])
        fresh = {
            "send_at": moment + LEASE,
            "asked_at": moment,
            "attempts": 0,
            "error": "",
            "result": None,
        }
        fresh |= {"failures": 0, "lane": lane_of(kind)}
        Job.objects.filter(pk__in=finished, status=DONE).update(
            status=WAITING, done_at=None, **fresh
        )
        marked = Job.objects.filter(pk__in=running, status=RUNNING).update(again=True)
        woken += [*new, *finished.values()]
        # what ran and is done by now, or was given new arguments after it began, is asked again
        missed = set(running.values()) if marked < len(running) else set[str]()
        if changed:
            missed_rows = Job.objects.filter(
                pk__in=changed, again=False, status__in=(RUNNING, DONE)
            )
            missed |= set(missed_rows.values_list("dedupe_key", flat=True))
        requests = {key: args for key, args in requests.items() if key in missed}
    return woken


def _claim(job: int, owner: str) -> Job | None:
    """The row, now this owner's, or None: it is done, or somebody else's, or its account has a job
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
    return Job.objects.get(pk=job) if claimed else None


def _finish(job: int, owner: str, result: Any) -> bool:
    """Write the result with the row, all or nothing, where the row is still this owner's.

    Of one that was asked for again no message goes out: `jobs_work` does it, or sends one for what
    is next in line. A job that follows itself would else leave a message behind each time, for the
    clock's to wait behind.
    """
    moment, mine = timezone.now(), Job.objects.filter(pk=job, owner=owner, status=RUNNING)
    if mine.filter(again=False).update(
        status=DONE, owner="", done_at=moment, result=result, error="", failures=0
    ):
        return True
    waiting = {"status": WAITING, "owner": "", "again": False, "attempts": 0, "failures": 0}
    return bool(mine.update(**waiting, asked_at=moment, result=result, send_at=moment + LEASE))


def _go_on(row: Job, owner: str, slice_: Unfinished, lane: str) -> None:
    """Let a job that has done a slice wait for its next one, behind those that wait already."""
    mine = Job.objects.filter(pk=row.pk, owner=owner, status=RUNNING)
    next_lane = LONG if slice_.is_long and lane == SHORT else lane
    waiting = {"status": WAITING, "owner": "", "attempts": 0, "failures": 0, "error": ""}
    mine.update(**waiting, result=slice_.result, send_at=timezone.now() + LEASE, lane=next_lane)
    if next_lane != row.lane:  # whoever did this slice may not do that lane
        message_send(row.pk, next_lane)


def _give_back(row: Job, owner: str, error: Exception) -> None:
    """Note a failure and let the row wait for its next attempt, or quarantine it."""
    outage = isinstance(error, OperationalError)
    failures = row.failures + (0 if outage else 1)
    noted = {"owner": "", "again": False, "error": _error_place(error), "failures": failures}
    mine = Job.objects.filter(pk=row.pk, owner=owner)
    if is_hopeless(row.kind, failures) and not outage:
        _quarantine(row, mine, noted)
        return
    mine.update(
        **noted, status=WAITING, send_at=timezone.now() + pause_after(row.attempts, outage=outage)
    )


def _quarantine(row: Job, mine: QuerySet[Job], noted: Mapping[str, Any]) -> None:
    """Let nobody try a row again, and tell people, both or neither.

    `mine`: the row, as long as it is the caller's.
    """
    with transaction.atomic():
        if mine.update(**noted, status=QUARANTINED, send_at=None, release=settings.RELEASE):
            tell_quarantined(row.kind, row.args)
            log.error(
                "job-quarantined",
                job=row.pk,
                kind=row.kind,
                failures=noted["failures"],
                error=noted["error"],
            )


def _error_place(error: Exception) -> str:
    """A failure's class and place; its text might tell what players ordered."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"{type(error).__name__} in {last.name}, {last.filename.rsplit('/', 1)[-1]}:{last.lineno}"[
            :400
        ]
    )


def _beat(job: int, owner: str) -> bool:
    """Show that the owner lives, where the row is still his."""
    return bool(
        Job.objects.filter(pk=job, owner=owner, status=RUNNING).update(beats=F("beats") + 1)
    )


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
    """Take back what stands still and send a message for every waiting row whose time has come; how
    many were sent.

    `now`: the time of day; `steady`: seconds of a clock that only goes forward.
    """
    moment = now or timezone.now()
    _take_back(moment, monotonic() if steady is None else steady)
    late = Q(send_at__lte=moment) | Q(send_at__gt=moment + LEASE)
    waiting = Job.objects.filter(late, status=WAITING).order_by("send_at", "pk")
    candidates = waiting.values_list("pk", "lane", "send_at", "attempts")[: 10 * MESSAGES_PER_SWEEP]
    due = [
        (row, lane)
        for row, lane, send_at, attempts in candidates
        if send_at and _is_due(send_at, attempts, moment)
    ]
    rows = due[:MESSAGES_PER_SWEEP]
    waiting.filter(pk__in=[row for row, _ in rows]).update(send_at=moment + LEASE)
    _send(rows)
    return len(rows)


def pause_after(attempts: int, *, outage: bool = False) -> timedelta:
    """The time a job rests that has failed so often. `outage`: it could not use the database."""
    return timedelta(seconds=min(2**attempts, OUTAGE_PAUSE if outage else LONGEST_PAUSE))


def _is_due(send_at: datetime, attempts: int, now: datetime) -> bool:
    return send_at <= now or send_at > now + LEASE + pause_after(attempts)


def _take_back(now: datetime, steady: float) -> None:
    """Let the running rows wait whose owners have stood still for a lease."""
    before, running = dict(_last_beats), Job.objects.filter(status=RUNNING)
    _last_beats.clear()
    for row, owner, beats in running.values_list("pk", "owner", "beats"):
        beat = (owner, beats)
        last, since = before.get(row, (beat, steady))
        if last != beat:
            since = steady
        if steady - since < LEASE.total_seconds():
            _last_beats[row] = (beat, since)
        else:  # only where it stands there still
            _free_of_the_dead(running.filter(pk=row, owner=owner, beats=beats), now)


def _free_of_the_dead(mine: QuerySet[Job], now: datetime) -> None:
    """Let a row wait whose worker has died, or quarantine it where it has killed too many."""
    row = mine.first()
    if row is None:
        return
    noted = {"owner": "", "again": False, "failures": row.failures + 1}
    if is_hopeless(row.kind, row.failures + 1):
        _quarantine(row, mine, noted | {"error": row.error or WORKER_DIED})
    else:
        mine.update(**noted, status=WAITING, send_at=now)
