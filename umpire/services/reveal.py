"""Publishing the seed of a finished war, with which its ledger ends.

While a fork of the war goes on, every side with players in every war of the family must agree.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from campaign.access import Viewer
from campaign.errors import NotAllowed, NotFound
from campaign.kinds import ProposalKind, ProposalState, StageStatus
from campaign.lineage import played_on_line
from campaign.models.campaign import Campaign
from campaign.models.ledger import REVEAL, Act, LedgerRow
from campaign.models.proposal import Proposal
from campaign.models.stage import Stage
from campaign.selectors.clock import war_is_over
from campaign.selectors.daily import open_until
from campaign.selectors.families import agreed_to_publish, family_of, may_be_public
from campaign.selectors.heads import head_of
from campaign.services.acts import act_write
from campaign.services.outbox import vote_announce
from campaign.services.proposals import proposal_open, require_no_refusal
from campaign.services.seats import lock_campaign
from campaign.store.publication import played_factions
from engine.core.phrase import phrase

REVEAL_SCHEMA = 1  # of the body of a proposal


def seed_reveal(*, campaign: Campaign, now: datetime | None = None) -> Act:
    """Publish the seed of a war with an act, and return the act; done twice it changes nothing.

    The ledger ends with this act (`campaign.selectors.end_rows`).

    Raises:
        NotFound: The war is not over, or its story has to stay secret.
    """
    with transaction.atomic():
        campaign = lock_campaign(campaign)
        existing = Act.objects.filter(campaign=campaign, verb=REVEAL).first()
        if existing is not None:
            return existing
        head = head_of(campaign)
        if head is None or not may_be_public(campaign=campaign):
            raise NotFound(phrase("the story of this war is not public yet"))
        rows = played_on_line(LedgerRow.objects.all(), campaign.head_branch_id or 0, "seq")
        last = rows.order_by("-seq").values_list("hash", "branch__number").first()
        assert last is not None
        assert campaign.head_branch is not None
        return act_write(
            campaign=campaign,
            stage=None,
            actor=None,
            verb=REVEAL,
            facts={
                "seed": campaign.seed,
                "branch": campaign.head_branch.number,
                "size": head.checkpoint.size,
                "root": head.checkpoint.root.hex(),
                "prev_hash": last[0],
            },
            now=now or timezone.now(),
        )


def may_propose_reveal(viewer: Viewer) -> bool:
    """Return whether the viewer may ask all sides to publish the story of their finished war."""
    if not (viewer.plays or viewer.hosts or viewer.umpires):
        return False
    campaign = viewer.campaign
    if open_until(campaign, timezone.now()) is not None:
        return False
    return war_is_over(campaign=campaign) and not may_be_public(campaign=campaign)


def is_reveal_voted_on(campaign: Campaign, now: datetime) -> bool:
    """Return whether sides of any war of the family still vote on publishing a war's story."""
    votes = Proposal.objects.filter(
        kind=ProposalKind.REVEAL,
        state=ProposalState.OPEN,
        closes__gt=now,
        body__war=str(campaign.public_id),
    )
    return votes.exists()


def reveal_propose(*, viewer: Viewer, now: datetime | None = None) -> list[Proposal]:
    """Ask the sides of all wars of a family to publish the story of the viewer's war.

    Each war votes on its own; one that has agreed before is not asked again. A war without players
    has no vote.

    Raises:
        NotAllowed: The war is not over, its story is public, the viewer may not propose it, another
            proposal is open in a war of the family, or the viewer's last one was refused less than
            a day ago.
    """
    moment = now or timezone.now()
    if not may_propose_reveal(viewer):
        raise NotAllowed(phrase("the war is not over, or its story is public already"))
    with transaction.atomic():
        campaign = lock_campaign(viewer.campaign)
        require_no_refusal(viewer, ProposalKind.REVEAL, moment)
        agreed = set(agreed_to_publish(campaign).values_list("campaign_id", flat=True))
        proposals = []
        for war in sorted(family_of(campaign), key=lambda row: row.pk):
            if war.pk not in agreed:
                proposals += _ask(viewer, lock_campaign(war), campaign, moment)
    return proposals


def _ask(viewer: Viewer, war: Campaign, published: Campaign, now: datetime) -> list[Proposal]:
    """Open the vote in a war of the family, and return it; none in another war without players."""
    voters = played_factions(war)
    is_own = war.pk == published.pk
    if not is_own and not voters.exists():
        return []
    # In another war the proposer may have a seat, but has not answered there.
    asker = viewer if is_own else Viewer(war, viewer.user, None, frozenset())
    body = {"schema": REVEAL_SCHEMA, "war": str(published.public_id), "name": published.name}
    proposal = proposal_open(viewer=asker, kind=ProposalKind.REVEAL, body=body, now=now)
    agreed = proposal.consents.filter(answer=True).values("faction")
    if voters.exclude(pk__in=agreed).exists():
        vote_announce(proposal=proposal, now=now)
    else:
        proposal.state = ProposalState.DONE
        proposal.save(update_fields=["state"])
    return [proposal]


def seeds_reveal(*, now: datetime) -> int:
    """Publish the seeds of all wars whose story has become public, and return their number."""
    waiting = Stage.objects.filter(
        branch__headed=OuterRef("pk"),
        battle__isnull=True,
        status__in=(StageStatus.OPEN, StageStatus.CLOSED),
    )
    published = Act.objects.filter(campaign=OuterRef("pk"), verb=REVEAL)
    over = Campaign.objects.filter(~Exists(waiting), ~Exists(published), started_at__isnull=False)
    count = 0
    for campaign in over.select_related("head_branch").order_by("pk"):
        if may_be_public(campaign=campaign):
            seed_reveal(campaign=campaign, now=now)
            count += 1
    return count
