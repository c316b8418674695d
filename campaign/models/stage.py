"""A stage: what every faction has to answer until it closes, and that resolves exactly once."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from campaign.models.branch import Branch
from campaign.models.constraints import one_of
from campaign.models.kinds import StageStatus, StopKind
from campaign.models.snapshot import Snapshot

OPEN, CLOSED, RESOLVED = (status.value for status in StageStatus)
STATUSES = (OPEN, CLOSED, RESOLVED)
TABLE = "table"  # the kind of a battle's stage in which its players enter what came of it at their table
# The kinds of a battle's stages in which its players give orders online.
STOPS = tuple(stop.value for stop in StopKind)


class Stage(models.Model):
    """`kind` as in the world: deploy, orders, decisions, battles. `ordinal` counts the stages of a branch from 0.

    `battle`: a stop of a battle that players plot; none for the stages of the week.

    `closed_at`: the instant at which it closed, as everybody may know it. `publishes_at`: from when on what came of it
    is public, known once that is written; until then it is shown as closed (`campaign.publication`).
    """

    branch = models.ForeignKey(Branch, on_delete=models.PROTECT, related_name="stages")
    week = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=16)
    battle = models.ForeignKey("Battle", on_delete=models.PROTECT, null=True, related_name="stages")
    ordinal = models.PositiveIntegerField()
    opens = models.DateTimeField()
    closes = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    publishes_at = models.DateTimeField(null=True)
    status = models.CharField(max_length=16, default=OPEN)
    from_snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="stages_from_here")
    to_snapshot = models.OneToOneField(Snapshot, on_delete=models.PROTECT, null=True, related_name="stage_to_here")

    class Meta:
        constraints = (
            one_of("stage", "status", STATUSES),
            models.UniqueConstraint(
                fields=("branch", "ordinal"), condition=Q(battle__isnull=True), name="stage_one_of_an_ordinal"
            ),
            models.UniqueConstraint(
                fields=("battle", "ordinal"), condition=Q(battle__isnull=False), name="stage_one_of_a_battle_stop"
            ),
            models.UniqueConstraint(
                fields=("branch", "week", "kind"), condition=Q(battle__isnull=True), name="stage_one_of_a_kind_a_week"
            ),
            models.UniqueConstraint(
                fields=("branch",),
                condition=Q(battle__isnull=True, status__in=(OPEN, CLOSED)),
                name="stage_one_unresolved_a_branch",
            ),
            models.CheckConstraint(
                condition=Q(status=RESOLVED, to_snapshot__isnull=False)
                | (~Q(status=RESOLVED) & Q(to_snapshot__isnull=True))
                | Q(battle__isnull=False),
                name="stage_resolved_has_snapshot",
            ),
            models.CheckConstraint(
                condition=Q(status=RESOLVED, publishes_at__isnull=False)
                | (~Q(status=RESOLVED) & Q(publishes_at__isnull=True))
                | Q(battle__isnull=False),
                name="stage_resolved_is_published",
            ),
            models.CheckConstraint(
                condition=Q(status=OPEN, closed_at__isnull=True)
                | (~Q(status=OPEN) & Q(closed_at__isnull=False))
                | Q(battle__isnull=False),
                name="stage_closed_at_an_instant",
            ),
            models.CheckConstraint(
                condition=Q(closes__isnull=True) | Q(closes__gte=models.F("opens")), name="stage_closes_after_opening"
            ),
        )
        indexes = (models.Index(fields=("status", "closes"), name="stage_due"),)

    def __str__(self) -> str:
        return f"week {self.week} {self.kind} ({self.status})"
