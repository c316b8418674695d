"""An umpire's ruling: a change of the truth with its reason."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from campaign.models.branch import Branch
from campaign.models.snapshot import Snapshot


class Ruling(models.Model):
    """`audience`: the factions that read it now (keys); everyone reads it when the war is over."""

    branch = models.ForeignKey(Branch, on_delete=models.PROTECT, related_name="rulings")
    before = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="rulings_from_here")
    after = models.OneToOneField(Snapshot, on_delete=models.PROTECT, related_name="ruling")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="rulings")
    reason = models.TextField()
    schema = models.PositiveSmallIntegerField()
    patch = models.JSONField()
    audience = models.JSONField()

    class Meta:
        constraints = (
            models.CheckConstraint(condition=~Q(reason=""), name="ruling_has_a_reason"),
            models.CheckConstraint(condition=~Q(before=F("after")), name="ruling_changes_something"),
        )

    def __str__(self) -> str:
        return f"ruling on branch {self.branch_id}"
