"""What players show to the public: their war, some weeks late, or single moments of it.

A row of a consent is a consent; withdrawing it deletes the row.
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


class PublicMoment(models.Model):
    """A moment of a finished battle that its players show to everybody who has the address.

    It is public while all players consent (`umpire.services.moments`).

    Attributes:
        turn: The turn of the battle that is shown; nothing of other turns is.
        by: Who published it.
        is_named: Whether the page names that player.
    """

    public_id = models.UUIDField(unique=True)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="public_moments")
    battle = models.ForeignKey("Battle", on_delete=models.CASCADE, related_name="public_moments")
    turn = models.PositiveIntegerField()
    title = models.CharField(max_length=80)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="public_moments"
    )
    is_named = models.BooleanField(default=False)
    created_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("battle", "turn", "by"), name="public_moment_one_a_player_and_turn"
            ),
            models.CheckConstraint(condition=~models.Q(title=""), name="public_moment_has_a_title"),
        )

    def __str__(self) -> str:
        return self.title


class MomentConsent(models.Model):
    """A player's consent to one public moment."""

    moment = models.ForeignKey(PublicMoment, on_delete=models.CASCADE, related_name="consents")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="moment_consents"
    )

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("moment", "user"), name="moment_consent_one_a_player"),
        )

    def __str__(self) -> str:
        return f"consent of {self.user_id} to {self.moment_id}"
