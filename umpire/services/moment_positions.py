"""Playing on from a public moment: a battle with its position, against the computer."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import transaction

from campaign.access import Viewer, viewer_of
from campaign.errors import NotAllowed, NotFound
from campaign.models.account import GuestAccount
from campaign.models.gallery import PublicMoment
from campaign.selectors.clock import factions_of
from campaign.services.guests import guest_battle_open, guest_scenario
from campaign.services.seats import campaign_begin, campaign_open
from umpire.services.moments import battle_of_moment
from umpire.services.positions import position_of, position_scenario


def may_play_moment(user: AbstractBaseUser | AnonymousUser, moment: PublicMoment) -> bool:
    """Return whether a reader can play on from a moment, if need be as a guest."""
    if not user.is_authenticated and guest_scenario() is None:
        return False
    try:
        position_of(battle_of_moment(moment), moment.turn)
    except (NotAllowed, NotFound):
        return False
    return True


def moment_sides(moment: PublicMoment) -> list[tuple[str, str]]:
    """Return the key and name of each side of a moment's battle."""
    keys = {side["name"] for side in battle_of_moment(moment).start["sides"]}
    return [(item.key, item.name) for item in factions_of(moment.campaign) if item.key in keys]


@transaction.atomic
def moment_play(*, user: AbstractBaseUser, moment: PublicMoment, side: str) -> Viewer:
    """Begin a battle with a moment's position, in which the user leads a side.

    A guest whose battle is not over goes on with that one.

    Raises:
        NotAllowed: No battle can begin with it, or the site has no guests.
        RuleViolations: There is no such side, or the battle is too large.
    """
    battle = battle_of_moment(moment)
    row = position_scenario(user=user, campaign=moment.campaign, battle=battle, turn=moment.turn)
    if GuestAccount.objects.filter(user_id=user.pk).exists():
        return guest_battle_open(user=user, side=side, scenario=row)
    campaign = campaign_open(user=user, scenario=row, play=side)
    campaign_begin(viewer=viewer_of(user, campaign.public_id))
    return viewer_of(user, campaign.public_id)
