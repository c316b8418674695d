"""A line of history. A rollback opens a new branch at an old snapshot; nothing is deleted."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from campaign.models.campaign import Campaign


class Branch(models.Model):
    """`parent`: the snapshot it starts from (none: the beginning), `head`: its newest (none: not started)."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="branches")
    number = models.PositiveIntegerField()
    parent = models.ForeignKey("Snapshot", on_delete=models.PROTECT, null=True, related_name="branches_from_here")
    head = models.ForeignKey("Snapshot", on_delete=models.PROTECT, null=True, related_name="heads")
    reason = models.CharField(max_length=400, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("campaign", "number"), name="branch_one_of_a_number"),
            models.CheckConstraint(condition=Q(number__gte=1), name="branch_number_from_one"),
        )

    def __str__(self) -> str:
        return f"branch {self.number} of {self.campaign_id}"
