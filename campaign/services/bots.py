"""Accounts of programs: they say so of themselves, everybody in their wars is told, and hosts say
where they may sit.

bot_set(user, bot)                          the account is a program's, or not; never while it sits in a war
is_bot(user) -> bool
bots_in(campaign) -> names                  the members of a campaign that are programs
bots_allowed(campaign) -> bool              whether they may take seats, as its host said when it was opened
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
    """Say whether an account is a program's.

    Raises NotAllowed while it has a part in a war that is not over: the others there were told who
    they play with.
    """
    if is_bot(user) == bot:
        return
    parts = Membership.objects.filter(user_id=user.pk).select_related("campaign")
    if any(not war_is_over(campaign=part.campaign) for part in parts):
        raise NotAllowed(
            phrase("this can be changed while the account has no part in a war that is not over")
        )
    Preference.objects.update_or_create(user_id=user.pk, defaults={"bot": bot})


def is_bot(user: AbstractBaseUser) -> bool:
    """Whether the account is a program's."""
    return Preference.objects.filter(user_id=user.pk, bot=True).exists()


def bots_in(campaign: Campaign) -> frozenset[str]:
    """The user names of a campaign's members that are programs."""
    rows = Membership.objects.filter(campaign_id=campaign.pk, user__preference__bot=True)
    return frozenset(rows.values_list("user__username", flat=True))


def bots_allowed(campaign: Campaign) -> bool:
    """Whether programs may take seats in a campaign."""
    return bool(campaign.ruleset.get("bots", False))
