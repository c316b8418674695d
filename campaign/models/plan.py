"""A faction's plans for its fleets after this week.

Plans are the faction's own notes: no ledger, report or list of the umpire contains them.
"""

from __future__ import annotations

from django.db import models

from campaign.models.campaign import Branch, Faction


class Plan(models.Model):
    """The hexes to which a fleet is to go after the moves of `week`.

    Only its faction reads it. It ends with its fleet, at the last hex, or when it is overwritten.

    Attributes:
        fleet: The fleet's key.
        goals: Hex labels, separated by spaces.
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
