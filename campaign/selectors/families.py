"""Families of wars that share a history by forks, and whether their stories may be public.

Nothing here reads what is secret in a war.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from campaign.kinds import ProposalKind, ProposalState, Role
from campaign.models.campaign import (
    FACTION_ROLES,
    ROLES_WITH_FACTION,
    Campaign,
    Faction,
    Membership,
    active_condition,
)
from campaign.models.proposal import Proposal
from campaign.selectors.clock import war_is_over
from campaign.selectors.daily import open_until

EVERYTHING = "*"  # in place of a faction's key: the seat of an umpire
FORK_KEEPS_SECRETS = timedelta(days=7)  # how long a fork that has not begun keeps a story secret


def may_be_public(*, campaign: Campaign) -> bool:
    """Return whether the story may be public: the war and all that share its history are over.

    While others of the family go on, it may be public if all sides with players have agreed. A
    battle of the day waits until no other try at it counts: all tries have the same seed.
    """
    now = timezone.now()
    if not war_is_over(campaign=campaign) or open_until(campaign, now) is not None:
        return False
    family = family_of(campaign)
    relatives = [war for war in family if war.pk != campaign.pk]
    if not any(_keeps_secrets(war, now) for war in relatives):
        return True
    return all_agreed_to_publish(campaign, family)


def all_agreed_to_publish(campaign: Campaign, family: Sequence[Campaign]) -> bool:
    """Return whether the sides of all wars of a family have agreed to publish one war's story.

    Wars without players have no vote, except the war itself, where the proposal must be made.
    """
    agreed = set(agreed_to_publish(campaign).values_list("campaign_id", flat=True))
    if campaign.pk not in agreed:
        return False
    missing = [war.pk for war in family if war.pk not in agreed]
    has_players = Membership.objects.filter(campaign__in=missing, role__in=FACTION_ROLES)
    return not has_players.exists()


def agreed_to_publish(campaign: Campaign) -> QuerySet[Proposal]:
    """Return the accepted proposals, in all wars of its family, to publish the story of a war."""
    return Proposal.objects.filter(
        kind=ProposalKind.REVEAL, state=ProposalState.DONE, body__war=str(campaign.public_id)
    )


def _keeps_secrets(war: Campaign, now: datetime) -> bool:
    """Return whether a war needs the secrets of its family: it runs, or is a fork about to begin.

    A fork that has not begun after a week no longer counts. Otherwise a story could be hidden for
    ever by forking the war and leaving the fork in its lobby.
    """
    if war.started_at is None and war.forked_from_id is not None:
        opened_at = war.branches.values_list("opened_at", flat=True).first()
        return opened_at is None or opened_at > now - FORK_KEEPS_SECRETS
    return not war_is_over(campaign=war)


def family_of(campaign: Campaign) -> list[Campaign]:
    """Return the war and all wars that share its history: its forks and what it was forked from."""
    shared = {campaign.pk: campaign}
    while True:
        relatives = Campaign.objects.filter(
            Q(forked_from__branch__campaign__in=shared) | Q(branches__snapshots__forks__in=shared)
        ).exclude(pk__in=shared)
        related = {row.pk: row for row in relatives.distinct()}
        if not related:
            return list(shared.values())
        shared |= related


def unfinished_family_of(campaign: Campaign) -> list[Campaign]:
    """Return the wars of the family of a war that are not over, also those that wait to begin."""
    return [war for war in family_of(campaign) if not war_is_over(campaign=war)]


def seat_shows_rivals(*, campaign: Campaign, user: int, role: str, faction: Faction | None) -> bool:
    """Return whether a new seat would show a user two sides of wars that share their history.

    A fork shows each side's fleets in a week of the other war. While both wars are not over, no
    user may see one side there and another here, except alone, with computers on all other sides.
    """
    others = [war.pk for war in unfinished_family_of(campaign) if war.pk != campaign.pk]
    if not others or (role not in ROLES_WITH_FACTION and role != Role.UMPIRE):
        return False
    seats = _sides_by_user([campaign.pk, *others])
    here = seats[campaign.pk]
    here[user].add(EVERYTHING if faction is None else faction.key)
    for other in others:
        there = seats[other]
        is_alone = len(here.keys() | there.keys()) == 1
        for person in here.keys() & there.keys():
            if not is_alone and len(here[person] | there[person]) > 1:
                return True
    return False


def _sides_by_user(wars: list[int]) -> dict[int, dict[int, set[str]]]:
    """Return the keys of the factions that each user sees, by campaign and user."""
    sides: dict[int, dict[int, set[str]]] = {war: defaultdict(set) for war in wars}
    rows = Membership.objects.filter(active_condition(timezone.now()), campaign__in=wars)
    for row in rows.filter(role__in=(Role.UMPIRE, *ROLES_WITH_FACTION)).select_related("faction"):
        key = EVERYTHING if row.faction is None else row.faction.key
        sides[row.campaign_id][row.user_id].add(key)
    return sides
