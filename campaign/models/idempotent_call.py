"""Calls of the API that name an Idempotency-Key: a repeated one gets the first one's answer."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaign.models.constraints import sha_check


class IdempotentCall(models.Model):
    """One call. `status` and the response are empty while it is being answered. Old ones may be deleted."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="idempotent_calls")
    key = models.CharField(max_length=255)
    method = models.CharField(max_length=8)
    path = models.CharField(max_length=500)
    request_sha256 = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    content_type = models.CharField(max_length=100, blank=True)
    headers = models.JSONField(default=dict)
    body = models.TextField(blank=True)
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "key"), name="idempotent_call_once_a_key"),
            models.CheckConstraint(condition=~Q(key=""), name="idempotent_call_has_a_key"),
            models.CheckConstraint(
                condition=Q(status__isnull=True) | Q(status__gte=100, status__lte=599),
                name="idempotent_call_status_is_http",
            ),
            sha_check("idempotent_call", "request_sha256"),
        )

    def __str__(self) -> str:
        return f"{self.method} {self.path}"
