"""What an umpire may know of the server: failing jobs, unsent messages, and the site's health.

How long other wars' stages take, and how many jobs wait for them, would show an umpire who plays
elsewhere whether others fight there. So the site only says that it is behind, and only after longer
than any stage may take.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db.models import Q

from campaign.models.account import Notification
from campaign.models.campaign import Campaign
from campaign.selectors.due import PHASE_RESOLVE, STAGE_RESOLVE, TABLE_COMPARE
from campaign.services.outbox import NOTIFICATION_KINDS, campaign_key
from jobs.models import DONE, Job

BEHIND = timedelta(minutes=10)  # waiting time of a job that means the site is behind
RECENT = timedelta(days=7)  # for messages that were given up
LOW_DISK_SHARE = 0.1  # fraction of the disk


@dataclass(frozen=True, slots=True)
class FailingJob:
    """A job of a stage whose last attempt failed.

    Attributes:
        error: Kind and place of the failure, without any orders.
    """

    stage: int
    attempts: int
    error: str
    since: datetime


@dataclass(frozen=True, slots=True)
class UnsentMessage:
    """A message that could not be sent.

    Attributes:
        user: None for the site's own channels.
        given_up: It is not tried any more.
    """

    user: str | None
    given_up: bool
    attempts: int


@dataclass(frozen=True, slots=True)
class SiteHealth:
    """The state of the site.

    Attributes:
        backup: The day of the newest backup on this machine.
        has_disk_space: None if unknown.
    """

    behind: bool
    backup: datetime | None
    has_disk_space: bool | None


def jobs_failing(stages: Mapping[int, int]) -> dict[int, list[FailingJob]]:
    """Return the failing jobs of stages, those of the week and those of battles.

    Args:
        stages: Campaigns by the stage's primary key.
    """
    kinds = (STAGE_RESOLVE, PHASE_RESOLVE, TABLE_COMPARE)
    keys = [f"{kind}/{stage}" for stage in stages for kind in kinds]
    rows = (
        Job.objects.filter(dedupe_key__in=keys)
        .exclude(status=DONE)
        .exclude(error="")
        .order_by("pk")
    )
    result: dict[int, list[FailingJob]] = {}
    for row in rows:
        stage = int(row.args["stage"])
        result.setdefault(stages[stage], []).append(
            FailingJob(stage, row.attempts, row.error, row.asked_at)
        )
    return result


def messages_unsent(
    campaigns: Collection[Campaign], now: datetime
) -> dict[int, list[UnsentMessage]]:
    """Return messages that failed and are not sent yet, or were given up this week, by campaign."""
    if not campaigns:
        return {}
    about = Q()
    for campaign in campaigns:
        for kind in NOTIFICATION_KINDS:
            about |= Q(dedupe_key__startswith=campaign_key(kind, campaign))
    failed = Q(attempts__gt=1, abandoned_at__isnull=True) | Q(abandoned_at__gt=now - RECENT)
    rows = (
        Notification.objects.filter(about, failed, sent_at__isnull=True)
        .select_related("user")
        .order_by("pk")
    )
    ids = {str(campaign.public_id): campaign.pk for campaign in campaigns}
    result: dict[int, list[UnsentMessage]] = {}
    for row in rows:
        name = None if row.user is None else row.user.get_username()
        message = UnsentMessage(name, row.abandoned_at is not None, row.attempts)
        messages = result.setdefault(ids[row.dedupe_key.split("/")[1]], [])
        if message not in messages:
            messages.append(message)
    return result


def site_health(now: datetime) -> SiteHealth:
    """Return the state of the site."""
    late = Job.objects.exclude(status=DONE).filter(asked_at__lt=now - BEHIND).exists()
    return SiteHealth(late, _newest_backup(), _has_disk_space())


def _newest_backup() -> datetime | None:
    """Return when the newest backup was written, or None without one."""
    folder = Path(settings.VAR_DIR) / "backups"
    if not folder.is_dir():
        return None
    times = [path.stat().st_mtime for path in folder.glob("*.jsonl.gz")]
    if times:
        return datetime.fromtimestamp(max(times), UTC)
    return None


def _has_disk_space() -> bool | None:
    """Return whether the site's disk has enough free space; None if that is unknown."""
    try:
        usage = shutil.disk_usage(settings.VAR_DIR)
    except OSError:  # the folder is created with its first file
        return None
    return usage.free >= LOW_DISK_SHARE * usage.total
