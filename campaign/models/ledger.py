"""The public ledger: one row of one shape for every stage, each hashed onto the row before."""

from __future__ import annotations

from django.db import models

from campaign.models.branch import Branch
from campaign.models.constraints import sha_check
from campaign.models.stage import Stage


class LedgerRow(models.Model):
    """`body`: see `umpire.services.ledger`. `hash`: SHA-256 of `prev_hash` and the canonical body. Append-only."""

    branch = models.ForeignKey(Branch, on_delete=models.PROTECT, related_name="ledger")
    seq = models.PositiveIntegerField()
    stage = models.OneToOneField(Stage, on_delete=models.PROTECT, related_name="ledger_row")
    schema = models.PositiveSmallIntegerField()
    body = models.JSONField()
    prev_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64, unique=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("branch", "seq"), name="ledger_row_one_of_a_seq"),
            models.UniqueConstraint(fields=("branch", "prev_hash"), name="ledger_row_one_after_another"),
            sha_check("ledger_row", "prev_hash", "hash"),
        )

    def __str__(self) -> str:
        return f"ledger row {self.seq} of branch {self.branch_id}"
