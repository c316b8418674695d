"""A piece of work in the background: the row is the truth, a message only says "look at row 7"."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

WAITING, RUNNING, DONE = "waiting", "running", "done"
STATUSES = (WAITING, RUNNING, DONE)


class Job(models.Model):
    """`kind`: who does it (jobs.kinds). `args`: ids, never a secret. `dedupe_key`: the same work is one row.

    `lease_until`: a running row belongs to `owner` until then; for a waiting row it is when the next message is sent,
    should this one be lost. `again`: asked for once more while it ran. `error`: the last failure's kind and place.
    """

    kind = models.CharField(max_length=80)
    args = models.JSONField()
    dedupe_key = models.CharField(max_length=200, unique=True)
    status = models.CharField(max_length=16, default=WAITING)
    owner = models.CharField(max_length=32, blank=True)
    lease_until = models.DateTimeField(null=True)
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
                condition=Q(status=DONE, lease_until__isnull=True, done_at__isnull=False)
                | (~Q(status=DONE) & Q(lease_until__isnull=False, done_at__isnull=True)),
                name="job_unfinished_has_a_lease",
            ),
            models.CheckConstraint(
                condition=(Q(status=RUNNING) & ~Q(owner="")) | (~Q(status=RUNNING) & Q(owner="")),
                name="job_running_has_an_owner",
            ),
        )
        indexes = (models.Index(fields=("lease_until",), condition=~Q(status=DONE), name="job_unfinished"),)

    def __str__(self) -> str:
        return f"{self.dedupe_key} ({self.status})"
