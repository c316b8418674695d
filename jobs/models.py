"""Models of background jobs. The row holds the state; a message only names the row to run."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

WAITING, RUNNING, DONE = "waiting", "running", "done"
# Failed too often: not retried until requested or until the next release
QUARANTINED = "quarantined"
STATUSES = (WAITING, RUNNING, DONE, QUARANTINED)

# Lanes decide which worker processes run a job. They are also the names of the message queues.
SHORT = "short"  # stages and mail; a process that also serves the long lane runs these first
LONG = "long"  # took more than a few seconds, or is expected to
# Results that a user waits for on a page: odds, balances, PDFs. No process serves both these and
# stages, so their speed reveals nothing about the cost of other players' stages.
INTERACTIVE = "interactive"
LANES = (SHORT, LONG, INTERACTIVE)


class Job(models.Model):
    """A background job.

    Attributes:
        kind: The kind, which decides the handler (`jobs.kinds`).
        args: Ids for the handler, never a secret.
        dedupe_key: Identifies the work; the same work is always the same row.
        owner: The run that has claimed the job.
        beats: Incremented while `owner` works. The sweep takes back a running row whose beats do
            not change (`jobs.services`).
        send_at: When the sweep sends a waiting row again, because its message was lost or its last
            attempt failed.
        again: Whether the job was requested again while it was running.
        error: Class and place of the last failure.
        account: The account whose budget the job uses; at most one job of an account runs at a
            time. Empty for the site's own jobs.
        war: The campaign the job belongs to, if any.
        failures: Tries in a row that failed or killed their worker.
        release: The release that quarantined the job.
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
    """A worker process that updates its row every few seconds (`jobs.pulse`).

    Attributes:
        lanes: The lanes it serves, separated by spaces.
    """

    name = models.CharField(max_length=80, unique=True)
    lanes = models.CharField(max_length=60)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
