"""How each battle is fought: as the campaign has it, where there are people to do so."""

from __future__ import annotations

from campaign import models
from campaign.models.battle import CAPTAINS, ONLINE, TABLE
from campaign.models.campaign import UMPIRE
from campaign.rules.world import Engagement
from campaign.services.campaigns import battles_of
from campaign.services.due import factions_played


def battle_mode(campaign: models.Campaign, engagement: Engagement) -> str:
    """The mode of a battle now written.

    At a table every side needs a player, or the campaign an umpire who plays those without. Online one player is
    enough: captains answer for the others. Else captains fight.
    """
    wanted = battles_of(campaign)
    if wanted == CAPTAINS:
        return CAPTAINS
    played = set(factions_played(campaign).values_list("key", flat=True))
    if wanted == TABLE:
        umpired = models.Membership.objects.filter(campaign=campaign, role=UMPIRE).exists()
        return TABLE if umpired or all(played & set(side) for side in engagement.sides) else CAPTAINS
    return ONLINE if any(played & set(side) for side in engagement.sides) else CAPTAINS
