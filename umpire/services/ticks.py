"""The clock's ticks as jobs: due stages, reminders, and correction of a fast clock.

All of it can be repeated. A stage that is due becomes a job, which resolves it. Players who have
not sealed are reminded once when a stage is about to close, depending only on their own envelope;
in an online battle when half of a phase's time is over.

If a fast clock set times too far ahead, they are corrected to the present: a stage that was to open
later opens now with its whole time, an umpire's deadline stays, and what closed too early stays
sealed and closed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from time import monotonic
from typing import Any

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Least
from django.utils import timezone

from campaign.kinds import Role, StageStatus
from campaign.models.account import Notification
from campaign.models.campaign import FACTION_ROLES, Branch, Campaign, Membership
from campaign.models.stage import Stage
from campaign.selectors.due import PHASE_RESOLVE, STAGE_RESOLVE, awaited_factions, stage_due
from campaign.selectors.heads import head_of
from campaign.selectors.next_action import Member, next_actions_of
from campaign.selectors.truth import stages_to_resolve
from campaign.services.messages import messages_restate
from campaign.services.outbox import (
    REMINDER,
    campaign_key,
    moment_in,
    phase_announce,
    phase_key,
    stage_announce,
    stage_key,
    stage_name,
    with_head,
)
from campaign.services.user_texts import texts_for_users
from campaign.words.battle.phase_titles import PHASES
from engine.core.phrase import phrase
from jobs.models import SHORT
from jobs.services import Unfinished, lane_now
from umpire import tasks
from umpire.services.battle_phases import phase_resolve
from umpire.services.phase_clock import phase_awaits, phase_closes, phases_to_resolve, weekly_of
from umpire.services.slices import battles_advance, fight_from_slices, is_long
from umpire.services.stages import stage_deadline, stage_resolve
from umpire.services.tables import table_compare
from umpire.services.tournaments import results_store

REMINDER_LEAD = timedelta(hours=24)
NOT_SEALED = phrase("{campaign}: {stage} is open. You have not sealed your orders yet.")
CLOSING_REMINDER = phrase(
    "{campaign}: {stage} closes {closes}. You have not sealed your orders yet."
)
PHASE_REMINDER = phrase("{campaign}: your battle still needs your orders, by {closes}.")

SLICE = 2.0  # seconds of a long battle that are fought before other jobs have their turn
CLOCK_TOLERANCE = timedelta(minutes=5)  # the clocks of a site's machines never differ by more

log = structlog.get_logger(__name__)


def stages_overdue(*, now: datetime) -> list[Stage]:
    """Return the stages that the clock has to resolve.

    A war without players is run by the command that began it (bin/play).
    """
    return stages_to_resolve(now=now, attended=True)


def stages_enqueue(*, now: datetime) -> int:
    """Enqueue a job for each stage and phase that has to be resolved, and return their number."""
    due = [stage.pk for stage in stages_overdue(now=now)]
    phases = [phase.pk for phase in phases_to_resolve(now=now)]
    tasks.stages_enqueue(STAGE_RESOLVE, due)
    tasks.stages_enqueue(PHASE_RESOLVE, phases)
    return len(due) + len(phases)


def stage_work(args: Mapping[str, Any]) -> dict[str, bool] | Unfinished:
    """Resolve the stage of a job if it is due, and enqueue the next one if that is due as well.

    Long battles are fought in slices by worker processes for long jobs.
    """
    until = monotonic() + SLICE
    unfinished = False

    def ready(stage: Stage) -> bool:
        nonlocal unfinished
        if is_long(stage):
            unfinished = lane_now() == SHORT or not battles_advance(stage=stage, until=until)
        return not unfinished

    resolution = stage_resolve(stage=args["stage"], fighter=fight_from_slices, ready=ready)
    if unfinished:
        return Unfinished({"resolved": False}, is_long=True)
    after = resolution.next if resolution else None
    if resolution is not None and after is None:
        results_store(now=timezone.now())
    if after is not None and stage_due(stage=after, now=timezone.now()):
        tasks.stage_enqueue(STAGE_RESOLVE, after.pk)
    return {"resolved": resolution is not None}


def phase_work(args: Mapping[str, Any]) -> dict[str, bool]:
    """Resolve the phase of an online battle if it is due."""
    return {"resolved": phase_resolve(stage=args["stage"])}


def table_work(args: Mapping[str, Any]) -> dict[str, str]:
    """Compare the results of a table's stage."""
    return {"came": table_compare(stage=args["stage"])}


