"""Secrets that stand for a user where he cannot log in: the address of his calendar. Only hashes are stored."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from campaign.models.constraints import sha_check


class FeedToken(models.Model):
    """The one calendar address of a user; a new one replaces it."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="feed_token")
    sha256 = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = (sha_check("feed_token", "sha256"),)

    def __str__(self) -> str:
        return f"calendar of {self.user_id}"
