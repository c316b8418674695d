"""A user's design library, which the user keeps across campaigns. No other user sees it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q


class LibraryDesign(models.Model):
    """A ship design in a user's library, valid or not yet.

    It belongs to no campaign: ships built from it use a copy among the faction's classes.

    Attributes:
        design: The complete design, as JSON of the engine.
        notes: The user's own remarks.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="library_designs"
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
            models.CheckConstraint(condition=~Q(name=""), name="library_design_has_a_name"),
        )
        indexes = (models.Index(fields=("user", "edition", "name"), name="library_design_by_name"),)

    def __str__(self) -> str:
        return self.name
