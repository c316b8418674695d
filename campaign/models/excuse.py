"""Weeks for which a faction is excused: nobody waits for it then."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from campaign.models.campaign import Faction


class Excuse(models.Model):
    """A faction's week. Where it seals nothing, its default orders stand and no computer admiral takes over."""

    faction = models.ForeignKey(Faction, on_delete=models.CASCADE, related_name="excuses")
    week = models.PositiveSmallIntegerField()
    granted_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("faction", "week"), name="excuse_once_a_week"),)

    def __str__(self) -> str:
        return f"week {self.week} of faction {self.faction_id}"
