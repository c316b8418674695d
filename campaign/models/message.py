"""What people of a war write to each other, between factions and with the umpire.

Append-only, but for its delivery.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaign.models.campaign import Campaign, Faction


class Message(models.Model):
    """One message.

    `sender`, `receiver`: factions, the same one for a message within it; none: the umpire.

    `week`, `stage`: when it was written; empty before the war. `ordinal`: it goes out when the
    stage of that ordinal is resolved; none: at once. `delivered_at`: from then on its receiver has
    it; its sender has it from the beginning.
    """

    public_id = models.UUIDField(unique=True)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="messages")
    sender = models.ForeignKey(
        Faction, on_delete=models.PROTECT, null=True, related_name="messages_sent"
    )
    receiver = models.ForeignKey(
        Faction, on_delete=models.PROTECT, null=True, related_name="messages_received"
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    text = models.TextField()
    week = models.PositiveSmallIntegerField()
    stage = models.CharField(max_length=16, blank=True)
    ordinal = models.PositiveIntegerField(null=True)
    written_at = models.DateTimeField()
    delivered_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=~Q(text=""), name="message_says_something"),
            models.CheckConstraint(
                condition=Q(sender__isnull=False) | Q(receiver__isnull=False),
                name="message_is_of_a_faction",
            ),
            models.CheckConstraint(
                condition=Q(ordinal__isnull=False) | Q(delivered_at__isnull=False),
                name="message_goes_out",
            ),
        )
        indexes = (
            models.Index(fields=("campaign", "receiver", "delivered_at"), name="message_to"),
            models.Index(fields=("campaign", "sender", "written_at"), name="message_from"),
        )

    def __str__(self) -> str:
        return f"message {self.public_id}"


class MessageRead(models.Model):
    """That somebody has read a message that came to his seat. Nobody else is told."""

    message = models.ForeignKey(Message, on_delete=models.PROTECT, related_name="read_marks")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="messages_read"
    )

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("message", "user"), name="message_read_once"),
        )

    def __str__(self) -> str:
        return f"{self.message_id} read by {self.user_id}"
