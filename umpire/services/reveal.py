"""Publishing the seed of a finished war, with which its ledger ends."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from campaign.errors import NotFound
from campaign.kinds import StageStatus
from campaign.lineage import played_on_line
from campaign.models.campaign import Campaign
from campaign.models.ledger import REVEAL, Act, LedgerRow
from campaign.models.stage import Stage
from campaign.selectors.families import may_be_public
from campaign.selectors.heads import head_of
from campaign.services.acts import act_write
from campaign.services.seats import lock_campaign
from engine.core.phrase import phrase


def seed_reveal(*, campaign: Campaign, now: datetime | None = None) -> Act:
    """Publish the seed of a war with an act, and return the act; done twice it changes nothing.

    The ledger ends with this act (`campaign.selectors.end_rows`).

    Raises:
        NotFound: The war is not over, or its story has to stay secret.
    """
    with transaction.atomic():
        campaign = lock_campaign(campaign)
        written = Act.objects.filter(campaign=campaign, verb=REVEAL).first()
        if written is not None:
            return written
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
