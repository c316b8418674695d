"""When the stops of battles online close: whose orders are waited for, what is due, how a pause moves their time."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from campaign import models
from campaign.models.stage import CLOSED, OPEN, STOPS
from campaign.services.due import BATTLES, factions_played
from umpire.services.admirals import is_absent


def stop_due(*, stage: models.Stage, now: datetime) -> bool:
    """Whether an open stop has to close: its time is up, or all that are waited for are in. Never during a pause."""
    if stage.status != OPEN or stage.branch.campaign.paused_at is not None:
        return False
    if stage.closes is not None and stage.closes <= now:
        return True
    return not stop_awaits(stage)


def stops_to_resolve(*, now: datetime) -> list[models.Stage]:
    """The stops of all campaigns that a tick has to resolve: closed but not resolved, or due to close.

    Those of a week whose window has ended are left to the week.
    """
    rows = models.Stage.objects.filter(kind__in=STOPS, status__in=(OPEN, CLOSED)).order_by("pk")
    waiting = rows.select_related("branch__campaign")
    return [
        stage
        for stage in waiting
        if (stage.status == CLOSED or stop_due(stage=stage, now=now)) and weekly_of(stage).status == OPEN
    ]


def stop_awaits(stage: models.Stage) -> list[models.Faction]:
    """The factions for whose orders an open stop waits, by key: with players, neither in nor excused nor absent."""
    played = factions_played(stage.branch.campaign)
    asked = models.Faction.objects.filter(drafts__stage=stage, pk__in=played.values("pk"))
    sealed = models.Submission.objects.filter(stage=stage, withdrawn_at__isnull=True)
    missing = asked.exclude(pk__in=sealed.values("faction_id")).exclude(excuses__week=stage.week)
    weekly = weekly_of(stage)
    return [faction for faction in missing.order_by("key") if not is_absent(weekly, faction)]


def weekly_of(stage: models.Stage) -> models.Stage:
    """The stage of the week in which a stop's battle is fought."""
    rows = models.Stage.objects.filter(
        branch_id=stage.branch_id, week=stage.week, kind=BATTLES, battle__isnull=True
    ).select_related("branch__campaign")
    return rows.get()


def stop_closes(timetable: dict[str, Any], weekly: datetime | None, now: datetime) -> datetime | None:
    """When a stop closes that opens now: after the timetable's interval, or with its week (`weekly`)."""
    minutes = timetable.get("stop_minutes")
    ends = [] if minutes is None else [now + timedelta(minutes=minutes)]
    if weekly is not None:
        ends.append(max(weekly, now))
    return min(ends, default=None)


def stops_go_on(*, campaign: models.Campaign, paused: datetime, now: datetime) -> None:
    """After a pause the open stops have as much time left as they had. In the caller's transaction."""
    rows = models.Stage.objects.filter(branch__headed=campaign, kind__in=STOPS, status=OPEN, closes__isnull=False)
    for row in rows.select_for_update():
        if row.closes is not None:
            models.Stage.objects.filter(pk=row.pk).update(closes=row.closes + (now - max(paused, row.opens)))
