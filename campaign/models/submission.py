"""Drafts and sealed envelopes."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaign.models.campaign import Faction
from campaign.models.constraints import one_of, sha_check
from campaign.models.kinds import Source
from campaign.models.stage import Stage

PLAYER, STANDING, DEFAULT, ADMIRAL, UMPIRE = (source.value for source in Source)
SOURCES = (PLAYER, STANDING, DEFAULT, ADMIRAL, UMPIRE)


class Draft(models.Model):
    """Orders a faction is still writing; `version` grows with every save, so that no save is lost unseen."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="drafts")
    faction = models.ForeignKey(Faction, on_delete=models.CASCADE, related_name="drafts")
    payload = models.JSONField()
    version = models.PositiveIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("stage", "faction"), name="draft_one_a_stage_and_faction"),)

    def __str__(self) -> str:
        return f"draft {self.version} of faction {self.faction_id}"


class Submission(models.Model):
    """Sealed orders. `payload`: canonical orders; `nonce`: 16 bytes, hex; `digest`: SHA-256 over both.

    Withdrawing keeps the row; the next seal is a new revision.
    """

    stage = models.ForeignKey(Stage, on_delete=models.PROTECT, related_name="submissions")
    faction = models.ForeignKey(Faction, on_delete=models.PROTECT, related_name="submissions")
    revision = models.PositiveIntegerField()
    payload = models.JSONField()
    nonce = models.CharField(max_length=32)
    digest = models.CharField(max_length=64)
    source = models.CharField(max_length=16)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="sealed")
    sealed_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("stage", "faction"),
                condition=Q(withdrawn_at__isnull=True),
                name="submission_one_live_a_stage_and_faction",
            ),
            models.UniqueConstraint(fields=("stage", "faction", "revision"), name="submission_one_of_a_revision"),
            models.CheckConstraint(condition=Q(revision__gte=1), name="submission_revision_from_one"),
            models.CheckConstraint(condition=Q(nonce__length=32), name="submission_nonce_is_16_bytes"),
            one_of("submission", "source", SOURCES),
            sha_check("submission", "digest"),
        )

    def __str__(self) -> str:
        return f"revision {self.revision} of faction {self.faction_id}"
