"""Secrets that stand for a user where he cannot log in: the address of his calendar, and what his API token may.

Only hashes are stored.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models

from campaign.models.constraints import sha_check


class TokenTerms(models.Model):
    """What an API token is good for. It ends with the password it was made under; without a row it opens nothing."""

    token = models.OneToOneField("authtoken.Token", on_delete=models.CASCADE, related_name="terms")
    read_only = models.BooleanField()
    password_sha256 = models.CharField(max_length=64)  # of the stored hash of the password

    class Meta:
        constraints = (sha_check("token_terms", "password_sha256"),)

    def __str__(self) -> str:
        return f"terms of the token of {self.token.user_id}"


class FeedToken(models.Model):
    """The one calendar address of a user; a new one replaces it."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="feed_token")
    sha256 = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = (sha_check("feed_token", "sha256"),)

    def __str__(self) -> str:
        return f"calendar of {self.user_id}"
