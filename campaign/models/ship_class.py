"""Ship classes of the catalogue, and design drafts of factions.

Rows are never edited: a changed class supersedes the old one.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from campaign.models.campaign import Campaign, Faction
from campaign.models.constraints import sha_check


class ShipClass(models.Model):
    """A ship design with its figures.

    Without a campaign it is a class of the catalogue. With a faction it is a design draft: no other
    faction sees it and adjudication does not read it. What is built from it is copied into the
    sealed orders.

    Attributes:
        design: The complete design, as JSON of the engine.
    """

    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, null=True, related_name="ship_classes"
    )
    faction = models.ForeignKey(
        Faction, on_delete=models.CASCADE, null=True, related_name="ship_classes"
    )
    public_id = models.UUIDField(unique=True)
    name = models.CharField(max_length=120)
    mass = models.PositiveIntegerField()
    points = models.PositiveIntegerField()
    classification = models.CharField(max_length=40)
    schema = models.PositiveSmallIntegerField()
    design = models.JSONField()
    sha256 = models.CharField(max_length=64)
    supersedes = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, related_name="superseded_by"
    )

    class Meta:
        constraints = (
            sha_check("ship_class", "sha256"),
            models.UniqueConstraint(
                fields=("name", "sha256"),
                condition=Q(campaign__isnull=True),
                name="ship_class_once_in_the_catalogue",
            ),
            models.UniqueConstraint(
                fields=("campaign", "faction", "name", "sha256"),
                condition=Q(campaign__isnull=False),
                name="ship_class_once_in_a_campaign",
            ),
            models.CheckConstraint(
                condition=Q(campaign__isnull=False) | Q(faction__isnull=True),
                name="ship_class_of_a_faction_has_campaign",
            ),
        )

    def __str__(self) -> str:
        return self.name
