"""What a faction means to do with a fleet after this week: a wish of its own, in no ledger, report
or umpire's list.
"""

from __future__ import annotations

from django.db import models

from campaign.models.campaign import Branch, Faction


class Plan(models.Model):
    """Where a fleet is to go after the moves of `week`, hex after hex.

    `fleet`: its key; `goals`: labels and spaces.

    Only its faction reads it. It ends with its fleet, when the last hex is reached, or when it is
    written over.
    """

    branch = models.ForeignKey(Branch, on_delete=models.CASCADE, related_name="plans")
    faction = models.ForeignKey(Faction, on_delete=models.CASCADE, related_name="plans")
    fleet = models.CharField(max_length=80)
    goals = models.CharField(max_length=80)
    week = models.PositiveSmallIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("branch", "faction", "fleet"), name="plan_one_a_fleet"),
            models.CheckConstraint(condition=~models.Q(goals=""), name="plan_leads_somewhere"),
        )

    def __str__(self) -> str:
        return f"plan of faction {self.faction_id}"
