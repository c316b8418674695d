"""Pauses with an end: a clock stopped until a moment, and the tick that restarts it."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta

from django.db import transaction

from campaign.access import Viewer
from campaign.errors import Refused
from campaign.models.campaign import Campaign
from campaign.models.ledger import PAUSE
from campaign.services.acts import act_write, require_open_stage
from campaign.services.clock import clock_start, is_unplayed
from campaign.services.seats import lock_campaign
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from umpire.services.control import MAX_HOURS, require_clock_keeper


def pause_until(
    *, viewer: Viewer, until: datetime, reason: str = "", now: datetime | None = None
) -> Campaign:
    """Stop the clock until a moment; for a stopped clock, set when it restarts.

    Repeating it with the same moment changes nothing.

    Raises:
        RuleViolations: The moment is past, or too far away.
        NotFound: The viewer is neither host nor umpire.
        NotStarted: The war has not begun.
        AlreadyOver: The war is over.
        StageClosed: The stage is closed.
    """
    moment = require_clock_keeper(viewer, now)
    if faults := pause_violations(until, moment):
        raise RuleViolations(faults)
    with transaction.atomic():
        campaign = lock_campaign(viewer.campaign)
        if campaign.paused_at is not None and campaign.paused_until == until:
            return campaign
        stage = require_open_stage(campaign)
        facts = {"until": until.isoformat()}
        act_write(
            campaign=campaign,
            stage=stage,
            actor=viewer.user,
            verb=PAUSE,
            facts=facts,
            reason=reason,
            now=moment,
        )
        campaign.paused_at = campaign.paused_at or moment
        campaign.paused_until = until
        campaign.save(update_fields=["paused_at", "paused_until"])
    return campaign


def pause_violations(until: datetime, now: datetime) -> list[Violation]:
    """Return all faults of the moment until which a clock is to be paused."""
    if now < until <= now + timedelta(hours=MAX_HOURS):
        return []
    words = phrase("must be later than now, and at most {} days from now", MAX_HOURS // 24)
    return [Violation("until", "bad-time", words)]


def pauses_end(*, now: datetime) -> int:
    """Restart the clocks whose pause is over, as of its end, and return their number.

    A war without players stays stopped. One whose stage is being resolved waits for the next tick.
    """
    over = Campaign.objects.filter(paused_at__isnull=False, paused_until__lte=now).order_by("pk")
    started = 0
    for key in list(over.values_list("pk", flat=True)):
        with suppress(Refused), transaction.atomic():
            campaign = lock_campaign(Campaign(pk=key))
            if (
                campaign.paused_at is None
                or campaign.paused_until is None
                or campaign.paused_until > now
            ):
                continue
            if is_unplayed(campaign):
                Campaign.objects.filter(pk=key).update(paused_until=None)
                continue
            clock_start(
                campaign=campaign,
                stage=require_open_stage(campaign),
                actor=None,
                now=campaign.paused_until,
            )
            started += 1
    return started
