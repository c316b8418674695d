"""Invitations to a seat. The link holds a secret; only its hash is stored."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from campaign.models.campaign import Campaign, Faction
from campaign.models.constraints import one_of, sha_check
from campaign.models.membership import OF_A_FACTION, ROLES


class Invite(models.Model):
    """A seat offered once, until `expires`, unless it is revoked. `signed_up_at`: when an account was made by it."""

    public_id = models.UUIDField(unique=True)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="invites")
    role = models.CharField(max_length=16)
    faction = models.ForeignKey(Faction, on_delete=models.CASCADE, null=True, related_name="invites")
    token_sha256 = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField()
    expires = models.DateTimeField()
    used_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    signed_up_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            one_of("invite", "role", ROLES),
            sha_check("invite", "token_sha256"),
            models.CheckConstraint(
                condition=Q(role__in=OF_A_FACTION, faction__isnull=False)
                | (~Q(role__in=OF_A_FACTION) & Q(faction__isnull=True)),
                name="invite_faction_fits_role",
            ),
            models.CheckConstraint(
                condition=Q(used_at__isnull=True) | Q(revoked_at__isnull=True), name="invite_used_or_revoked"
            ),
            models.CheckConstraint(
                condition=Q(used_by__isnull=True) | Q(used_at__isnull=False), name="invite_user_has_a_time"
            ),
            models.CheckConstraint(condition=Q(expires__gt=F("created_at")), name="invite_expires_after_it_is_made"),
        )

    def __str__(self) -> str:
        return f"{self.role} in {self.campaign_id}"
