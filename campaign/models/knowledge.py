"""A faction's knowledge after a stage: its view, the reports addressed to it, and who opened it.

Views and reports are append-only.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models

from campaign.models.campaign import Branch, Faction
from campaign.models.constraints import sha_check

STAGE_REPORT, BATTLE_REPORT = "stage", "battle"
# Sheets handed out beside the reports of stages: for a battle at a table, for faults in the results
# that were entered for it, and for a phase of an online battle.
TABLE_SHEET, TABLE_CHECK = "table", "table-check"
PHASE_SHEET = "phase"


class View(models.Model):
    """A faction's view after a stage, as a document of `campaign.rules.view.View`.

    Attributes:
        branch: The branch of the snapshot, repeated here so that access checks need not touch the
            truth.
        seq: The number of the snapshot, repeated for the same reason.
        sha256: The only safe ETag.
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
    """A report addressed to one faction.

    Attributes:
        seq: The number of the snapshot with which it was written.
        kind: What it reports on, such as `STAGE_REPORT`.
        sha256: The digest of the body without outside ids (`campaign.rules.outcome_leaves`); null
            in reports of release 1.0.
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
    # Null, not empty: a column of an append-only table is added without writing its rows again.
    sha256 = models.CharField(max_length=64, null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("branch", "seq", "faction", "kind", "subject"),
                name="report_one_of_a_kind_and_subject",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} report of week {self.week} to faction {self.faction_id}"


class ViewOpening(models.Model):
    """The first time that a player of a faction opened what it knows after a stage.

    Only umpires read it: it says who has looked at the newest reports, and what a faction has
    really seen.

    Attributes:
        seq: The number of the snapshot after that stage.
    """

    branch = models.ForeignKey(Branch, on_delete=models.CASCADE, related_name="view_openings")
    seq = models.PositiveIntegerField()
    faction = models.ForeignKey(Faction, on_delete=models.CASCADE, related_name="view_openings")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    opened_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("branch", "seq", "faction"), name="view_opening_one_a_view"
            ),
        )

    def __str__(self) -> str:
        return f"faction {self.faction_id} opened view {self.seq} of branch {self.branch_id}"
