"""A faction's knowledge after a stage: the sheet handed back to it, and reports addressed to it.

Append-only.
"""

from __future__ import annotations

from django.db import models

from campaign.models.campaign import Branch, Faction
from campaign.models.constraints import sha_check

STAGE_REPORT, BATTLE_REPORT = "stage", "battle"
# What is handed out beside the reports of stages: the sheets of a battle fought at a table, and
# what was wrong with the results that were entered.
TABLE_SHEET, TABLE_CHECK = "table", "table-check"
STOP_SHEET = (
    "stop"  # what a side sees at a stop of a battle fought online, and what it may order there
)


class View(models.Model):
    """A faction's knowledge after a stage: the document of `campaign.rules.view.View`; its sha is
    the only safe ETag.

    `branch` and `seq` repeat the snapshot's, so that who may see a view never has to touch the
    truth.
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
            models.UniqueConstraint(
                fields=("branch", "seq", "faction"), name="view_one_a_snapshot_and_faction"
            ),
            sha_check("view", "sha256"),
        )

    def __str__(self) -> str:
        return f"view {self.seq} of faction {self.faction_id}"


class Report(models.Model):
    """One report addressed to one faction.

    `seq`: of the snapshot it came with; `kind`: what it tells of.
    """

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
                fields=("branch", "seq", "faction", "kind", "subject"),
                name="report_one_of_a_kind_and_subject",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} report of week {self.week} to faction {self.faction_id}"