def reminders_write(*, now: datetime) -> int:
    """Write reminders for stages that close within a day, and return the number of new ones."""
    due = Stage.objects.filter(
        battle__isnull=True,
        status=StageStatus.OPEN,
        opens__lte=now,
        closes__gt=now,
        closes__lte=now + REMINDER_LEAD,
        branch__campaign__paused_at__isnull=True,
    ).select_related("branch__campaign")
    reminded = sum(
        _remind(stage, stage.closes)
        for stage in due
        if stage.closes and stage.closes - stage.opens > REMINDER_LEAD
    )
    return reminded + _phases_remind(now)


def _phases_remind(now: datetime) -> int:
    """Write the reminders for phases of battles."""
    due = Stage.objects.filter(
        kind__in=PHASES,
        status=StageStatus.OPEN,
        opens__lte=now,
        closes__gt=now,
        branch__campaign__paused_at__isnull=True,
    ).select_related("branch__campaign", "battle")
    count = 0
    for stage in due:
        if (
            stage.closes is None
            or stage.battle is None
            or stage.opens + (stage.closes - stage.opens) / 2 > now
        ):
            continue
        campaign = stage.branch.campaign
        words = partial(_phase_words, campaign, stage.closes)
        place = f"{stage.battle.public_id}/{stage.kind}/{stage.ordinal}"
        count += _write(campaign, [faction.pk for faction in phase_awaits(stage)], words, place)
    return count


def _phase_words(campaign: Campaign, closes: datetime) -> str:
    """Return the text that reminds of a phase of an online battle."""
    return PHASE_REMINDER.format(campaign=campaign.name, closes=moment_in(campaign, closes))


def stage_remind(*, stage: Stage, now: datetime) -> int:
    """Remind players whom an open stage waits for, and return the number of new messages.

    A player gets at most one such reminder an hour.
    """
    return _remind(stage, stage.closes, f"/by-hand/{now:%Y%m%dT%H}")


def _remind(stage: Stage, closing: datetime | None, again: str = "") -> int:
    """Write the reminders of a stage.

    Args:
        again: Distinguishes this reminder from the clock's own.
    """
    campaign = stage.branch.campaign

    def words() -> str:
        if closing is None:
            return NOT_SEALED.format(campaign=campaign.name, stage=stage_name(stage))
        closes = moment_in(campaign, closing)
        return CLOSING_REMINDER.format(
            campaign=campaign.name, stage=stage_name(stage), closes=closes
        )

    waited = list(awaited_factions(stage))
    wants = next_actions_of(
        [Member(campaign, (Role.PLAYER,), faction, stage, sealed=False) for faction in waited]
    )
    factions = []
    for faction, want in zip(waited, wants, strict=True):
        if want.due:
            factions.append(faction.pk)
    return _write(campaign, factions, words, f"{stage.branch.number}/{stage.ordinal}{again}")


