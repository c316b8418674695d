"""Whether a stage of the week cannot be computed: its job has failed so often that it is
quarantined.

Everybody in the war is told so, in the same words (`umpire.services.quarantine`).
"""

from __future__ import annotations

from campaign.kinds import StageStatus
from campaign.models.stage import Stage
from campaign.selectors.due import STAGE_RESOLVE
from jobs.models import QUARANTINED, Job


def is_stuck(stage: Stage | None) -> bool:
    """Return whether a stage of the week cannot be computed.

    No query for one that is not closed.
    """
    if stage is None or stage.status != StageStatus.CLOSED:
        return False
    return Job.objects.filter(dedupe_key=f"{STAGE_RESOLVE}/{stage.pk}", status=QUARANTINED).exists()
