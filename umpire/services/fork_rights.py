"""Who may fork a war, alone or by a vote of its sides.

`docs/decisions/0156` and `0180` have the reasons.
"""

from __future__ import annotations

from django.utils import timezone

from campaign.access import Viewer
from campaign.errors import NotAllowed
from campaign.kinds import Role
from campaign.models.campaign import FACTION_ROLES, Campaign, Membership, active_condition
from campaign.selectors.clock import war_is_over
from campaign.selectors.families import family_of
from engine.core.phrase import phrase
from umpire.services.history import Power

NO_FORK = phrase("this war cannot be forked")
NOT_BEGUN = phrase("the war has not begun")
NEEDS_END = phrase("while the war runs, only its players and its host can propose a fork")
NEEDS_VOTE = phrase("a running war with other players can be forked if every side agrees")
ONLY_UMPIRE = phrase("while the war runs, only its umpire can propose a fork")
NEEDS_NO_VOTE = phrase("no other side has to agree: create the fork yourself")
FAMILY_RUNS = phrase("another war that shares this history is still running")


def fork_power(viewer: Viewer) -> Power:
    """Return whether the viewer can fork the war alone, by a vote of its sides, or not at all.

    After the end, everybody with a seat may. While any war of the family runs, a fork could be
    played to learn what is hidden there. Then only a player without opponents decides alone; in a
    war with others every side with players must agree.
    """
    if _is_unforkable(viewer):
        return Power.NONE
    running = _running_with_others(viewer)
    if not running:
        return Power.ALONE
    is_only_this_war = [war.pk for war in running] == [viewer.campaign.pk]
    return Power.VOTE if is_only_this_war and _may_propose(viewer) else Power.NONE


def fork_refusal(viewer: Viewer) -> str:
    """Return why the viewer may neither fork the war now nor propose it, or an empty text."""
    if fork_power(viewer) is not Power.NONE:
        return ""
    if viewer.campaign.started_at is None and viewer.roles:
        return NOT_BEGUN
    if _is_unforkable(viewer):
        return NO_FORK
    if any(war.pk != viewer.campaign.pk for war in _running_with_others(viewer)):
        return FAMILY_RUNS
    return ONLY_UMPIRE if _has_umpire(viewer.campaign) else NEEDS_END


def require_fork_power(viewer: Viewer, power: Power) -> None:
    """Raise NotAllowed if the viewer does not have this power to fork the war."""
    refusal = fork_refusal(viewer)
    if refusal:
        raise NotAllowed(refusal)
    if fork_power(viewer) is not power:
        raise NotAllowed(NEEDS_VOTE if power is Power.ALONE else NEEDS_NO_VOTE)


def _is_unforkable(viewer: Viewer) -> bool:
    """Return whether the viewer can never fork this war, or it has not begun."""
    campaign = viewer.campaign
    if campaign.ruleset.get("single") or hasattr(campaign, "tournament_match"):
        return True
    return not viewer.roles or viewer.guest_of is not None or campaign.started_at is None


def _may_propose(viewer: Viewer) -> bool:
    """Return whether the viewer can propose a fork of the running war to its sides."""
    if _has_umpire(viewer.campaign):
        return viewer.umpires
    return viewer.hosts or viewer.plays


def _has_umpire(campaign: Campaign) -> bool:
    """Return whether a war has an umpire."""
    return Membership.objects.filter(campaign=campaign, role=Role.UMPIRE).exists()


def _running_with_others(viewer: Viewer) -> list[Campaign]:
    """Return the running wars of the family in which not only the viewer has a seat."""
    wars = []
    for war in family_of(viewer.campaign):
        is_running = war.started_at is not None and not war_is_over(campaign=war)
        if is_running and _others_are_in(war, viewer):
            wars.append(war)
    return wars


def _others_are_in(campaign: Campaign, viewer: Viewer) -> bool:
    """Return whether an umpire or a player other than the viewer has a seat in a war."""
    seats = Membership.objects.filter(active_condition(timezone.now()), campaign=campaign)
    seats = seats.filter(role__in=(Role.UMPIRE, *FACTION_ROLES))
    return seats.exclude(user_id=viewer.user.pk).exists()
