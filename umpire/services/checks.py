"""The automatic checks of wars every night, and what follows from a fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from time import process_time
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Count, DateTimeField, OuterRef, Subquery
from django.urls import reverse
from django.utils import timezone

from campaign.access import Viewer, require
from campaign.errors import Refused
from campaign.kinds import Role
from campaign.models.campaign import Campaign, Membership
from campaign.models.check import Check
from campaign.selectors.clock import war_is_over
from campaign.services.acts import require_open_stage
from campaign.services.clock import clock_stop
from campaign.services.outbox import DAMAGE, campaign_key, notifications_write
from campaign.services.seats import lock_campaign
from engine.core.phrase import phrase
from engine.core.phrase_data import phrase_data
from jobs.services import JobAccount, Unfinished, jobs_enqueue, slice_result
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
SLICE = 20.0  # seconds of processor time for a war before other jobs have their turn
ONE_AT_A_TIME = JobAccount("campaign-check")  # of an account's jobs, one runs at a time
REPLAY = "replay"  # subject of a fault that only playing again shows
PAUSE_REASON = "The stored records of this war do not fit each other."
FOUND = phrase(
    "{campaign}: the check of stored records found damage. The umpire’s page names it; on the "
    "server, verify_campaign {war} lists all faults."
)


def checks_enqueue(*, now: datetime) -> int:
    """Let workers check the wars whose turn it is tonight, and return their number.

    The wars that remain are spread over the rest of the night. A war that is over is checked
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
        requests[_job_key(key)] = {"campaign": key, "deep": deep}
    if not requests:
        return 0
    accounts = dict.fromkeys(requests, ONE_AT_A_TIME)
    return jobs_enqueue(kind=CAMPAIGN_CHECK, requests=requests, accounts=accounts)


def _job_key(campaign: int) -> str:
    """Return the key of the job that checks a war."""
    return f"{CAMPAIGN_CHECK}/{campaign}"


@dataclass(frozen=True, slots=True)
class _Result:
    """The result of a check of a war.

    Attributes:
        level: See `Check`.
        stopped_after: The number of stages that were played; None if all were.
    """

    faults: list[Fault]
    level: Level
    stopped_after: int | None = None


def check_work(args: Mapping[str, Any]) -> Unfinished | None:
    """Check one war, or as much of it as there is time for, as a job.

    The records are compared in each slice, so that those of stages that were played in an earlier
    one are still the same.
    """
    campaign = Campaign.objects.select_related("scenario", "head_branch").get(pk=args["campaign"])
    moment = timezone.now()
    until = process_time() + SLICE
    before = slice_result(_job_key(campaign.pk)) or {}
    played = int(before.get("played", 0))
    result = _find_faults(campaign, bool(args["deep"]), played, lambda: process_time() < until)
    if result.stopped_after is not None:
        return Unfinished({"played": result.stopped_after})
    _store_check(campaign, result, moment)
    return None


def campaign_check(*, campaign: Campaign, deep: bool, now: datetime | None = None) -> Check:
    """Check a war and keep the result. The clock stops if it should not go on with the fault.

    Args:
        deep: Also play the war again, if the records fit each other.
    """
    return _store_check(campaign, _find_faults(campaign, deep), now or timezone.now())


def _find_faults(
    campaign: Campaign,
    deep: bool,
    played: int = 0,
    goes_on: Callable[[], bool] | None = None,
) -> _Result:
    """Compare the records of a war and, for a deep check, play it again; see `play_again`."""
    faults = campaign_faults(campaign)
    if faults or not deep:
        return _Result(faults, Level.INTEGRITY)
    verdict = play_again(campaign, played, goes_on)
    faults = replay_faults(verdict)
    stopped_after = verdict.counts.rows if verdict.stopped and not faults else None
    return _Result(faults, Level.WEEKS, stopped_after)


def _store_check(campaign: Campaign, result: _Result, now: datetime) -> Check:
    """Store the result of a check, and stop the clock of a war that should not go on.

    The first check that finds a fault notifies the umpires and those who run the server.
    """
    last = Check.objects.filter(campaign=campaign).order_by("-at", "-pk").first()
    if result.faults and (last is None or not last.faults):
        _announce_damage(campaign, now)
    check_row = Check.objects.create(
        campaign=campaign,
        at=now,
        level=result.level,
        rows=campaign.branches.aggregate(rows=Count("ledger"))["rows"],
        faults=len(result.faults),
        first=_fault_document(result.faults[0]) if result.faults else {},
    )
    if any(fault.is_serious for fault in result.faults):
        _stop_clock(campaign, now)
    return check_row


def _announce_damage(campaign: Campaign, now: datetime) -> None:
    """Notify umpires and administrators that records are damaged, without saying which."""
    umpires = Membership.objects.filter(campaign=campaign, role=Role.UMPIRE)
    umpire_ids = set(umpires.values_list("user_id", flat=True))
    administrators = get_user_model()._default_manager.filter(is_staff=True, is_active=True)
    administrator_ids = set(administrators.values_list("pk", flat=True)) - umpire_ids
    for users, path in (
        (umpire_ids, reverse("umpire", args=(campaign.public_id,))),
        (administrator_ids, "/"),  # they may have no seat in the war
    ):
        notifications_write(
            sorted(users),
            lambda: FOUND.format(campaign=campaign.name, war=campaign.public_id),
            key_prefix=f"{campaign_key(DAMAGE, campaign)}{now:%Y%m%dT%H%M%S}/",
            path=path,
            due_at=now,
        )


def _fault_document(fault: Fault) -> dict[str, Any]:
    """Return a fault as it is stored with a check, so that it can be shown in any language."""
    return {**fault.to_json(), "text": phrase_data(fault.text)}


def play_again(
    campaign: Campaign, played: int = 0, goes_on: Callable[[], bool] | None = None
) -> Verdict:
    """Play a war again from its records, by the code that checks an archive.

    Unlike an archive, a war that still runs is checked without limits.

    Args:
        played: See `proof.check.Options`, as for `goes_on`.
    """
    lines = with_derived(archive_lines(campaign, names=True), played)
    options = Options(level=Level.WEEKS, played=played, goes_on=goes_on)
    verdict = check(chain(lines, [Line(0, "end", {})]), options)
    verdict.limits = [words for words in verdict.limits if words != WAR_GOES_ON]
    return verdict


def replay_faults(verdict: Verdict) -> list[Fault]:
    """Return the faults that playing a war again has shown."""
    faults = []
    for difference in verdict.differences:
        words = f"{difference.place}: {difference.words}"
        fault = Fault(REPLAY, words, 1, difference.row, difference.week, difference.stage)
        faults.append(fault)
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