def _write(campaign: Campaign, factions: list[int], words: Callable[[], str], place: str) -> int:
    """Write notifications to the members of these factions, and return how many are new.

    Args:
        place: Which stage, in its campaign.
    """
    users = Membership.objects.filter(
        campaign=campaign, role__in=FACTION_ROLES, faction__in=factions
    ).values_list("user_id", flat=True)
    rows = []
    head = head_of(campaign)
    texts = texts_for_users(sorted(set(users)), lambda: with_head(words(), head))
    for user, body in texts.items():
        rows.append(
            Notification(
                user_id=user,
                dedupe_key=f"{campaign_key(REMINDER, campaign)}{place}/{user}",
                body=body,
                path=f"/c/{campaign.public_id}/",
                signed_head="" if head is None else head.note,
            )
        )
    keys = [row.dedupe_key for row in rows]
    existing = set(
        Notification.objects.filter(dedupe_key__in=keys).values_list("dedupe_key", flat=True)
    )
    new = [row for row in rows if row.dedupe_key not in existing]
    Notification.objects.bulk_create(new, ignore_conflicts=True)
    return len(new)


def instants_restate(*, now: datetime) -> int:
    """Correct times that are impossibly far ahead, and return the number of campaigns."""
    farthest = (
        now
        + CLOCK_TOLERANCE
        + timedelta(seconds=settings.PUBLICATION_ALLOWANCE + 2 * settings.PUBLICATION_GRID)
    )
    ahead = Q(stages__status=StageStatus.OPEN, stages__opens__gt=farthest) | Q(
        head__stage_to_here__publishes_at__gt=farthest
    )
    branches = Branch.objects.filter(ahead | Q(campaign__paused_at__gt=farthest)).distinct()
    branch_ids = list(branches.order_by("pk").values_list("pk", flat=True))
    for branch in branch_ids:
        with transaction.atomic():
            _restate(branch, farthest, now)
    return len(branch_ids)


def _restate(branch: int, farthest: datetime, now: datetime) -> None:
    """Correct the times of a branch that are later than the farthest possible one."""
    stages = Stage.objects.filter(branch=branch)
    rows = list(
        stages.filter(status=StageStatus.OPEN, opens__gt=farthest)
        .select_for_update()
        .order_by("pk")
    )
    stages.filter(publishes_at__gt=farthest).update(
        publishes_at=now, closed_at=Least(F("closed_at"), now)
    )
    campaign = Campaign.objects.filter(branches=branch)
    campaign.filter(paused_at__gt=farthest).update(paused_at=now)
    messages_restate(campaign=campaign.get(), farthest=farthest, now=now)
    log.warning("clock-was-ahead", campaign=campaign.get().pk, stages=len(rows))
    # A week's stage comes first, because its phases end with it.
    for row in sorted(rows, key=lambda stage: stage.battle_id is not None):
        stage = Stage.objects.select_related("branch__campaign", "battle").get(pk=row.pk)
        is_week = stage.battle_id is None
        if is_week and stage.closes != stage_deadline(stage, stage.opens):  # set by the umpire
            closes = stage.closes
        else:
            closes = _deadline(stage, now)
        Stage.objects.filter(pk=stage.pk, status=StageStatus.OPEN).update(opens=now, closes=closes)
        stage.opens, stage.closes = now, closes
        _announce(stage, now)


def _deadline(stage: Stage, opens: datetime) -> datetime | None:
    """Return when a stage of any kind closes by its timetable, or None."""
    if stage.battle_id is None:
        return stage_deadline(stage, opens)
    if stage.kind not in PHASES:  # a stage of a table
        return None
    return phase_closes(stage.branch.campaign.timetable, weekly_of(stage).closes, opens)


def _announce(stage: Stage, now: datetime) -> None:
    """Replace unsent announcements by ones with the corrected times."""
    campaign = stage.branch.campaign
    branch = stage.branch
    if stage.battle is None:
        prefix = stage_key(campaign, branch, stage.ordinal)
    else:
        prefix = phase_key(stage)
    Notification.objects.filter(dedupe_key__startswith=prefix, sent_at__isnull=True).delete()
    if stage.battle is None:
        stage_announce(
            campaign=campaign,
            branch=branch,
            ordinal=stage.ordinal,
            stage=stage,
            now=now,
            corrected=True,
        )
    elif stage.kind in PHASES:
        phase_announce(stage=stage, factions=phase_awaits(stage), corrected=True)
