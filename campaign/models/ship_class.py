"""Ship classes: those of the catalogue, and the drawings of factions.

None is edited: a changed one supersedes it.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from campaign.models.campaign import Campaign, Faction
from campaign.models.constraints import sha_check


class ShipClass(models.Model):
    """A design with its figures.

    No campaign: a class of the catalogue. `design` is the engine's JSON, whole.

    Of a faction: a drawing in its drawer, which nobody else sees and no adjudication reads. What is
    built from it is copied into the sealed orders.
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
