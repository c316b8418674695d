"""The access check of campaigns: which roles a user has in one. Strangers get "not found".

A guest of a faction may only read the addresses named in `GUESTS_READ`. A user who lost their seat
may only read the public ones named in `FORMER_READ`. Every other address answers them as if the
campaign did not exist.
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

# URL names under a campaign that a guest may read.
GUESTS_READ = frozenset(
    {
        *("lobby", "more", "map", "map-past", "pulse", "reports", "report", "battle"),
        "battle-result",
        *("timeline", "timeline-map"),
        *("gazette", "gazette-week", "gazette-pdf", "gazette-mail", "chronicle"),
        *("ships", "ship", "ship-sheets", "ship-sheets-pdf"),
        *(
            "public",
            "ledger",
            "check",
            "story",
            "story-battle",
            "story-replay",
            "story-umpires",
            "story-luck",
        ),
        *("api-campaign", "api-stages", "api-ledger", "api-ledger-head"),
        *("api-rules", "api-seats"),
        *("api-map", "api-gazette", "api-objectives"),
        *("api-view", "api-fleets", "api-ships", "api-mines", "api-contacts"),
        *("api-reports", "api-report", "api-battles", "api-battle"),
    }
)
# What a guest may do: leave. Pairs of a URL name and its verb ("" without one).
GUESTS_ACT = frozenset({("seat-act", "leave"), ("api-seat-leave", "")})
# URL names under a campaign that a user who lost their seat may read: what an observer may read.
FORMER_READ = frozenset(
    {
        *("public", "ledger", "check", "gazette", "gazette-week", "chronicle"),
        *(
            "war-result",
            "story",
            "story-film",
            "story-battle",
            "story-replay",
            "story-umpires",
            "story-luck",
        ),
        *("api-campaign", "api-stages", "api-ledger", "api-ledger-head"),
        *("api-rules", "api-seats", "api-gazette"),
    }
)
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")

User = AbstractBaseUser | AnonymousUser
NO_CAMPAIGN = phrase("there is no such campaign")
MEMBERSHIPS = PreparedRows(
    lambda campaign, user, now: Membership.objects.filter(
        active_condition(now), campaign__public_id=campaign, user_id=user
    ),
    parameters=(models.UUIDField(), models.BigIntegerField(), models.DateTimeField()),
    related=("campaign", "campaign__scenario", "campaign__head_branch", "faction"),
    without=("campaign__scenario__body",),  # large, and cached by `campaign.store.documents`
)


@dataclass(frozen=True, slots=True)
class Viewer:
    """A user in a campaign, with their roles.

    `campaign.sight` shows a viewer what `visible_faction` knows. A host without a faction sees
    nothing hidden. An umpire never has a faction.

    Attributes:
        faction: The faction that the user plays or helps to play.
        guest_of: The faction whose guest the user is.
    """

    campaign: Campaign
    user: AbstractBaseUser
    faction: Faction | None
    roles: frozenset[str]
    guest_of: Faction | None = None

    @property
    def plays(self) -> bool:
        """Return whether the user gives a faction's orders, as its player or as its staff."""
        return self.faction is not None and not self.roles.isdisjoint(FACTION_ROLES)

    @property
    def visible_faction(self) -> Faction | None:
        """Return the faction whose reports the user may read as a player, staff or guest."""
        if self.plays:
            return self.faction
        return self.guest_of

    @property
    def hosts(self) -> bool:
        """Return whether the user hosts the campaign."""
        return Role.HOST in self.roles

    @property
    def umpires(self) -> bool:
        """Return whether the user is an umpire of the campaign."""
        return Role.UMPIRE in self.roles

    @property
    def observes(self) -> bool:
        """Return whether the user observes the campaign."""
        return Role.OBSERVER in self.roles


