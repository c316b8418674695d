"""Reminders that a faction writes to itself for a coming week.

Only those who play the faction read them; no ledger, report or export contains them.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaign.models.campaign import Faction


class Memo(models.Model):
    """A faction's memo for a week. Overwriting or emptying it deletes the old text.

    Attributes:
        author: The user who wrote it last.
    """

    faction = models.ForeignKey(Faction, on_delete=models.CASCADE, related_name="memos")
    week = models.PositiveSmallIntegerField()
    text = models.TextField()
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    written_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("faction", "week"), name="memo_one_a_week"),
            models.CheckConstraint(condition=~Q(text=""), name="memo_says_something"),
        )

    def __str__(self) -> str:
        return f"memo of faction {self.faction_id} for week {self.week}"
