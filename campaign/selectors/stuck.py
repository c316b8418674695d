"""Why a closed stage of the week is not computed: its job failed too often, or an umpire holds it.

In the first case the job is quarantined (`umpire.services.quarantine`), in the second the next
stage waits for its release (`umpire.services.stage_holds`). All members see the same message.
"""

from __future__ import annotations

from campaign.kinds import StageStatus
from campaign.models.ledger import HOLD, RELEASE, Act
from campaign.models.stage import Stage
from campaign.selectors.due import STAGE_RESOLVE
from jobs.models import QUARANTINED, Job


def is_stuck(stage: Stage | None) -> bool:
    """Return whether a stage of the week cannot be computed. Queries only for a closed stage."""
    if stage is None or stage.status != StageStatus.CLOSED:
        return False
    return Job.objects.filter(dedupe_key=f"{STAGE_RESOLVE}/{stage.pk}", status=QUARANTINED).exists()


def is_held(stage: Stage) -> bool:
    """Return whether an umpire holds back the stage after this one."""
    acts = Act.objects.filter(stage=stage, verb__in=(HOLD, RELEASE)).order_by("-pk")
    return acts.values_list("verb", flat=True).first() == HOLD


def is_waiting_for_release(stage: Stage | None) -> bool:
    """Return whether a stage is closed and held. Queries only for a closed stage."""
    return stage is not None and stage.status == StageStatus.CLOSED and is_held(stage)
