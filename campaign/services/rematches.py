"""A finished war or battle once more: the same settings, new dice, perhaps another side."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from campaign.access import Viewer, viewer_of
from campaign.errors import NotAllowed
from campaign.models.campaign import Campaign, Faction
from campaign.rules.beacon import has_beacon
from campaign.rules.rollback_rules import rollback_rules_of
from campaign.selectors.clock import factions_of, war_is_over
from campaign.selectors.messages import message_rules_of
from campaign.services.campaigns import battle_setting_of
from campaign.services.invites import NewInvite, invite_create
from campaign.services.seats import COMPUTER, campaign_begin, campaign_open
from campaign.store.documents import agreements_of, stored_scenario
from campaign.store.publication import played_factions
from engine.core.phrase import phrase

NO_REMATCH = phrase("a rematch needs a war or battle of yours that is over")


def may_rematch(viewer: Viewer) -> bool:
    """Return whether the viewer may open a war or battle again: its players may, once it is over.

    Battles of tournaments are left out, because their organizer pairs the players.
    """
    campaign = viewer.campaign
    if viewer.faction is None or hasattr(campaign, "tournament_match"):
        return False
    return war_is_over(campaign=campaign)


def next_side(viewer: Viewer) -> Faction | None:
    """Return the side that the viewer has after a change of sides: the next one."""
    sides = factions_of(viewer.campaign)
    keys = [side.key for side in sides]
    if viewer.faction is None or len(sides) < 2:
        return None
    return sides[(keys.index(viewer.faction.key) + 1) % len(sides)]


@transaction.atomic
def rematch_open(
    *, viewer: Viewer, play: str, now: datetime | None = None
) -> tuple[Campaign, list[NewInvite]]:
    """Open the war again and begin it, unless other players have to be invited first.

    Args:
        play: The key of the side that the viewer leads now.

    Returns:
        The new war, and an invitation to each side that another player is to lead.

    Raises:
        NotAllowed: There is no rematch of this war.
        RuleViolations: The settings are no longer possible here, or there is no such side.
    """
    campaign = viewer.campaign
    if not may_rematch(viewer) or viewer.faction is None:
        raise NotAllowed(NO_REMATCH)
    scenario = stored_scenario(campaign.scenario)
    played = set(played_factions(campaign).values_list("key", flat=True))
    invited = _sides_of_others(viewer, play, played)
    admirals = {}
    for side in factions_of(campaign):
        if side.key != play and side.key not in invited:
            admirals[side.key] = side.admiral or COMPUTER
    new = campaign_open(
        user=viewer.user,
        scenario=campaign.scenario,
        name=campaign.name,
        timetable=campaign.timetable,
        play=play,
        admirals=admirals,
        battles=battle_setting_of(campaign),
        agreements=agreements_of(campaign.ruleset, scenario),
        bots=bool(campaign.ruleset.get("bots")),
        beacon=has_beacon(campaign.ruleset),
        messages=message_rules_of(campaign),
        rollbacks=rollback_rules_of(campaign.ruleset),
        now=now,
    )
    host = viewer_of(viewer.user, new.public_id)
    if not invited:
        campaign_begin(viewer=host, now=now)
        return new, []
    return new, [invite_create(viewer=host, faction=key, now=now) for key in invited]


def _sides_of_others(viewer: Viewer, play: str, played: set[str]) -> list[str]:
    """Return the sides that other players lead in the rematch.

    Who gives up a side to the viewer gets the viewer's old one.
    """
    own = viewer.faction.key if viewer.faction else ""
    others = played - {own}
    if play in others:
        others = (others - {play}) | {own}
    return sorted(others)
