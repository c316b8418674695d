"""Scenarios of a user's own: the file that he edits, and what he opened campaigns of. Nobody else is offered them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaign.models.scenario import Scenario


class ScenarioDraft(models.Model):
    """A scenario file that its owner edits, lawful or not. `text` is its YAML, `faults` how many it had when kept."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="scenario_drafts")
    public_id = models.UUIDField(unique=True)
    name = models.CharField(max_length=120)
    edition = models.CharField(max_length=20, blank=True)
    text = models.TextField()
    faults = models.PositiveIntegerField()
    changed_at = models.DateTimeField()

    class Meta:
        constraints = (models.CheckConstraint(condition=~Q(text=""), name="scenario_draft_has_a_text"),)
        indexes = (models.Index(fields=("user", "name"), name="scenario_draft_by_name"),)

    def __str__(self) -> str:
        return self.name


class PrivateScenario(models.Model):
    """Marks a stored scenario as its owner's: he alone opens campaigns of it. It stays hidden when he is gone."""

    scenario = models.OneToOneField(Scenario, on_delete=models.CASCADE, related_name="private")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="private_scenarios"
    )

    def __str__(self) -> str:
        return f"private: {self.scenario}"
