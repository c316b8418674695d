"""One reminder to who has not sealed when a stage is about to close. It hangs on his own envelope alone."""

from __future__ import annotations

from datetime import datetime, timedelta

from campaign import models
from campaign.models.membership import OF_A_FACTION
from campaign.models.stage import OPEN
from campaign.services.due import factions_waited_for
from umpire.services.outbox import moment_in, stage_name

BEFORE = timedelta(hours=24)
REMINDER = "{campaign}: your orders for {stage} are not sealed yet. It closes {closes}."


def reminders_write(*, now: datetime) -> int:
    """Write the reminders of all stages that close within a day and were open for longer; how many are new."""
    due = models.Stage.objects.filter(
        battle__isnull=True,
        status=OPEN,
        closes__gt=now,
        closes__lte=now + BEFORE,
        branch__campaign__paused_at__isnull=True,
    ).select_related("branch__campaign")
    return sum(_remind(stage, stage.closes) for stage in due if stage.closes and stage.closes - stage.opens > BEFORE)


def _remind(stage: models.Stage, closing: datetime) -> int:
    campaign = stage.branch.campaign
    closes = moment_in(campaign, closing)
    body = REMINDER.format(campaign=campaign.name, stage=stage_name(stage), closes=closes)
    users = models.Membership.objects.filter(
        campaign=campaign, role__in=OF_A_FACTION, faction__in=factions_waited_for(stage).values("pk")
    ).values_list("user_id", flat=True)
    rows = [
        models.Notification(
            user_id=user,
            dedupe_key=f"reminder/{campaign.public_id}/{stage.branch.number}/{stage.ordinal}/{user}",
            body=body,
            path=f"/c/{campaign.public_id}/",
        )
        for user in sorted(set(users))
    ]
    keys = [row.dedupe_key for row in rows]
    known = set(models.Notification.objects.filter(dedupe_key__in=keys).values_list("dedupe_key", flat=True))
    new = [row for row in rows if row.dedupe_key not in known]
    models.Notification.objects.bulk_create(new, ignore_conflicts=True)
    return len(new)
