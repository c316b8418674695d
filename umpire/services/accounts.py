"""Whose budget the work for a war uses: of the account that opened it, however many wars that
account has.
"""

from __future__ import annotations

from collections.abc import Collection

from campaign.models.stage import Stage
from jobs.services import JobAccount


def accounts_of(stages: Collection[int]) -> dict[int, JobAccount]:
    """Return whose budget the work for stages uses, by the stage's row.

    A war that nobody opened has one of its own.
    """
    rows = Stage.objects.filter(pk__in=stages).values_list(
        "pk", "branch__campaign_id", "branch__campaign__created_by_id"
    )
    return {
        stage: JobAccount(f"war/{campaign}" if account is None else f"user/{account}", campaign)
        for stage, campaign, account in rows
    }
