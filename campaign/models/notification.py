"""The outbox: messages written with what they tell of, sent later."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q


class Notification(models.Model):
    """One message to one user, or (no user) to the site's own channels. It is never written twice: `dedupe_key`.

    `body`: plain words that leak nothing. `path`: the page it is about. `done`: the channels that have it; `due_at`:
    not before then; `attempts`: how often it was tried. It ends as sent, or given up.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="notifications"
    )
    dedupe_key = models.CharField(max_length=200, unique=True)
    body = models.CharField(max_length=400)
    path = models.CharField(max_length=200, blank=True)
    done = models.JSONField(default=list)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    given_up_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=~Q(body=""), name="notification_says_something"),
            models.CheckConstraint(
                condition=Q(sent_at__isnull=True) | Q(given_up_at__isnull=True), name="notification_ends_one_way"
            ),
        )
        indexes = (
            models.Index(
                fields=("id",),
                condition=Q(sent_at__isnull=True, given_up_at__isnull=True),
                name="notification_waiting",
            ),
        )

    def __str__(self) -> str:
        return self.dedupe_key
