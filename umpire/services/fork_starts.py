"""The stages of a war with which a fork can begin."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from campaign.kinds import StageEnding, StageKind, StageStatus
from campaign.lineage import played_on_line
from campaign.models.campaign import Campaign
from campaign.models.stage import Stage


def fork_stages(campaign: Campaign, now: datetime | None = None) -> list[Stage]:
    """Return the stages from which a fork can begin, newest first.

    These are the stages of the week on the line whose beginning is public, as the last ruling left
    them. Nothing in the ledger covers the world before the first stage, so it is not among them.
    """
    if campaign.head_branch_id is None:
        return []
    stages = Stage.objects.filter(battle__isnull=True, ordinal__gt=0)
    stages = stages.filter(opens__lte=now or timezone.now()).exclude(status=StageStatus.LEFT)
    on_line = played_on_line(stages.exclude(how=StageEnding.RULED), campaign.head_branch_id)
    return list(on_line.select_related("branch").order_by("-ordinal"))


def fork_weeks(campaign: Campaign) -> list[Stage]:
    """Return the orders stages among the stages from which a fork can begin, newest first."""
    return [stage for stage in fork_stages(campaign) if stage.kind == StageKind.ORDERS]
