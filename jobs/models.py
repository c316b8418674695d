"""A piece of work in the background: the row is the truth, a message only says "look at row 7"."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

WAITING, RUNNING, DONE = "waiting", "running", "done"
STATUSES = (WAITING, RUNNING, DONE)


class Job(models.Model):
    """`kind`: who does it (jobs.services). `args`: ids, never a secret. `dedupe_key`: the same work is one row.

    `beats`: grows while `owner` works; a running row that stands still is taken back (`jobs.services`). `send_at`: when
    a waiting row is sent again, should its message be lost or its last attempt have failed. `again`: asked for once
    more while it ran. `error`: the last failure's kind and place.
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

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(status__in=STATUSES), name="job_status_is_known"),
            models.CheckConstraint(
                condition=Q(status=DONE, done_at__isnull=False) | (~Q(status=DONE) & Q(done_at__isnull=True)),
                name="job_done_at_an_instant",
            ),
            models.CheckConstraint(
                condition=Q(status=WAITING, send_at__isnull=False) | (~Q(status=WAITING) & Q(send_at__isnull=True)),
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
