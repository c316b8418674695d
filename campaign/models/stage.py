"""Stages, for which factions give orders until they close; drafts and sealed entries."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaign.kinds import Source, StageEnding, StageStatus
from campaign.models.campaign import Branch, Faction
from campaign.models.constraints import one_of, sha_check


class Stage(models.Model):
    """A stage of a week or a phase of a battle. It resolves once.

    Attributes:
        kind: As in the world: deploy, orders, decisions, battles.
        battle: The battle of which it is a phase; null for the stages of a week.
        ordinal: The number of the stage along its branch's line, or of the phase in its battle,
            from 0. It leads from the snapshot with this number to the next one.
        again: How often this stage of this week was opened before on the line.
        how: How a stage of a week was resolved; null before.
        closed_at: The public instant at which it closed.
        grace_until: Until when orders are accepted after the deadline; null: not at all.
        beacon_signature: Of the public random value in its dice; null until the value is there, and
            if it has none (`campaign.selectors.beacon`).
        publishes_at: The instant from which its outcome is public, set once that is written; until
            then the stage appears as closed (`campaign.store.publication`).
    """

    branch = models.ForeignKey(Branch, on_delete=models.PROTECT, related_name="stages")
    week = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=16)
    battle = models.ForeignKey("Battle", on_delete=models.PROTECT, null=True, related_name="stages")
    ordinal = models.PositiveIntegerField()
    again = models.PositiveSmallIntegerField(default=0)
    how = models.CharField(max_length=16, null=True)
    opens = models.DateTimeField()
    closes = models.DateTimeField(null=True)
    grace_until = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    publishes_at = models.DateTimeField(null=True)
    beacon_signature = models.CharField(max_length=96, null=True)
    status = models.CharField(max_length=16, default=StageStatus.OPEN)
    from_snapshot = models.ForeignKey(
        "Snapshot", on_delete=models.PROTECT, related_name="stages_from_here"
    )
    to_snapshot = models.OneToOneField(
        "Snapshot", on_delete=models.PROTECT, null=True, related_name="stage_to_here"
    )

    class Meta:
        constraints = (
            one_of("stage", "status", tuple(StageStatus)),
            models.CheckConstraint(
                condition=Q(how__isnull=True) | Q(how__in=tuple(StageEnding)),
                name="stage_how_is_known",
            ),
            models.UniqueConstraint(
                fields=("branch", "ordinal"),
                condition=Q(battle__isnull=True),
                name="stage_one_of_an_ordinal",
            ),
            models.UniqueConstraint(
                fields=("battle", "ordinal"),
                condition=Q(battle__isnull=False),
                name="stage_one_of_a_battle_phase",
            ),
            models.UniqueConstraint(
                fields=("branch", "week", "kind", "again"),
                condition=Q(battle__isnull=True),
                name="stage_one_of_a_kind_a_week",
            ),
            models.UniqueConstraint(
                fields=("branch",),
                condition=Q(battle__isnull=True, status__in=(StageStatus.OPEN, StageStatus.CLOSED)),
                name="stage_one_unresolved_a_branch",
            ),
            models.CheckConstraint(
                condition=Q(status=StageStatus.RESOLVED, to_snapshot__isnull=False)
                | (~Q(status=StageStatus.RESOLVED) & Q(to_snapshot__isnull=True))
                | Q(battle__isnull=False),
                name="stage_resolved_has_snapshot",
            ),
            models.CheckConstraint(
                condition=Q(status=StageStatus.RESOLVED, publishes_at__isnull=False)
                | Q(status__in=(StageStatus.OPEN, StageStatus.CLOSED), publishes_at__isnull=True)
                | Q(status=StageStatus.LEFT, publishes_at__isnull=False)
                | Q(battle__isnull=False),
                name="stage_resolved_is_published",
            ),
            models.CheckConstraint(
                condition=Q(status=StageStatus.OPEN, closed_at__isnull=True)
                | (~Q(status=StageStatus.OPEN) & Q(closed_at__isnull=False))
                | Q(battle__isnull=False),
                name="stage_closed_at_an_instant",
            ),
            models.CheckConstraint(
                condition=Q(closes__isnull=True) | Q(closes__gte=models.F("opens")),
                name="stage_closes_after_opening",
            ),
            models.CheckConstraint(
                condition=Q(grace_until__isnull=True) | Q(grace_until__gt=models.F("closes")),
                name="stage_grace_follows_deadline",
            ),
        )
        indexes = (models.Index(fields=("status", "closes"), name="stage_due"),)

    def __str__(self) -> str:
        return f"week {self.week} {self.kind} ({self.status})"

    @property
    def last_moment(self) -> datetime | None:
        """The deadline, or the end of the time in which late orders are accepted; None: neither."""
        return self.grace_until or self.closes


class Draft(models.Model):
    """Orders that a faction is still writing.

    Attributes:
        version: Grows with every save, so that concurrent saves are noticed.
        is_left_to_captain: In a phase of a battle: the faction's captain gives these orders and
            those of all further phases, until its player takes over again.
        shown_odds: In decisions: the odds of each meeting as the player was shown them last before
            sealing (`campaign.services.meetings.ShownOdds`).
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="drafts")
    faction = models.ForeignKey(Faction, on_delete=models.CASCADE, related_name="drafts")
    payload = models.JSONField()
    version = models.PositiveIntegerField()
    is_left_to_captain = models.BooleanField(default=False)
    shown_odds = models.JSONField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("stage", "faction"), name="draft_one_a_stage_and_faction"
            ),
        )

    def __str__(self) -> str:
        return f"draft {self.version} of faction {self.faction_id}"


