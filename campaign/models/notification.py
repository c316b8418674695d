"""The outbox: messages written with what they tell of, sent later."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q


class Notification(models.Model):
    """One message to one user. `dedupe_key`: it is never written twice. `body`: plain words that leak nothing."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notifications")
    dedupe_key = models.CharField(max_length=200, unique=True)
    body = models.CharField(max_length=400)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.CheckConstraint(condition=~Q(body=""), name="notification_says_something"),)
        indexes = (models.Index(fields=("id",), condition=Q(sent_at__isnull=True), name="notification_unsent"),)

    def __str__(self) -> str:
        return self.dedupe_key
