"""The truth after a stage: the umpire's sheet. Append-only."""

from __future__ import annotations

from django.db import models

from campaign.models.branch import Branch
from campaign.models.constraints import sha_check


class Snapshot(models.Model):
    """The truth after a stage.

    `world`: the document of `campaign.rules.world.World`, `sha256` over its canonical text; `stage` is the stage it
    waits for. `happenings`: what happened on the way here, each with its audience, for the umpire.
    """

    branch = models.ForeignKey(Branch, on_delete=models.PROTECT, related_name="snapshots")
    seq = models.PositiveIntegerField()
    week = models.PositiveSmallIntegerField()
    stage = models.CharField(max_length=16)
    parent = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="children")
    schema = models.PositiveSmallIntegerField()
    world = models.JSONField()
    happenings = models.JSONField()
    sha256 = models.CharField(max_length=64)
    rules_version = models.CharField(max_length=20)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("branch", "seq"), name="snapshot_one_of_a_seq"),
            sha_check("snapshot", "sha256"),
        )

    def __str__(self) -> str:
        return f"snapshot {self.seq} of branch {self.branch_id}"
