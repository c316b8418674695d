"""After a clock that was ahead: what it stated too far ahead is stated anew, by the clock as it is now.

While a clock is two days ahead, a stage closes that had two days left, what comes of it is to be public two days from
now, and the next stage opens then and has its whole time after that. Once the clock is set back, that stage opens now,
and closes when a stage closes that opens now. A deadline that an umpire has set stays. What was sealed stays sealed: a
stage that closed too early cannot be opened again.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Least

from campaign import models
from campaign.models.kinds import STOPS
from campaign.models.stage import OPEN
from umpire.services.outbox import stage_announce, stop_announce
from umpire.services.stages import stage_deadline
from umpire.services.stop_clock import stop_awaits, stop_closes, weekly_of

UNLIKE = timedelta(minutes=5)  # by which the clocks of a site's machines never differ

log = structlog.get_logger(__name__)


def instants_restate(*, now: datetime) -> int:
    """State anew what lies further ahead than anything is put; of how many campaigns."""
    farthest = now + UNLIKE + timedelta(seconds=settings.PUBLICATION_ALLOWANCE + 2 * settings.PUBLICATION_GRID)
    ahead = Q(stages__status=OPEN, stages__opens__gt=farthest) | Q(head__stage_to_here__publishes_at__gt=farthest)
    branches = models.Branch.objects.filter(ahead | Q(campaign__paused_at__gt=farthest)).distinct()
    known = list(branches.order_by("pk").values_list("pk", flat=True))
    for branch in known:
        with transaction.atomic():
            _restate(branch, farthest, now)
    return len(known)


def _restate(branch: int, farthest: datetime, now: datetime) -> None:
    stages = models.Stage.objects.filter(branch=branch)
    rows = list(stages.filter(status=OPEN, opens__gt=farthest).select_for_update().order_by("pk"))
    stages.filter(publishes_at__gt=farthest).update(publishes_at=now, closed_at=Least(F("closed_at"), now))
    campaign = models.Campaign.objects.filter(branches=branch)
    campaign.filter(paused_at__gt=farthest).update(paused_at=now)
    log.warning("clock-was-ahead", campaign=campaign.get().pk, stages=len(rows))
    for row in sorted(rows, key=lambda stage: stage.battle_id is not None):  # a week's stage first: stops end with it
        stage = models.Stage.objects.select_related("branch__campaign", "battle").get(pk=row.pk)
        by_hand = stage.battle_id is None and stage.closes != stage_deadline(stage, stage.opens)
        closes = stage.closes if by_hand else _deadline(stage, now)
        models.Stage.objects.filter(pk=stage.pk, status=OPEN).update(opens=now, closes=closes)
        stage.opens, stage.closes = now, closes
        _announce(stage, now)


def _deadline(stage: models.Stage, opens: datetime) -> datetime | None:
    if stage.battle_id is None:
        return stage_deadline(stage, opens)
    if stage.kind not in STOPS:  # a table's
        return None
    return stop_closes(stage.branch.campaign.timetable, weekly_of(stage).closes, opens)


def _announce(stage: models.Stage, now: datetime) -> None:
    """Tell the instants as they are now, instead of what has not been sent yet."""
    campaign, branch = stage.branch.campaign, stage.branch
    if stage.battle is None:
        told = f"stage/{campaign.public_id}/{branch.number}/{stage.ordinal}/"
    else:
        told = f"stop/{campaign.public_id}/{stage.battle.public_id}/{stage.ordinal}/"
    models.Notification.objects.filter(dedupe_key__startswith=told, sent_at__isnull=True).delete()
    if stage.battle is None:
        stage_announce(campaign=campaign, branch=branch, ordinal=stage.ordinal, stage=stage, now=now, corrected=True)
    elif stage.kind in STOPS:
        stop_announce(stage=stage, factions=stop_awaits(stage), corrected=True)
