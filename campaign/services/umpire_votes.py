"""Votes of the sides on an umpire, in a running war whose host plays.

An umpire sees everything and could tell a host who plays what the others do. So an invitation of
such a host gives no seat: when the invited person accepts it, every side with players is asked, and
the person becomes umpire with the last consent.
"""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from campaign.access import Viewer
from campaign.errors import NotAllowed
from campaign.kinds import ProposalKind, ProposalState, Role
from campaign.models.campaign import Membership
from campaign.models.proposal import Proposal
from campaign.services.acts import require_open_stage
from campaign.services.outbox import vote_announce
from campaign.services.proposals import proposal_open
from campaign.services.seats import seat_give
from campaign.store.publication import played_factions
from engine.core.errors import RuleViolations
from engine.core.phrase import phrase

UMPIRE_PROPOSAL_SCHEMA = 1
HAS_SEAT = phrase("somebody with a seat in this war cannot become its umpire")


def needs_umpire_vote(maker: Viewer) -> bool:
    """Return whether an invitation of this host to be umpire leads to a vote of the sides."""
    return maker.hosts and maker.plays and not maker.umpires


def has_voters(maker: Viewer) -> bool:
    """Return whether another side than the host's has players, who can vote."""
    played = played_factions(maker.campaign)
    return maker.faction is not None and played.exclude(pk=maker.faction.pk).exists()


def umpire_vote_open(*, maker: Viewer, candidate: AbstractBaseUser, now: datetime) -> Proposal:
    """Ask the sides whether a person shall become umpire; the host's own side has agreed.

    The caller's transaction has locked the campaign.

    Raises:
        NotAllowed: The person has a seat in the war, or another proposal is open.
        StageClosed: The open stage is being resolved.
    """
    campaign = maker.campaign
    require_open_stage(campaign)
    if Membership.objects.filter(campaign=campaign, user_id=candidate.pk).exists():
        raise NotAllowed(HAS_SEAT)
    body = {
        "schema": UMPIRE_PROPOSAL_SCHEMA,
        "user": candidate.pk,
        "name": candidate.get_username(),
    }
    proposal = proposal_open(viewer=maker, kind=ProposalKind.UMPIRE, body=body, now=now)
    vote_announce(proposal=proposal, now=now)
    return proposal


def umpire_appoint(proposal: Proposal, now: datetime) -> ProposalState:
    """Give the seat of an umpire to the proposed person, now that all sides have agreed.

    Returns:
        The new state of the proposal: failed if the person can no longer take the seat.
    """
    user = get_user_model()._default_manager.filter(pk=proposal.body["user"]).first()
    campaign = proposal.campaign
    if user is None or Membership.objects.filter(campaign=campaign, user_id=user.pk).exists():
        return ProposalState.FAILED
    try:
        with transaction.atomic():
            seat_give(campaign=campaign, user=user, role=Role.UMPIRE, now=now)
    except (NotAllowed, RuleViolations):
        return ProposalState.FAILED
    return ProposalState.DONE
