"""Answer, withdraw and read the proposals on which the sides of a war vote.

The last consent carries a proposal out; each kind has a function for that.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from campaign.access import Viewer
from campaign.errors import NotAllowed, NotFound
from campaign.kinds import ProposalKind, ProposalState
from campaign.models.campaign import Campaign, Faction
from campaign.models.proposal import Consent, Proposal
from campaign.rules.rollback_rules import DEFAULT_ROLLBACKS, rollback_rules_of
from campaign.services.proposals import consent_write, open_proposals
from campaign.services.seats import lock_campaign
from campaign.services.umpire_votes import umpire_appoint
from campaign.store.publication import played_factions
from engine.core.phrase import phrase
from umpire.services.beacon_waivers import beacon_carry_out, beacon_voters
from umpire.services.forks import fork_carry_out
from umpire.services.history import rollback_carry_out


def proposal_answer(
    *, viewer: Viewer, proposal: int, agree: bool, now: datetime | None = None
) -> Proposal:
    """Answer an open proposal for the viewer's side; the last consent carries it out.

    Args:
        proposal: Its primary key.

    Raises:
        NotFound: There is no such proposal, or the viewer gives no side's orders.
        NotAllowed: The vote is over, or the side has given the other answer.
        StageClosed: The open stage is being resolved; the answer is not counted.
    """
    moment = now or timezone.now()
    faction = viewer.faction
    if faction is None or not viewer.plays:
        raise NotFound(phrase("there is no such proposal"))
    with transaction.atomic():
        campaign = lock_campaign(viewer.campaign)
        row = Proposal.objects.filter(campaign=campaign, pk=proposal).first()
        if row is None:
            raise NotFound(phrase("there is no such proposal"))
        earlier = Consent.objects.filter(proposal=row, faction=faction).first()
        if earlier is not None and earlier.answer == agree:
            return row
        if earlier is not None:
            raise NotAllowed(phrase("your side has already answered"))
        if row.state != ProposalState.OPEN or row.closes <= moment:
            raise NotAllowed(phrase("the vote is over"))
        consent_write(viewer=viewer, faction=faction, proposal=row, agree=agree, now=moment)
        return _settle(viewer, row, agree=agree, now=moment)


def proposal_withdraw(*, viewer: Viewer, proposal: int) -> Proposal:
    """Withdraw an open proposal of the viewer's.

    Raises:
        NotFound: There is no such proposal of the viewer's.
    """
    with transaction.atomic():
        campaign = lock_campaign(viewer.campaign)
        rows = open_proposals(campaign).filter(pk=proposal, by_id=viewer.user.pk)
        row = rows.first()
        if row is None:
            raise NotFound(phrase("there is no such proposal"))
        row.state = ProposalState.WITHDRAWN
        row.save(update_fields=["state"])
    return row


def newest_proposal(campaign: Campaign, now: datetime | None = None) -> Proposal | None:
    """Return the newest proposal with its state now; an open one whose time is over has expired."""
    rows = Proposal.objects.filter(campaign=campaign).select_related("by")
    row = rows.prefetch_related("consents__faction").order_by("-pk").first()
    if row is None or row.state != ProposalState.OPEN:
        return row
    if row.closes <= (now or timezone.now()):
        row.state = ProposalState.EXPIRED
    return row


def voters_of(proposal: Proposal) -> QuerySet[Faction]:
    """Return the factions whose consent a proposal needs, by key."""
    if proposal.kind == ProposalKind.NO_BEACON:
        return beacon_voters(proposal.campaign)
    return played_factions(proposal.campaign)


def _settle(viewer: Viewer, proposal: Proposal, *, agree: bool, now: datetime) -> Proposal:
    """Refuse a proposal, carry it out or leave it open after a side's answer, and return it."""
    rules = DEFAULT_ROLLBACKS  # all sides must agree
    if proposal.kind == ProposalKind.ROLLBACK:
        rules = rollback_rules_of(proposal.campaign.ruleset)
    sides = set(voters_of(proposal).values_list("pk", flat=True))
    answers = Consent.objects.filter(proposal=proposal, faction__in=sides)
    agreed = answers.filter(answer=True).count()
    disagreed = answers.filter(answer=False).count()
    if not rules.is_accepted(len(sides) - disagreed, len(sides)):
        proposal.state = ProposalState.REFUSED
    elif agree and rules.is_accepted(agreed, len(sides)):
        proposal.state = _carry_out(viewer, proposal, now)
    proposal.save(update_fields=["state"])
    return proposal


def _carry_out(viewer: Viewer, proposal: Proposal, now: datetime) -> ProposalState:
    """Do what was proposed, and return the proposal's new state."""
    if proposal.kind == ProposalKind.UMPIRE:
        return umpire_appoint(proposal, now)
    if proposal.kind == ProposalKind.FORK:
        return fork_carry_out(proposal, now)
    if proposal.kind == ProposalKind.NO_BEACON:
        return beacon_carry_out(viewer=viewer, proposal=proposal, now=now)
    if proposal.kind == ProposalKind.REVEAL:
        return ProposalState.DONE  # the clock publishes the seed when all wars have agreed
    return rollback_carry_out(viewer=viewer, proposal=proposal, now=now)
