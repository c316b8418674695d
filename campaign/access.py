"""The one door into a campaign: who somebody is in it. Strangers learn not even that it exists."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import models
from django.utils import timezone

from campaign.errors import NotThere
from campaign.kinds import Role
from campaign.models.campaign import OF_A_FACTION, Campaign, Faction, Membership, standing
from campaign.prepared import Prepared

User = AbstractBaseUser | AnonymousUser
NO_CAMPAIGN = "there is no such campaign"
PARTS = Prepared(
    lambda campaign, user, now: (
        Membership.objects.filter(standing(now), campaign__public_id=campaign, user_id=user)
        .select_related("campaign__scenario", "campaign__head_branch", "faction")
        .defer("campaign__scenario__body")  # large, and kept by `campaign.stored`
    ),
    models.UUIDField(),
    models.BigIntegerField(),
    models.DateTimeField(),
)


@dataclass(frozen=True, slots=True)
class Viewer:
    """A user in a campaign. `faction`: the one he plays or helps to play, the only one `campaign.sight` opens to him.

    A host who has no faction sees nothing hidden; an umpire has none, ever.
    """

    campaign: Campaign
    user: AbstractBaseUser
    faction: Faction | None
    roles: frozenset[str]

    @property
    def plays(self) -> bool:
        """Whether he gives a faction's orders, as its player or of its staff."""
        return self.faction is not None and not self.roles.isdisjoint(OF_A_FACTION)

    @property
    def hosts(self) -> bool:
        """Whether he hosts the campaign."""
        return Role.HOST in self.roles

    @property
    def umpires(self) -> bool:
        """Whether he is an umpire of the campaign."""
        return Role.UMPIRE in self.roles

    @property
    def observes(self) -> bool:
        """Whether he observes the campaign."""
        return Role.OBSERVER in self.roles


def viewer_of(user: User, public_id: str | uuid.UUID) -> Viewer:
    """The viewer that a user is in the campaign of this outside id.

    Raises NotThere alike for strangers, for nobody, for what is no id and for campaigns that do not exist. Being a
    superuser opens nothing.
    """
    if user.is_anonymous or user.pk is None or not user.is_active:
        raise NotThere(NO_CAMPAIGN)
    try:
        wanted = public_id if isinstance(public_id, uuid.UUID) else uuid.UUID(public_id)
    except ValueError as error:
        raise NotThere(NO_CAMPAIGN) from error
    parts = PARTS.rows(wanted, user.pk, timezone.now())
    if not parts:
        raise NotThere(NO_CAMPAIGN)
    faction = next((part.faction for part in parts if part.faction is not None), None)
    return Viewer(parts[0].campaign, user, faction, frozenset(part.role for part in parts))


def need(viewer: Viewer, *, play: bool = False, host: bool = False, umpire: bool = False) -> Viewer:
    """The viewer, where he has every part asked for. Raises NotThere: what is not for him does not exist for him."""
    if (play and not viewer.plays) or (host and not viewer.hosts) or (umpire and not viewer.umpires):
        raise NotThere(NO_CAMPAIGN)
    return viewer
