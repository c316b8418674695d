"""Reports addressed to a faction. Append-only."""

from __future__ import annotations

from django.db import models

from campaign.models.branch import Branch
from campaign.models.campaign import Faction

STAGE_REPORT, BATTLE_REPORT = "stage", "battle"
# What is handed out beside the reports of stages: the sheets of a battle fought at a table, and what was wrong with
# the results that were entered.
TABLE_SHEET, TABLE_CHECK = "table", "table-check"
STOP_SHEET = "stop"  # what a side sees at a stop of a battle fought online, and what it may order there


class Report(models.Model):
    """One report addressed to one faction. `seq`: of the snapshot it came with; `kind`: what it tells of."""

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
