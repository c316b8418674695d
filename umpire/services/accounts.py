"""Which account's job budget the work for a war uses: that of the user who opened it.

All wars of one user share that budget.
"""

from __future__ import annotations

from collections.abc import Collection

from campaign.models.stage import Stage
from jobs.services import JobAccount


def accounts_of(stages: Collection[int]) -> dict[int, JobAccount]:
    """Return the job accounts for stages, by the stage's primary key.

    A war that no user opened has an account of its own.
    """
    rows = Stage.objects.filter(pk__in=stages).values_list(
        "pk", "branch__campaign_id", "branch__campaign__created_by_id"
    )
    result: dict[int, JobAccount] = {}
    for stage, campaign, account in rows:
        result[stage] = JobAccount(
            f"war/{campaign}" if account is None else f"user/{account}", campaign
        )
    return result
