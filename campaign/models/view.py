"""What a faction knows after a stage: the sheet handed back to it. Append-only."""

from __future__ import annotations

from django.db import models

from campaign.models.branch import Branch
from campaign.models.campaign import Faction
from campaign.models.constraints import sha_check


class View(models.Model):
    """What a faction knows after a stage: the document of `campaign.rules.view.View`; its sha is the only safe ETag.

    `branch` and `seq` repeat the snapshot's, so that who may see a view never has to touch the truth.
    """

    snapshot = models.ForeignKey("Snapshot", on_delete=models.PROTECT, related_name="views")
    branch = models.ForeignKey(Branch, on_delete=models.PROTECT, related_name="views")
    seq = models.PositiveIntegerField()
    faction = models.ForeignKey(Faction, on_delete=models.PROTECT, related_name="views")
    schema = models.PositiveSmallIntegerField()
    body = models.JSONField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("branch", "seq", "faction"), name="view_one_a_snapshot_and_faction"),
            sha_check("view", "sha256"),
        )

    def __str__(self) -> str:
        return f"view {self.seq} of faction {self.faction_id}"
