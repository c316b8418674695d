"""Open proposals on which the sides of a war vote, and write the answers of sides.

`umpire.services.proposals` carries accepted proposals out.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Q, QuerySet

from campaign.access import Viewer
from campaign.errors import NotAllowed
from campaign.kinds import ProposalKind, ProposalState
from campaign.models.campaign import Campaign, Faction
from campaign.models.proposal import Consent, Proposal
from engine.core.phrase import phrase

VOTE_LASTS = timedelta(days=2)
REFUSED_WAIT = timedelta(days=1)  # for the same side, after the end of a vote without consent


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


def require_no_refusal(viewer: Viewer, kind: ProposalKind, now: datetime) -> None:
    """Raise NotAllowed if the last such proposal of the viewer's side ended without consent lately.

    Also if the viewer made it for no side.
    """
    own = Q(by_id=viewer.user.pk)
    if viewer.faction is not None:
        own |= Q(consents__faction=viewer.faction, consents__by=F("by"))
    rows = Proposal.objects.filter(own, campaign=viewer.campaign, kind=kind)
    last = rows.order_by("-pk").first()
    if last is None or last.state not in (ProposalState.REFUSED, ProposalState.EXPIRED):
        return
    ended = last.closes
    if last.state == ProposalState.REFUSED:
        ended = last.consents.latest("at").at
    if now < ended + REFUSED_WAIT:
        words = phrase("your last proposal was not accepted: wait a day before the next one")
        raise NotAllowed(words)


def consent_write(
    *, viewer: Viewer, faction: Faction, proposal: Proposal, agree: bool, now: datetime
) -> None:
    """Write a side's answer to a proposal."""
    Consent.objects.create(
        proposal=proposal, faction=faction, answer=agree, by_id=viewer.user.pk, at=now
    )
