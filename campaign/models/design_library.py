"""A user's own shelf of ship designs, which goes with him from campaign to campaign.

Nobody else sees it.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q


class ShelfDesign(models.Model):
    """A design that its owner keeps, lawful or not yet.

    `design` is the engine's JSON, whole; `notes` are his own words. Of no campaign: what is built
    from it is copied into a faction's classes.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="shelf"
    )
    public_id = models.UUIDField(unique=True)
    name = models.CharField(max_length=120)
    edition = models.CharField(max_length=20)
    schema = models.PositiveSmallIntegerField()
    design = models.JSONField()
    notes = models.TextField(blank=True)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.CheckConstraint(condition=~Q(name=""), name="shelf_design_has_a_name"),
        )
        indexes = (models.Index(fields=("user", "edition", "name"), name="shelf_design_by_name"),)

    def __str__(self) -> str:
        return self.name
