"""The one door into a campaign: who somebody is in it. Strangers learn not even that it exists.

A guest of a faction is let in where `GUESTS_READ` names the address, to read, and nowhere else;
elsewhere the campaign does not exist for him. Whoever lost a seat is let in where `FORMER_READ`
names the address: to what is public.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import models
from django.http import HttpRequest
from django.utils import timezone

from campaign.errors import NotFound
from campaign.kinds import Role
from campaign.models.campaign import (
    FACTION_ROLES,
    Campaign,
    Faction,
    Membership,
    SeatEnd,
    active_condition,
)
from campaign.store.prepared import PreparedRows
from engine.core.phrase import phrase

# The names of all addresses under a campaign that are there for a guest: to read.
GUESTS_READ = frozenset(
    {
        *("lobby", "map", "map-past", "pulse", "reports", "report", "battle"),
        *(
            "gazette",
            "gazette-week",
            "chronicle",
            "ships",
            "ship",
            "ship-sheets",
            "ship-sheets-pdf",
        ),
        *("public", "story", "story-battle", "story-replay"),
        *(
            "api-campaign",
            "api-stages",
            "api-ledger",
            "api-rules",
            "api-seats",
            "api-map",
            "api-gazette",
        ),
        *("api-view", "api-fleets", "api-ships", "api-contacts"),
        *("api-reports", "api-report", "api-battles", "api-battle"),
    }
)
# What a guest may do: leave. By the name of the address, and its verb where it has one.
GUESTS_ACT = frozenset({("seat-act", "leave"), ("api-seat-leave", "")})
# The names of all addresses under a campaign that are there for who lost a seat in it: what an
# observer reads.
FORMER_READ = frozenset(
    {
        *(
            "public",
            "gazette",
            "gazette-week",
            "chronicle",
            "story",
            "story-battle",
            "story-replay",
        ),
        *("api-campaign", "api-stages", "api-ledger", "api-rules", "api-seats", "api-gazette"),
    }
)
SAFE = ("GET", "HEAD", "OPTIONS")

User = AbstractBaseUser | AnonymousUser
NO_CAMPAIGN = phrase("there is no such campaign")
PARTS = PreparedRows(
    lambda campaign, user, now: Membership.objects.filter(
        active_condition(now), campaign__public_id=campaign, user_id=user
    ),
    parameters=(models.UUIDField(), models.BigIntegerField(), models.DateTimeField()),
    related=("campaign", "campaign__scenario", "campaign__head_branch", "faction"),
    without=("campaign__scenario__body",),  # large, and kept by `campaign.store.documents`
)


@dataclass(frozen=True, slots=True)
class Viewer:
    """A user in a campaign.

    `faction`: the one he plays or helps to play; `guest_of`: the one whose guest he is.

    What `campaign.sight` opens to him is `sees`. A host who has no faction sees nothing hidden; an
    umpire has none, ever.
    """

    campaign: Campaign
    user: AbstractBaseUser
    faction: Faction | None
    roles: frozenset[str]
    guest_of: Faction | None = None

    @property
    def plays(self) -> bool:
        """Whether he gives a faction's orders, as its player or of its staff."""
        return self.faction is not None and not self.roles.isdisjoint(FACTION_ROLES)

    @property
    def visible_faction(self) -> Faction | None:
        """The faction whose papers he reads: the one he plays, or whose guest he is."""
        return self.faction if self.plays else self.guest_of

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


def viewer_for(request: HttpRequest, public_id: str | uuid.UUID) -> Viewer:
    """The viewer that who asks is in a campaign, at the address that is asked for.

    Raises NotThere.
    """
    return viewer_of(
        request.user,
        public_id,
        guest=is_open_to_guests(request),
        former=is_open_to_former(request),
    )


