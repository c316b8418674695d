"""The sweep: running jobs whose worker is dead wait again, and waiting ones that nobody took are sent again.

Clocks are set: an hour back, or two days ahead and back. So no running job is judged by the time of day. Its worker
counts its beats up while it works; who sees the same beat for longer than a lease of its own steady time takes it back.
A waiting job is sent at its time, and also where that lies further ahead than it can have been put: then the clock was
set back since.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from time import monotonic

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from jobs.broker import message_send
from jobs.models import RUNNING, WAITING, Job

LEASE = timedelta(seconds=settings.JOB_LEASE_SECONDS)  # a worker that is silent for so long is dead
LONGEST_PAUSE = 600  # seconds between two attempts of a job that fails
OUTAGE_PAUSE = 15  # the same where the database could not be used: it may be there, or have room, any moment
SENT_AT_ONCE = 20  # messages of one sweep; whoever takes one goes on with what waits (jobs.services.jobs_work)

Beat = tuple[str, int]  # of which owner, and how many
_seen: dict[
    int, tuple[Beat, float]
] = {}  # running row to its beat, and since when this process has seen it stand there


def jobs_sweep(*, now: datetime | None = None, steady: float | None = None) -> int:
    """Take back what stands still and send a message for every waiting row whose time has come; how many were sent.

    `now`: the time of day; `steady`: seconds of a clock that only goes forward.
    """
    moment = now or timezone.now()
    _take_back(moment, monotonic() if steady is None else steady)
    late = Q(send_at__lte=moment) | Q(send_at__gt=moment + LEASE)
    waiting = Job.objects.filter(late, status=WAITING).order_by("send_at")
    found = waiting.values_list("pk", "send_at", "attempts")[: 10 * SENT_AT_ONCE]
    rows = [row for row, send_at, attempts in found if send_at and _comes(send_at, attempts, moment)][:SENT_AT_ONCE]
    waiting.filter(pk__in=rows).update(send_at=moment + LEASE)
    for row in rows:
        message_send(row)
    return len(rows)


def pause_after(attempts: int, *, outage: bool = False) -> timedelta:
    """How long a job rests that has failed so often. `outage`: it could not use the database."""
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
