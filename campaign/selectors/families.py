"""Families of wars that share a history by forks, and whether their stories may be public.

Nothing here reads what is secret in a war.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from campaign.models.campaign import Campaign
from campaign.selectors.clock import war_is_over

FORK_KEEPS_SECRETS = timedelta(days=7)  # how long a fork that has not begun keeps a story secret


def may_be_public(*, campaign: Campaign) -> bool:
    """Return whether the story may be public: the war and all that share its history are over."""
    now = timezone.now()
    relatives = [war for war in family_of(campaign) if war.pk != campaign.pk]
    is_over = war_is_over(campaign=campaign)
    return is_over and not any(_keeps_secrets(war, now) for war in relatives)


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
