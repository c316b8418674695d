"""Automatic checks of a war's records."""

from __future__ import annotations

from django.db import models

from campaign.models.campaign import Campaign


class Check(models.Model):
    """A check of a war. Its umpire and the operator of the site may read it.

    Attributes:
        level: 1: the rows were compared with each other; 3: the war was also played again.
        rows: How many ledger rows were checked.
        faults: How many faults were found.
        first: The first fault: {subject, branch, row, week, stage, words, mendable} and its `text`
            (`engine.core.phrase_data`); empty without faults.
        repaired: How many damaged parts were computed again since.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="checks")
    at = models.DateTimeField()
    level = models.PositiveSmallIntegerField()
    rows = models.PositiveIntegerField()
    faults = models.PositiveIntegerField()
    first = models.JSONField(default=dict)
    repaired = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = (models.Index(fields=("campaign", "at"), name="check_of_a_campaign"),)

    def __str__(self) -> str:
        return f"check of {self.campaign_id} at {self.at}"
