"""The proposal on which the sides of a war are voting."""

from __future__ import annotations

from datetime import datetime

from campaign.access import Viewer
from campaign.kinds import ProposalState
from campaign.models.campaign import Campaign
from campaign.models.proposal import Proposal


def open_proposal(campaign: Campaign, now: datetime) -> Proposal | None:
    """Return the proposal that can still be answered, with its author; there is at most one."""
    rows = Proposal.objects.filter(campaign=campaign, state=ProposalState.OPEN, closes__gt=now)
    return rows.select_related("by").first()


def may_answer(proposal: Proposal, viewer: Viewer) -> bool:
    """Return whether the viewer plays a side that has not answered an open proposal."""
    if not viewer.plays or viewer.faction is None:
        return False
    return not proposal.consents.filter(faction=viewer.faction).exists()
