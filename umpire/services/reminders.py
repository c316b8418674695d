"""One reminder to who has not sealed when a stage is about to close. It hangs on his own envelope alone.

A stop of a battle online reminds those whom it waits for, when half its time is gone.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from campaign import models
from campaign.models.campaign import OF_A_FACTION, PLAYER
from campaign.models.kinds import STOPS
from campaign.models.stage import OPEN
from campaign.selectors.next_action import Part, next_actions_of
from campaign.services.due import factions_waited_for
from umpire.services.outbox import moment_in, stage_name
from umpire.services.stop_clock import stop_awaits

BEFORE = timedelta(hours=24)
REMINDER = "{campaign}: {stage} closes {closes}. You have not sealed your orders yet."
STOP_REMINDER = "{campaign}: your battle still needs your orders, by {closes}."


def reminders_write(*, now: datetime) -> int:
    """Write the reminders of all stages that close within a day and were open for longer; how many are new."""
    due = models.Stage.objects.filter(
        battle__isnull=True,
        status=OPEN,
        opens__lte=now,
        closes__gt=now,
        closes__lte=now + BEFORE,
        branch__campaign__paused_at__isnull=True,
    ).select_related("branch__campaign")
    reminded = sum(
        _remind(stage, stage.closes) for stage in due if stage.closes and stage.closes - stage.opens > BEFORE
    )
    return reminded + _stops_remind(now)


def _stops_remind(now: datetime) -> int:
    """The reminders of the stops of battles."""
    due = models.Stage.objects.filter(
        kind__in=STOPS, status=OPEN, opens__lte=now, closes__gt=now, branch__campaign__paused_at__isnull=True
    ).select_related("branch__campaign", "battle")
    written = 0
    for stage in due:
        if stage.closes is None or stage.battle is None or stage.opens + (stage.closes - stage.opens) / 2 > now:
            continue
        campaign = stage.branch.campaign
        body = STOP_REMINDER.format(campaign=campaign.name, closes=moment_in(campaign, stage.closes))
        place = f"{stage.battle.public_id}/{stage.kind}/{stage.ordinal}"
        written += _write(campaign, [faction.pk for faction in stop_awaits(stage)], body, place)
    return written


def _remind(stage: models.Stage, closing: datetime) -> int:
    campaign = stage.branch.campaign
    closes = moment_in(campaign, closing)
    body = REMINDER.format(campaign=campaign.name, stage=stage_name(stage), closes=closes)
    waited = list(factions_waited_for(stage))
    wants = next_actions_of([Part(campaign, (PLAYER,), faction, stage, sealed=False) for faction in waited])
    factions = [faction.pk for faction, want in zip(waited, wants, strict=True) if want.due]
    return _write(campaign, factions, body, f"{stage.branch.number}/{stage.ordinal}")


def _write(campaign: models.Campaign, factions: list[int], body: str, place: str) -> int:
    """The rows to the people of these factions; how many are new. `place`: which stage, in its campaign."""
    users = models.Membership.objects.filter(
        campaign=campaign, role__in=OF_A_FACTION, faction__in=factions
    ).values_list("user_id", flat=True)
    rows = [
        models.Notification(
            user_id=user,
            dedupe_key=f"reminder/{campaign.public_id}/{place}/{user}",
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
