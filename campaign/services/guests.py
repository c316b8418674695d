"""Guests of the site: accounts without a name that play one single battle at a time.

A guest exists in one browser for a week. Choosing a name makes the account a usual one, with what
it has played. The battles of guests that are deleted stay, like every war, without their players.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser, User
from django.db import transaction
from django.utils import timezone

from campaign.access import Viewer, viewer_of
from campaign.errors import NotAllowed
from campaign.models.account import GuestAccount
from campaign.models.scenario import Scenario as ScenarioRow
from campaign.selectors.next_action import campaigns_of, scenarios_newest
from campaign.services.seats import campaign_begin, campaign_open
from engine.core.phrase import phrase

LIFETIME = timedelta(days=7)
MOST = 500  # guests at once
SCENARIO = "first-battle"  # the battle in which strangers take a side
NAME = "guest-{}"


def guest_scenario() -> ScenarioRow | None:
    """Return the battle that strangers may play, or None if guests cannot play now."""
    if not settings.GUESTS or not get_user_model().objects.exists():
        return None
    return next((row for row in scenarios_newest() if row.slug == SCENARIO), None)


@transaction.atomic
def guest_create(*, now: datetime | None = None) -> User:
    """Create a guest.

    Raises:
        NotAllowed: There are too many guests, or the site has none.
    """
    moment = now or timezone.now()
    if guest_scenario() is None or GuestAccount.objects.count() >= MOST:
        raise NotAllowed(phrase("no guests can play here at the moment"))
    user = User(username=NAME.format(secrets.token_hex(8)))
    user.set_unusable_password()
    user.save()
    GuestAccount.objects.create(user=user, until=moment + LIFETIME)
    return user


def guest_battle_open(
    *, user: AbstractBaseUser, side: str, scenario: ScenarioRow | None = None
) -> Viewer:
    """Open a battle in which a guest leads a side, or return the one that is not over.

    Args:
        scenario: By default the battle of the front page.

    Raises:
        NotAllowed: The site has no guests.
        RuleViolations: There is no such side.
    """
    for own in campaigns_of(user):
        if not own.is_over:
            return viewer_of(user, own.campaign.public_id)
    scenario = scenario or guest_scenario()
    if scenario is None:
        raise NotAllowed(phrase("no guests can play here at the moment"))
    with transaction.atomic():
        campaign = campaign_open(user=user, scenario=scenario, play=side)
        campaign_begin(viewer=viewer_of(user, campaign.public_id))
    return viewer_of(user, campaign.public_id)


def guest_keep(*, user: AbstractBaseUser) -> None:
    """Make a guest a usual account."""
    GuestAccount.objects.filter(user_id=user.pk).delete()


def guests_forget(*, now: datetime) -> int:
    """Delete the guests whose week is over; return their number."""
    old = get_user_model().objects.filter(guest_account__until__lt=now)
    count = 0
    for user in old:
        user.delete()
        count += 1
    return count
