"""Accounts that belong to programs.

They are marked as bots for all members of their wars, and hosts decide whether bots may take seats.
"""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from campaign.errors import NotAllowed
from campaign.models.account import Preference
from campaign.models.campaign import Campaign, Membership
from campaign.selectors.clock import war_is_over
from engine.core.phrase import phrase


@transaction.atomic
def bot_set(*, user: AbstractBaseUser, bot: bool) -> None:
    """Mark an account as a bot, or remove the mark.

    Raises:
        NotAllowed: The account takes part in a war that is not over, whose other members were
            shown whether it is a bot.
    """
    if is_bot(user) == bot:
        return
    memberships = Membership.objects.filter(user_id=user.pk).select_related("campaign")
    if not all(war_is_over(campaign=membership.campaign) for membership in memberships):
        raise NotAllowed(
            phrase("this cannot be changed while the account takes part in a running war")
        )
    Preference.objects.update_or_create(user_id=user.pk, defaults={"bot": bot})


def is_bot(user: AbstractBaseUser) -> bool:
    """Return whether the account belongs to a program."""
    return Preference.objects.filter(user_id=user.pk, bot=True).exists()


def bots_in(campaign: Campaign) -> frozenset[str]:
    """Return the user names of a campaign's members that are bots."""
    rows = Membership.objects.filter(campaign_id=campaign.pk, user__preference__bot=True)
    return frozenset(rows.values_list("user__username", flat=True))


def bots_allowed(campaign: Campaign) -> bool:
    """Return whether bots may take seats in a campaign, as its host chose when opening it."""
    return bool(campaign.ruleset.get("bots", False))
