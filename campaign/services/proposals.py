"""Open proposals on which the sides of a war vote, and write the answers of sides.

What a proposal does once it is accepted is in `umpire.services.proposals`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from campaign.access import Viewer
from campaign.errors import NotAllowed
from campaign.kinds import ProposalKind, ProposalState
from campaign.models.campaign import Campaign, Faction
from campaign.models.proposal import Consent, Proposal
from engine.core.phrase import phrase

VOTE_LASTS = timedelta(days=2)


def open_proposals(campaign: Campaign) -> QuerySet[Proposal]:
    """Return the proposals of a campaign that are stored as open."""
    return Proposal.objects.filter(campaign=campaign, state=ProposalState.OPEN)


def proposal_open(
    *, viewer: Viewer, kind: ProposalKind, body: Mapping[str, Any], now: datetime
) -> Proposal:
    """Open a proposal; the side of a player who proposes consents by proposing.

    The caller's transaction has locked the campaign.

    Raises:
        NotAllowed: Another proposal is open.
    """
    campaign = viewer.campaign
    open_proposals(campaign).filter(closes__lte=now).update(state=ProposalState.EXPIRED)
    if open_proposals(campaign).exists():
        raise NotAllowed(phrase("another proposal is being voted on"))
    proposal = Proposal.objects.create(
        campaign=campaign,
        kind=kind,
        body=dict(body),
        by_id=viewer.user.pk,
        opened_at=now,
        closes=now + VOTE_LASTS,
    )
    if viewer.faction is not None and viewer.plays:
        consent_write(viewer=viewer, faction=viewer.faction, proposal=proposal, agree=True, now=now)
    return proposal


def consent_write(
    *, viewer: Viewer, faction: Faction, proposal: Proposal, agree: bool, now: datetime
) -> None:
    """Write a side's answer to a proposal."""
    Consent.objects.create(
        proposal=proposal, faction=faction, answer=agree, by_id=viewer.user.pk, at=now
    )
