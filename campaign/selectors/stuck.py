"""Whether a stage of the week cannot be computed, because its job failed too often.

The job is quarantined then, and all members see the same message (`umpire.services.quarantine`).
"""

from __future__ import annotations

from campaign.kinds import StageStatus
from campaign.models.stage import Stage
from campaign.selectors.due import STAGE_RESOLVE
from jobs.models import QUARANTINED, Job


def is_stuck(stage: Stage | None) -> bool:
    """Return whether a stage of the week cannot be computed. Queries only for a closed stage."""
    if stage is None or stage.status != StageStatus.CLOSED:
        return False
    return Job.objects.filter(dedupe_key=f"{STAGE_RESOLVE}/{stage.pk}", status=QUARANTINED).exists()
