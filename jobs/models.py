"""A piece of work in the background: the row is the truth, a message only says "look at row 7"."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

WAITING, RUNNING, DONE = "waiting", "running", "done"
QUARANTINED = "quarantined"  # failed too often: nobody tries it again unless somebody asks
STATUSES = (WAITING, RUNNING, DONE, QUARANTINED)

# Lanes: which worker processes do a job. They are the names of the message queues, too.
SHORT = "short"  # stages, mail: every worker process does these, and does them first
LONG = "long"  # what has taken more than a few seconds, or is expected to
# What somebody waits for at a page: odds, balances, PDFs. No process does both these and stages, so
# their pace tells nothing of what others' stages cost.
INTERACTIVE = "interactive"
LANES = (SHORT, LONG, INTERACTIVE)


class Job(models.Model):
    """`kind`: who does it (jobs.services).

    `args`: ids, never a secret. `dedupe_key`: the same work is one row.

    `beats`: grows while `owner` works; a running row that stands still is taken back
    (`jobs.services`). `send_at`: when a waiting row is sent again, should its message be lost or
    its last attempt have failed. `again`: asked for once more while it ran. `error`: the last
    failure's kind and place.

    `account`: whose budget the job uses; of the jobs of one account one runs at a time. Empty for
    the site's own jobs. `war`: the campaign the job belongs to, if any. `failures`: tries in a row
    that failed or killed their worker; `release`: the release that quarantined the job.
    """

    kind = models.CharField(max_length=80)
    args = models.JSONField()
    dedupe_key = models.CharField(max_length=200, unique=True)
    status = models.CharField(max_length=16, default=WAITING)
    owner = models.CharField(max_length=32, blank=True)
    beats = models.PositiveBigIntegerField(default=0)
    send_at = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0)
    again = models.BooleanField(default=False)
    result = models.JSONField(null=True)
    error = models.CharField(max_length=400, blank=True)
    asked_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True)
    lane = models.CharField(max_length=16, default=SHORT)
    account = models.CharField(max_length=60, blank=True, default="")
    war = models.PositiveBigIntegerField(null=True)
    failures = models.PositiveIntegerField(default=0)
    release = models.CharField(max_length=40, blank=True, default="")

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(lane__in=LANES), name="job_lane_is_known"),
            models.UniqueConstraint(
                fields=("account",),
                condition=Q(status=RUNNING) & ~Q(account=""),
                name="job_one_running_an_account",
            ),
            models.CheckConstraint(condition=Q(status__in=STATUSES), name="job_status_is_known"),
            models.CheckConstraint(
                condition=Q(status=DONE, done_at__isnull=False)
                | (~Q(status=DONE) & Q(done_at__isnull=True)),
                name="job_done_at_an_instant",
            ),
            models.CheckConstraint(
                condition=Q(status=WAITING, send_at__isnull=False)
                | (~Q(status=WAITING) & Q(send_at__isnull=True)),
                name="job_waiting_is_sent_again",
            ),
            models.CheckConstraint(
                condition=(Q(status=RUNNING) & ~Q(owner="")) | (~Q(status=RUNNING) & Q(owner="")),
                name="job_running_has_an_owner",
            ),
        )
        indexes = (models.Index(fields=("status", "send_at"), name="job_by_status"),)

    def __str__(self) -> str:
        return f"{self.dedupe_key} ({self.status})"


class WorkerPulse(models.Model):
    """A worker process that shows every few seconds that it is there (`jobs.pulse`).

    `lanes`: whose jobs it does.
    """

    name = models.CharField(max_length=80, unique=True)
    lanes = models.CharField(max_length=60)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