def viewer_of(
    user: User, public_id: str | uuid.UUID, *, guest: bool = False, former: bool = False
) -> Viewer:
    """The viewer that a user is in the campaign of this outside id.

    Raises NotThere alike for strangers, for nobody, for what is no id and for campaigns that do not
    exist. Being a superuser opens nothing. `guest`: what is asked for is there for guests of a
    faction, too (`open_to_guests`); `former`: for who lost a seat, too.
    """
    if user.is_anonymous or user.pk is None or not user.is_active:
        raise NotFound(NO_CAMPAIGN)
    try:
        campaign_id = public_id if isinstance(public_id, uuid.UUID) else uuid.UUID(public_id)
    except ValueError as error:
        raise NotFound(NO_CAMPAIGN) from error
    parts = PARTS.rows(campaign_id, user.pk, timezone.now())
    if not parts and former:
        return _former_viewer(user, campaign_id)
    if not parts:
        raise NotFound(NO_CAMPAIGN)
    viewer = _viewer_with(user, parts)
    if Role.GUEST in viewer.roles and not guest:
        raise NotFound(NO_CAMPAIGN)
    return viewer


def viewers_of(
    user: AbstractBaseUser, public_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, Viewer]:
    """Return the viewer that a user is in each of these campaigns, by its outside id. One query.

    Campaigns in which the user has no part, or is a guest, are left out, like those that do not
    exist.
    """
    rows = (
        Membership.objects.filter(
            active_condition(timezone.now()), campaign__public_id__in=public_ids, user_id=user.pk
        )
        .exclude(role=Role.GUEST)
        .select_related("campaign__scenario", "campaign__head_branch", "faction")
        .defer("campaign__scenario__body")
        .order_by("pk")
    )
    parts: dict[uuid.UUID, list[Membership]] = {}
    for part in rows:
        parts.setdefault(part.campaign.public_id, []).append(part)
    return {public_id: _viewer_with(user, memberships) for public_id, memberships in parts.items()}


def _viewer_with(user: AbstractBaseUser, parts: Sequence[Membership]) -> Viewer:
    """The viewer that somebody is by the parts they have in a campaign."""
    roles = frozenset(part.role for part in parts)
    faction = next((part.faction for part in parts if part.role in FACTION_ROLES), None)
    guest_of = next((part.faction for part in parts if part.role == Role.GUEST), None)
    return Viewer(parts[0].campaign, user, faction, roles, guest_of)


def _former_viewer(user: AbstractBaseUser, public_id: uuid.UUID) -> Viewer:
    """The viewer that somebody is who lost a seat: one without any part. Raises NotThere."""
    rows = SeatEnd.objects.filter(user_id=user.pk, campaign__public_id=public_id)
    end = rows.select_related("campaign__scenario", "campaign__head_branch").first()
    if end is None:
        raise NotFound(NO_CAMPAIGN)
    return Viewer(end.campaign, user, None, frozenset())


def is_open_to_former(request: HttpRequest) -> bool:
    """Whether what is asked for is there for who lost a seat."""
    match = request.resolver_match
    return match is not None and request.method in SAFE and match.url_name in FORMER_READ


def is_open_to_guests(request: HttpRequest) -> bool:
    """Whether what is asked for is there for guests."""
    match = request.resolver_match
    if match is None:
        return False
    if request.method in SAFE:
        return match.url_name in GUESTS_READ
    return (match.url_name, match.kwargs.get("verb", "")) in GUESTS_ACT


def require(
    viewer: Viewer,
    *,
    play: bool = False,
    see: bool = False,
    host: bool = False,
    umpire: bool = False,
) -> Viewer:
    """The viewer, where he has every part asked for. `see`: he plays, or is a guest of a faction.

    Raises NotThere: what is not for him does not exist for him.
    """
    if see and viewer.visible_faction is None:
        raise NotFound(NO_CAMPAIGN)
    if (
        (play and not viewer.plays)
        or (host and not viewer.hosts)
        or (umpire and not viewer.umpires)
    ):
        raise NotFound(NO_CAMPAIGN)
    return viewer
