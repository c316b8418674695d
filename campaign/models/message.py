"""Messages between the factions of a war and with the umpire.

Append-only, except for the time of delivery.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaign.models.campaign import Branch, Campaign, Faction


class Message(models.Model):
    """A message to a faction or to the umpire.

    Attributes:
        sender: A faction; null: the umpire.
        receiver: A faction, the same as `sender` for a message within it; null: the umpire.
        branch: The head branch when it was written; null before the war.
        week: The week in which it was written.
        stage: The stage in which it was written; empty before the war.
        ordinal: The ordinal of the stage whose resolution delivers it; null: delivered at once.
        delivered_at: The receiver has it from then on; the sender always has it.
    """

    public_id = models.UUIDField(unique=True)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="messages")
    branch = models.ForeignKey(Branch, on_delete=models.PROTECT, null=True, related_name="messages")
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
    """A user's mark that they have read a message to their seat. Only that user sees it."""

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
