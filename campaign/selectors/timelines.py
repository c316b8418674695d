"""The abandoned timelines of a war."""

from __future__ import annotations

from campaign.errors import NotFound
from campaign.lineage import shared_up_to
from campaign.models.campaign import Branch, Campaign
from engine.core.phrase import phrase


def abandoned_timeline(campaign: Campaign, number: int) -> tuple[Branch, int]:
    """Return an abandoned timeline, and the number of the last snapshot that the war shares.

    Raises:
        NotFound: There is no such timeline.
    """
    rows = Branch.objects.filter(campaign=campaign, number=number, left_at__isnull=False)
    branch = rows.first()
    if branch is None or campaign.head_branch is None:
        raise NotFound(phrase("there is no such timeline"))
    return branch, shared_up_to(campaign.head_branch, branch)