def viewer_for(request: HttpRequest, public_id: str | uuid.UUID) -> Viewer:
    """Return the viewer for the user and the address of a request.

    Raises:
        NotFound: The user may not read this address of the campaign, or there is no such campaign.
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
    """Return the viewer for a user and a campaign's public id.

    Superusers have no special access.

    Args:
        guest: The address is open to guests of a faction.
        former: The address is open to users who lost their seat.

    Raises:
        NotFound: The same error for strangers, anonymous users, malformed ids and unknown
            campaigns.
    """
    if user.is_anonymous or user.pk is None or not user.is_active:
        raise NotFound(NO_CAMPAIGN)
    campaign_id = _parsed_id(public_id)
    memberships = MEMBERSHIPS.rows(campaign_id, user.pk, timezone.now())
    if not memberships:
        if former:
            return _former_viewer(user, campaign_id)
        raise NotFound(NO_CAMPAIGN)
    viewer = _viewer_with(user, memberships)
    if Role.GUEST in viewer.roles and not guest:
        raise NotFound(NO_CAMPAIGN)
    return viewer


def _parsed_id(public_id: str | uuid.UUID) -> uuid.UUID:
    """Return the public id of a campaign. Raises NotFound for a malformed one."""
    if isinstance(public_id, uuid.UUID):
        return public_id
    try:
        return uuid.UUID(public_id)
    except ValueError as error:
        raise NotFound(NO_CAMPAIGN) from error


def viewers_of(
    user: AbstractBaseUser, public_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, Viewer]:
    """Return a user's viewers in several campaigns, by public id, with one query.

    Campaigns where the user has no role or is a guest are left out, like campaigns that do not
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
    memberships_in: dict[uuid.UUID, list[Membership]] = {}
    for membership in rows:
        memberships_in.setdefault(membership.campaign.public_id, []).append(membership)
    result: dict[uuid.UUID, Viewer] = {}
    for public_id, memberships in memberships_in.items():
        result[public_id] = _viewer_with(user, memberships)
    return result


def _viewer_with(user: AbstractBaseUser, memberships: Sequence[Membership]) -> Viewer:
    """Build the viewer from a user's memberships in one campaign."""
    faction = None
    guest_of = None
    for membership in memberships:
        if membership.role in FACTION_ROLES:
            faction = membership.faction
        elif membership.role == Role.GUEST:
            guest_of = membership.faction
    return Viewer(
        campaign=memberships[0].campaign,
        user=user,
        faction=faction,
        roles=frozenset(membership.role for membership in memberships),
        guest_of=guest_of,
    )


def _former_viewer(user: AbstractBaseUser, public_id: uuid.UUID) -> Viewer:
    """Return a viewer without roles for a user who lost their seat. Raises NotFound for others."""
    rows = SeatEnd.objects.filter(user_id=user.pk, campaign__public_id=public_id)
    end = rows.select_related("campaign__scenario", "campaign__head_branch").first()
    if end is None:
        raise NotFound(NO_CAMPAIGN)
    return Viewer(end.campaign, user, faction=None, roles=frozenset())


def is_open_to_former(request: HttpRequest) -> bool:
    """Return whether users who lost their seat may make this request."""
    match = request.resolver_match
    return match is not None and request.method in SAFE_METHODS and match.url_name in FORMER_READ


def is_open_to_guests(request: HttpRequest) -> bool:
    """Return whether guests may make this request."""
    match = request.resolver_match
    if match is None:
        return False
    if request.method in SAFE_METHODS:
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
    """Return the viewer if they have every role asked for.

    Args:
        see: The viewer must play a faction or be the guest of one.

    Raises:
        NotFound: A role is missing; the viewer does not learn that the page exists.
    """
    if see and viewer.visible_faction is None:
        raise NotFound(NO_CAMPAIGN)
    requirements = ((play, viewer.plays), (host, viewer.hosts), (umpire, viewer.umpires))
    if any(is_required and not has_role for is_required, has_role in requirements):
        raise NotFound(NO_CAMPAIGN)
    return viewer