# A player sealed after the deadline of a stage, while late orders were accepted.
IS_LATE = Q(source=Source.PLAYER, sealed_at__gt=models.F("stage__closes"))


class Submission(models.Model):
    """Sealed orders. Unsealing them keeps the row; the next seal is a new revision.

    Attributes:
        payload: The orders in canonical form.
        nonce: 16 bytes in hex; of a client that can prove an unsealing, the beginning of the
            SHA-256 of its withdrawal word.
        share: 32 random bytes in hex that the client added to the entropy of the war; null if the
            server fills them in.
        digest: SHA-256 over `payload`, `nonce` and the hash of `share`.
        withdrawal_word: 32 bytes in hex that the client showed when it unsealed them; null if it
            showed none, or they count.
        ready_at: When the side ticked "go on as soon as everybody is ready"; null until then. It is
            not part of the orders, so the digest does not cover it.
    """

    stage = models.ForeignKey(Stage, on_delete=models.PROTECT, related_name="submissions")
    faction = models.ForeignKey(Faction, on_delete=models.PROTECT, related_name="submissions")
    revision = models.PositiveIntegerField()
    payload = models.JSONField()
    nonce = models.CharField(max_length=32)
    share = models.CharField(max_length=64, null=True)
    digest = models.CharField(max_length=64)
    source = models.CharField(max_length=16)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="sealed"
    )
    sealed_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True)
    withdrawal_word = models.CharField(max_length=64, null=True)
    ready_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("stage", "faction"),
                condition=Q(withdrawn_at__isnull=True),
                name="submission_one_live_a_stage_and_faction",
            ),
            models.UniqueConstraint(
                fields=("stage", "faction", "revision"), name="submission_one_of_a_revision"
            ),
            models.CheckConstraint(
                condition=Q(revision__gte=1), name="submission_revision_from_one"
            ),
            models.CheckConstraint(
                condition=Q(nonce__length=32), name="submission_nonce_is_16_bytes"
            ),
            one_of("submission", "source", tuple(Source)),
            sha_check("submission", "digest"),
        )

    def __str__(self) -> str:
        return f"revision {self.revision} of faction {self.faction_id}"
