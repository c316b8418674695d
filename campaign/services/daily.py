"""Play the battle of the day: one position and one seed for everybody who plays it that day.

A player has one try. Dice depend on the seed and on what each player seals, so nobody can copy the
dice of another.
"""

from __future__ import annotations

import secrets
from datetime import date, datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from campaign.access import Viewer, viewer_of
from campaign.errors import NotAllowed
from campaign.models.daily import DailyBattle, DailyTry
from campaign.models.scenario import Scenario
from campaign.selectors.daily import day_of, dice_key_of, own_try
from campaign.selectors.next_action import scenarios_newest
from campaign.services.seats import campaign_begin, campaign_open
from engine.core import fair
from engine.core.phrase import phrase

# The scenarios and sides, one a day in turn.
POSITIONS = (
    ("first-battle", "nac"),
    ("convoy-990", "esu"),
    ("carrier-strike", "nac"),
    ("con-am-12", "esu"),
    ("meeting-engagement", "esu"),
    ("winchester-bring-her-home", "nac"),
    ("nagisa-last-stand", "esu"),
    ("first-battle", "esu"),
    ("convoy-990", "nac"),
    ("carrier-strike", "esu"),
    ("con-am-12", "nac"),
    ("meeting-engagement", "nac"),
    ("winchester-bring-her-home", "esu"),
    ("nagisa-last-stand", "nac"),
)


def position_of(day: date) -> tuple[Scenario, str] | None:
    """Return the scenario and the side of a day's battle; None if the site lacks the scenario."""
    slug, side = POSITIONS[day.toordinal() % len(POSITIONS)]
    row = next((row for row in scenarios_newest() if row.slug == slug), None)
    return None if row is None else (row, side)


def daily_open(*, user: AbstractBaseUser, now: datetime | None = None) -> Viewer:
    """Open a user's try at today's battle, or return the one that there is.

    Raises:
        NotAllowed: The site has no battle today.
    """
    moment = now or timezone.now()
    with transaction.atomic():
        daily = _battle_of_today(day_of(moment))
        earlier = own_try(daily, user.pk)
        if earlier is not None:
            return viewer_of(user, earlier.campaign.public_id)
        campaign = campaign_open(
            user=user,
            scenario=daily.scenario,
            play=daily.side,
            seed=daily.seed,
            dice_key=dice_key_of(daily.day),
            now=now,
        )
        DailyTry.objects.create(daily=daily, user_id=user.pk, campaign=campaign)
        campaign_begin(viewer=viewer_of(user, campaign.public_id), now=now)
    return viewer_of(user, campaign.public_id)


def _battle_of_today(day: date) -> DailyBattle:
    """Return today's battle, which the first player of the day creates."""
    position = position_of(day)
    if position is None:
        raise NotAllowed(phrase("this site has no battle of the day"))
    scenario, side = position
    defaults = {
        "scenario": scenario,
        "side": side,
        "seed": secrets.token_hex(fair.SECRET_BYTES),
    }
    return DailyBattle.objects.get_or_create(day=day, defaults=defaults)[0]
