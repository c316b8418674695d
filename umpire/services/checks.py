"""The automatic checks of wars every night, and what follows from a fault."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

from django.db import transaction
from django.db.models import Count, DateTimeField, OuterRef, Subquery
from django.utils import timezone

from campaign.access import Viewer, require
from campaign.errors import Refused
from campaign.models.campaign import Campaign
from campaign.models.check import Check
from campaign.selectors.clock import war_is_over
from campaign.services.acts import require_open_stage
from campaign.services.clock import clock_stop
from campaign.services.seats import lock_campaign
from engine.core.phrase_data import phrase_data
from jobs.services import jobs_enqueue
from proof.archive import Line
from proof.check import WAR_GOES_ON, Options, Verdict, check
from proof.derived import with_derived
from proof.findings import Level
from umpire.services.archives import archive_lines
from umpire.services.checking import Fault, campaign_faults
from umpire.services.rebuilding import Rebuilding, campaign_rebuild
from umpire.tasks import CAMPAIGN_CHECK

NIGHT = range(6)  # the hours of UTC in which wars are checked
SLOT = timedelta(minutes=10)  # between two runs
FRESH = timedelta(hours=20)  # a war checked since then is not checked again
DEEP_EVERY = 7  # nights: every running war is played again once in so many
REPLAY = "replay"  # subject of a fault that only playing again shows
PAUSE_REASON = "The stored records of this war do not fit each other."


def checks_enqueue(*, now: datetime) -> int:
    """Let workers check the wars whose turn it is tonight, and return their number.

    The wars that are left are spread over the rest of the night. A war that is over is checked
    once more, and played again.
    """
    if now.hour not in NIGHT:
        return 0
    last = Check.objects.filter(campaign=OuterRef("pk")).order_by("-at")
    wars = Campaign.objects.filter(started_at__isnull=False).annotate(
        checked=Subquery(last.values("at")[:1], output_field=DateTimeField()),
        level=Subquery(last.values("level")[:1]),
    )
    due = []
    for war in wars.order_by("pk"):
        is_over = war_is_over(campaign=war)
        if is_over and war.level == Level.WEEKS:
            continue
        if war.checked is None or war.checked < now - FRESH:
            deep = is_over or (now.date().toordinal() + war.pk) % DEEP_EVERY == 0
            due.append((war.pk, deep))
    end = now.replace(hour=NIGHT.stop, minute=0, second=0, microsecond=0)
    slots = max(1, int((end - now) / SLOT))
    requests = {}
    for key, deep in due[: -(-len(due) // slots)]:
        requests[f"{CAMPAIGN_CHECK}/{key}"] = {"campaign": key, "deep": deep}
    return jobs_enqueue(kind=CAMPAIGN_CHECK, requests=requests) if requests else 0


def check_work(args: Mapping[str, Any]) -> None:
    """Check one war, as a job."""
    campaign = Campaign.objects.select_related("scenario", "head_branch").get(pk=args["campaign"])
    campaign_check(campaign=campaign, deep=bool(args["deep"]))


def campaign_check(*, campaign: Campaign, deep: bool, now: datetime | None = None) -> Check:
    """Check a war and keep the result. The clock stops if it should not go on with the fault.

    Args:
        deep: Also play the war again, if the records fit each other.
    """
    moment = now or timezone.now()
    faults = campaign_faults(campaign)
    plays = deep and not faults
    if plays:
        faults = replay_faults(play_again(campaign))
    rows = campaign.branches.aggregate(rows=Count("ledger"))["rows"]
    result = Check.objects.create(
        campaign=campaign,
        at=moment,
        level=Level.WEEKS if plays else Level.INTEGRITY,
        rows=rows,
        faults=len(faults),
        first=_stored(faults[0]) if faults else {},
    )
    if any(fault.is_serious for fault in faults):
        _stop_clock(campaign, moment)
    return result


def _stored(fault: Fault) -> dict[str, Any]:
    """Return a fault as a check keeps it, so that it can be shown in any language."""
    return {**fault.to_json(), "text": phrase_data(fault.text)}


def play_again(campaign: Campaign) -> Verdict:
    """Play a war again from its records, by the code that checks an archive.

    That a war is still running is no limit of this check, as it would be of an archive's.
    """
    lines = with_derived(archive_lines(campaign, names=True))
    verdict = check(chain(lines, [Line(0, "end", {})]), Options(level=Level.WEEKS))
    verdict.limits = [words for words in verdict.limits if words != WAR_GOES_ON]
    return verdict


def replay_faults(verdict: Verdict) -> list[Fault]:
    """Return what playing a war again has shown."""
    faults = []
    for found in verdict.differences:
        words = f"{found.place}: {found.words}"
        faults.append(Fault(REPLAY, words, 1, found.row, found.week, found.stage))
    if verdict.unreadable is not None:
        faults.append(Fault(REPLAY, verdict.unreadable[1]))
    return faults


def records_rebuild(
    *, viewer: Viewer, reason: str = "", now: datetime | None = None
) -> tuple[Rebuilding, Check]:
    """Compute again what is damaged, as an umpire, and check the war.

    Raises:
        NotFound: The viewer is not an umpire.
        StageClosed: A stage is being resolved.
    """
    require(viewer, umpire=True)
    moment = now or timezone.now()
    rebuilding = campaign_rebuild(
        campaign=viewer.campaign, actor=viewer.user, reason=reason, now=moment
    )
    result = campaign_check(campaign=viewer.campaign, deep=False, now=moment)
    if rebuilding.rebuilt:
        Check.objects.filter(pk=result.pk).update(repaired=len(rebuilding.rebuilt))
    return rebuilding, result


def _stop_clock(campaign: Campaign, now: datetime) -> None:
    """Stop a war's clock, unless it stands already or no stage is open."""
    with suppress(Refused), transaction.atomic():
        locked = lock_campaign(campaign)
        if locked.paused_at is None:
            stage = require_open_stage(locked)
            clock_stop(campaign=locked, stage=stage, actor=None, reason=PAUSE_REASON, now=now)
