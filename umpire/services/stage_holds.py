"""What umpires do to one stage: accept late orders, and hold the next stage until it is released.

A held stage closes as usual, but is not computed, so the next one does not open. All members see
that, because it changes when they can play. The functions raise NotFound for everybody who is not
an umpire.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from campaign.access import Viewer, require
from campaign.errors import NotAllowed
from campaign.kinds import StageStatus
from campaign.models.ledger import GRACE, HOLD, RELEASE
from campaign.models.stage import Stage
from campaign.rules.timetable import MAX_GRACE
from campaign.selectors.due import STAGE_RESOLVE, task_enqueue
from campaign.selectors.stuck import is_held
from campaign.services.acts import act_write, require_open_stage
from campaign.services.seats import lock_campaign
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase


def stage_grace(
    *,
    viewer: Viewer,
    hours: int,
    stage: int | None = None,
    reason: str = "",
    now: datetime | None = None,
) -> Stage:
    """Accept orders in the open stage until some hours after its deadline; with 0, no longer.

    Args:
        stage: The ordinal of the intended stage.

    Raises:
        NotAllowed: The stage has no deadline, or it has passed and late orders are not to end now.
        RuleViolations: The number of hours is not valid.
        StageClosed: The stage is closed.
    """
    moment = now or timezone.now()
    campaign = require(viewer, umpire=True).campaign
    if not 0 <= hours <= MAX_GRACE:
        words = phrase("must be from 0 to {} hours", MAX_GRACE)
        raise RuleViolations([Violation("hours", "bad-number", words)])
    with transaction.atomic():
        locked = require_open_stage(lock_campaign(campaign), stage)
        if locked.closes is None:
            raise NotAllowed(phrase("this stage has no deadline"))
        until = locked.closes + timedelta(hours=hours) if hours else None
        if until == locked.grace_until:
            return locked
        if max(locked.closes, until or locked.closes) <= moment:
            raise NotAllowed(phrase("that time is already over: close the stage instead"))
        facts = {
            "week": locked.week,
            "stage": locked.kind,
            "until": "" if until is None else until.isoformat(),
        }
        act_write(
            campaign=campaign,
            stage=locked,
            actor=viewer.user,
            verb=GRACE,
            facts=facts,
            reason=reason,
            now=moment,
        )
        locked.grace_until = until
        locked.save(update_fields=["grace_until"])
    return locked


def stage_hold(
    *,
    viewer: Viewer,
    stage: int | None = None,
    reason: str = "",
    now: datetime | None = None,
) -> Stage:
    """Hold back the stage after the open one, until `stage_release`. Repeating it does nothing.

    Args:
        stage: The ordinal of the open stage.

    Raises:
        StageClosed: The stage is closed.
    """
    campaign = require(viewer, umpire=True).campaign
    with transaction.atomic():
        locked = require_open_stage(lock_campaign(campaign), stage)
        if not is_held(locked):
            act_write(
                campaign=campaign,
                stage=locked,
                actor=viewer.user,
                verb=HOLD,
                facts={"week": locked.week, "stage": locked.kind},
                reason=reason,
                now=now or timezone.now(),
            )
    return locked


def stage_release(
    *, viewer: Viewer, stage: int, reason: str = "", now: datetime | None = None
) -> Stage:
    """Let a held stage be computed as soon as it is closed, so that the next one opens.

    Args:
        stage: The ordinal of the stage that was open when the next one was held back.

    Raises:
        NotAllowed: The stage is not held.
    """
    campaign = require(viewer, umpire=True).campaign
    with transaction.atomic():
        rows = Stage.objects.filter(branch__headed=campaign, battle__isnull=True, ordinal=stage)
        locked = rows.exclude(status=StageStatus.RESOLVED).select_for_update().first()
        if locked is None or not is_held(locked):
            raise NotAllowed(phrase("no stage is held back"))
        act_write(
            campaign=campaign,
            stage=locked,
            actor=viewer.user,
            verb=RELEASE,
            facts={"week": locked.week, "stage": locked.kind},
            reason=reason,
            now=now or timezone.now(),
        )
        if locked.status == StageStatus.CLOSED:
            task_enqueue(name=STAGE_RESOLVE, row=locked.pk)
    return locked
