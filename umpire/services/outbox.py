"""Messages about a stage: one to each user, the same for everybody, so that nothing can be read from them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings

from campaign.models.account import Notification
from campaign.models.campaign import OF_A_FACTION, Branch, Campaign, Faction, Membership
from campaign.models.stage import Stage

OPENED = "{campaign}: {stage} is open{until}."
UNTIL = " until {closes}"
WAITS = "{campaign}: your battle needs your orders{until}."
ENDED = "{campaign}: the war is over."

# stage kind -> its words
STAGES = {
    "deploy": "the deployment",
    "orders": "the orders stage of week {week}",
    "decisions": "the decisions stage of week {week}",
    "battles": "the battles stage of week {week}",
}


def stage_announce(
    *,
    campaign: Campaign,
    branch: Branch,
    ordinal: int,
    stage: Stage | None,
    now: datetime,
    corrected: bool = False,
) -> int:
    """Write the outbox rows for the stage that opens then (None: the war is over); how many. None is sent before.

    Where the site has channels of its own, they get one too. `corrected`: also to whom it was announced otherwise.
    """
    if stage is None:
        body = ENDED.format(campaign=campaign.name)
    else:
        until = "" if stage.closes is None else UNTIL.format(closes=moment_in(campaign, stage.closes))
        body = OPENED.format(campaign=campaign.name, stage=stage_name(stage), until=until)
    users = Membership.objects.filter(campaign=campaign).order_by("user_id").values_list("user_id", flat=True)
    receivers: list[int | None] = list(users.distinct())
    if settings.APPRISE_URLS:
        receivers.append(None)
    anew = f"{now:%Y%m%dT%H%M%S}/" if corrected else ""
    rows = [
        Notification(
            user_id=user,
            dedupe_key=f"stage/{campaign.public_id}/{branch.number}/{ordinal}/{anew}{user or 'site'}",
            body=body,
            path=f"/c/{campaign.public_id}/",
            due_at=now,
        )
        for user in receivers
    ]
    Notification.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def stop_announce(*, stage: Stage, factions: Sequence[Faction], corrected: bool = False) -> int:
    """Write the outbox rows for a stop of a battle that waits for these factions; how many. Nobody else is told, and
    nobody before it opens. `corrected`: also to whom it was announced otherwise."""
    campaign, battle = stage.branch.campaign, stage.battle
    if battle is None:
        raise ValueError("a stop belongs to a battle")
    until = "" if stage.closes is None else UNTIL.format(closes=moment_in(campaign, stage.closes))
    users = Membership.objects.filter(campaign=campaign, role__in=OF_A_FACTION, faction__in=factions)
    anew = f"{stage.opens:%Y%m%dT%H%M%S}/" if corrected else ""
    rows = [
        Notification(
            user_id=user,
            dedupe_key=f"stop/{campaign.public_id}/{battle.public_id}/{stage.ordinal}/{anew}{user}",
            body=WAITS.format(campaign=campaign.name, until=until),
            path=f"/c/{campaign.public_id}/",
            due_at=stage.opens,
        )
        for user in users.order_by("user_id").values_list("user_id", flat=True)
    ]
    Notification.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def stage_name(stage: Stage) -> str:
    """A stage in words."""
    return STAGES[stage.kind].format(week=stage.week)


def moment_in(campaign: Campaign, moment: datetime) -> str:
    """A moment in the campaign's time zone, in words that name the zone."""
    zone = campaign.timetable["zone"]
    return f"{moment.astimezone(ZoneInfo(zone)):%a %d %b %H:%M} ({zone})"
