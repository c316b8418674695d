"""Consents of players to show their war to the public, some weeks late.

A row is a consent; withdrawing it deletes the row.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models

from campaign.models.campaign import Campaign


class GalleryConsent(models.Model):
    """A player's consent to show their war.

    Attributes:
        may_be_named: Whether the player may be named there.
    """

    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, related_name="gallery_consents"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="gallery_consents"
    )
    may_be_named = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("campaign", "user"), name="gallery_consent_one_a_player"
            ),
        )

    def __str__(self) -> str:
        return f"consent of {self.user_id} in {self.campaign_id}"
