"""Who takes part in a campaign, and as what."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaign.models.campaign import Campaign, Faction
from campaign.models.constraints import one_of

PLAYER, STAFF, HOST, UMPIRE, OBSERVER = "player", "staff", "host", "umpire", "observer"
OF_A_FACTION = (PLAYER, STAFF)
ROLES = (PLAYER, STAFF, HOST, UMPIRE, OBSERVER)


class Membership(models.Model):
    """A user's part. A host runs the clock and may play besides.

    Every other part is the only one in that campaign: an umpire never plays in his own and nobody sits in two factions.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=16)
    faction = models.ForeignKey(Faction, on_delete=models.CASCADE, null=True, related_name="memberships")

    class Meta:
        constraints = (
            one_of("membership", "role", ROLES),
            models.CheckConstraint(
                condition=Q(role__in=OF_A_FACTION, faction__isnull=False)
                | (~Q(role__in=OF_A_FACTION) & Q(faction__isnull=True)),
                name="membership_faction_fits_role",
            ),
            models.UniqueConstraint(
                fields=("campaign", "user"), condition=~Q(role=HOST), name="membership_one_part_a_user"
            ),
            models.UniqueConstraint(fields=("campaign", "user", "role"), name="membership_once"),
        )

    def __str__(self) -> str:
        return f"{self.user_id} as {self.role}"
