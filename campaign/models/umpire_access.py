"""The record of which pages of the truth umpires opened. Append-only.

Umpires read it during the war, and everybody who may read the story reads it afterwards.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaign.models.campaign import Campaign


class UmpireAccess(models.Model):
    """An umpire's opening of a page or API resource that shows what players must not see.

    Attributes:
        name: The user name of the umpire at that time.
        page: The name of its address.
        subject: What of it was opened: a faction, stage, snapshot or battle; empty: all.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="umpire_accesses")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    name = models.CharField(max_length=150)
    page = models.CharField(max_length=40)
    subject = models.CharField(max_length=80, blank=True)
    at = models.DateTimeField()

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=~Q(name="") & ~Q(page=""), name="umpire_access_names_user_and_page"
            ),
        )
        indexes = (models.Index(fields=("campaign", "at"), name="umpire_access_of_campaign"),)

    def __str__(self) -> str:
        return f"{self.name} opened {self.page} {self.subject}"
