"""The umpire's sheet of a stage and what was handed back to each faction. All of it is append-only."""

from __future__ import annotations

from django.db import models

from campaign.models.branch import Branch
from campaign.models.campaign import Faction
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


class View(models.Model):
    """What a faction knows after a stage: the document of `campaign.rules.view.View`; its sha is the only safe ETag.

    `branch` and `seq` repeat the snapshot's, so that who may see a view never has to touch the truth.
    """

    snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="views")
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


STAGE_REPORT, BATTLE_REPORT = "stage", "battle"


class Report(models.Model):
    """One report addressed to one faction. `seq`: of the snapshot it came with; `kind`: stage or battle."""

    public_id = models.UUIDField(unique=True)
    branch = models.ForeignKey(Branch, on_delete=models.PROTECT, related_name="reports")
    seq = models.PositiveIntegerField()
    week = models.PositiveSmallIntegerField()
    stage = models.CharField(max_length=16)
    faction = models.ForeignKey(Faction, on_delete=models.PROTECT, related_name="reports")
    kind = models.CharField(max_length=16)
    subject = models.CharField(max_length=80, blank=True)
    schema = models.PositiveSmallIntegerField()
    body = models.JSONField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("branch", "seq", "faction", "kind", "subject"), name="report_one_of_a_kind_and_subject"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} report of week {self.week} to faction {self.faction_id}"
