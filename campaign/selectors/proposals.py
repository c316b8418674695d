"""The proposal on which the sides of a war are voting."""

from __future__ import annotations

from datetime import datetime

from campaign.kinds import ProposalState
from campaign.models.campaign import Campaign
from campaign.models.proposal import Proposal


def open_proposal(campaign: Campaign, now: datetime) -> Proposal | None:
    """Return the proposal that can still be answered, with its author; there is at most one."""
    rows = Proposal.objects.filter(campaign=campaign, state=ProposalState.OPEN, closes__gt=now)
    return rows.select_related("by").first()
