"""The battle of the day: one position with one seed, and everybody's try at it."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from campaign.models.campaign import Campaign
from campaign.models.constraints import sha_check
from campaign.models.scenario import Scenario


class DailyBattle(models.Model):
    """The battle of a day, which begins when the first player plays it.

    Attributes:
        day: In UTC.
        side: The key of the faction that every player leads.
        seed: Of the dice of all tries. Secret until no try of the day counts any more.
    """

    day = models.DateField(unique=True)
    scenario = models.ForeignKey(Scenario, on_delete=models.PROTECT, related_name="daily_battles")
    side = models.CharField(max_length=80)
    seed = models.CharField(max_length=64)

    class Meta:
        constraints = (sha_check("daily_battle", "seed"),)

    def __str__(self) -> str:
        return f"battle of {self.day}"


class DailyTry(models.Model):
    """A player's try at the battle of a day.

    Attributes:
        user: Null: the account is deleted.
        result: 1 for a battle won, 0 for a draw, -1 for a defeat. Like the other figures it is null
            while the battle goes on, and for good if it ends too late.
        score: The points scored less those that the enemy scored.
    """

    daily = models.ForeignKey(DailyBattle, on_delete=models.CASCADE, related_name="tries")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="daily_tries"
    )
    campaign = models.OneToOneField(Campaign, on_delete=models.PROTECT, related_name="daily_try")
    result = models.SmallIntegerField(null=True)
    score = models.IntegerField(null=True)
    turns = models.PositiveSmallIntegerField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("daily", "user"), name="daily_try_one_a_user"),
        )

    def __str__(self) -> str:
        return f"try {self.pk} at {self.daily_id}"
