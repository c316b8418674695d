"""Stop and restart a war's clock within the caller's transaction, each time with an act.

The clock of a war stops when its last player leaves. It starts again when a player takes a seat, or
when the host or umpire asks for a war without players.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser

from campaign.kinds import StageStatus
from campaign.models.campaign import Campaign
from campaign.models.ledger import PAUSE, RESUME, Act
from campaign.models.stage import Stage
from campaign.selectors.due import due_announce
from campaign.services.acts import act_write
from campaign.store.publication import played_factions
from engine.core.phrase import phrase

UNPLAYED = "unplayed"  # fact of a pause: the clock stopped because no faction had a player
NOBODY_PLAYS = phrase("no faction has a player")


def clock_stop(
    *,
    campaign: Campaign,
    stage: Stage,
    actor: AbstractBaseUser | None,
    facts: dict[str, Any] | None = None,
    reason: str = "",
    now: datetime,
) -> None:
    """Stop the clock, so that nothing falls due. The caller has locked campaign and open stage.

    Args:
        actor: None for the server.
    """
    act_write(
        campaign=campaign,
        stage=stage,
        actor=actor,
        verb=PAUSE,
        facts=facts or {},
        reason=reason,
        now=now,
    )
    Campaign.objects.filter(pk=campaign.pk).update(paused_at=now)
    campaign.paused_at = now


def clock_start(
    *,
    campaign: Campaign,
    stage: Stage,
    actor: AbstractBaseUser | None,
    facts: dict[str, Any] | None = None,
    reason: str = "",
    now: datetime,
) -> None:
    """Start the clock: the open stage and open phases of battles keep the time they had left.

    The caller has locked the campaign, whose clock is stopped, and its open stage.

    Args:
        actor: None for the server.
    """
    if campaign.paused_at is None:
        raise ValueError("the clock is not stopped")
    paused_for = now - max(campaign.paused_at, stage.opens)
    act_write(
        campaign=campaign,
        stage=stage,
        actor=actor,
        verb=RESUME,
        facts={"seconds": int(paused_for.total_seconds()), **(facts or {})},
        reason=reason,
        now=now,
    )
    _extend_open_phases(campaign, campaign.paused_at, now)
    Campaign.objects.filter(pk=campaign.pk).update(paused_at=None, paused_until=None)
    if stage.closes is not None:
        grace_until = stage.grace_until + paused_for if stage.grace_until else None
        Stage.objects.filter(pk=stage.pk).update(
            closes=stage.closes + paused_for, grace_until=grace_until
        )
    campaign.paused_at = None
    campaign.paused_until = None
    due_announce(stage, now)


def is_unplayed(campaign: Campaign) -> bool:
    """Return whether no faction has a player, so that the war waits for one or goes on without."""
    return not played_factions(campaign).exists()


def stopped_for_players(campaign: Campaign) -> bool:
    """Return whether the clock stopped because no faction had a player."""
    if campaign.paused_at is None:
        return False
    last_pause = Act.objects.filter(campaign=campaign, verb=PAUSE).order_by("-at", "-pk").first()
    return last_pause is not None and bool(last_pause.body["facts"].get(UNPLAYED))


def _extend_open_phases(campaign: Campaign, paused_at: datetime, now: datetime) -> None:
    """Give the open phases of battles as much time as they had left before a pause."""
    rows = Stage.objects.filter(
        branch__headed=campaign,
        battle__isnull=False,
        status=StageStatus.OPEN,
        closes__isnull=False,
    )
    for row in rows.select_for_update():
        if row.closes is not None:
            closes = row.closes + (now - max(paused_at, row.opens))
            Stage.objects.filter(pk=row.pk).update(closes=closes)
