"""What waits for an umpire in several wars: as many queries for ten wars as for one.

    attention_of(wars, user, now) -> {campaign: Attention}

Differing results of battles at a table, messages nobody answered, sides that have not sealed for some stages, and jobs
that fail. How this is shown: `umpire.pages.trouble`.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, Max, OuterRef, Subquery

from campaign.kinds import TABLE, Source, StageKind, StageStatus
from campaign.models.campaign import OF_A_FACTION, Excuse, Faction, Membership
from campaign.models.ledger import JOIN, Act
from campaign.models.message import Message, MessageRead
from campaign.models.stage import Stage, Submission
from campaign.selectors.umpired import UmpiredCampaign
from umpire.services.health import FailingJob, jobs_failing
from umpire.services.quarantine import QuarantinedStage, quarantined_stages

SILENT_AFTER = 3  # stages in a row for which nobody of a side has sealed
LOOKED_AT = 2 * SILENT_AFTER  # stages back: of those that can be sealed by themselves, one in two counts

BY_PEOPLE = (Source.PLAYER, Source.UMPIRE)
NEVER_EMPTY = (StageKind.DEPLOY, StageKind.ORDERS)  # stages that are never sealed for a side that asked for it


@dataclass(frozen=True, slots=True)
class DifferingResult:
    """A battle at a table whose sides entered different results. `round`: how often they have entered one."""

    battle: uuid.UUID
    hex: str
    round: int


@dataclass(frozen=True, slots=True)
class Attention:
    """What waits in one war. `unanswered`: the factions that wrote; `silent`: stages missed in a row, by faction.

    `stuck`: stages that nobody tries to compute any more; `failing`: jobs that are tried again.
    """

    differing: tuple[DifferingResult, ...] = ()
    unanswered: tuple[str, ...] = ()
    silent: Mapping[str, int] | None = None
    stuck: tuple[QuarantinedStage, ...] = ()
    failing: tuple[FailingJob, ...] = ()


NOTHING = Attention()


def attention_of(wars: Sequence[UmpiredCampaign], user: int, now: datetime) -> dict[int, Attention]:
    """Find what waits in each of these wars for this umpire, by the campaign's row."""
    running = [war for war in wars if war.stage is not None]
    campaigns = [war.campaign.pk for war in running]
    if not campaigns:
        return {}
    differing = _differing(campaigns)
    unanswered = _unanswered(campaigns, user, now)
    silent = _silent(running)
    unresolved = Stage.objects.filter(branch__headed__in=campaigns).exclude(status=StageStatus.RESOLVED)
    stuck = quarantined_stages(campaigns)
    given_up = {one.stage for stages in stuck.values() for one in stages}
    failing = jobs_failing(dict(unresolved.exclude(pk__in=given_up).values_list("pk", "branch__headed")))
    return {
        key: Attention(
            tuple(differing.get(key, ())),
            tuple(unanswered.get(key, ())),
            silent.get(key, {}),
            tuple(stuck.get(key, ())),
            tuple(failing.get(key, ())),
        )
        for key in campaigns
    }


def _differing(campaigns: Collection[int]) -> dict[int, list[DifferingResult]]:
    """The battles of which a round of results was compared and another is open."""
    rows = Stage.objects.filter(
        branch__headed__in=campaigns, kind=TABLE, battle__isnull=False, status=StageStatus.OPEN, ordinal__gt=0
    )
    found: dict[int, list[DifferingResult]] = {}
    values = rows.order_by("pk").values_list("branch__headed", "battle__public_id", "battle__key", "ordinal")
    for campaign, battle, key, ordinal in values:
        found.setdefault(campaign, []).append(DifferingResult(battle, key.partition("/")[0], ordinal))
    return found


def _unanswered(campaigns: Collection[int], user: int, now: datetime) -> dict[int, list[str]]:
    """The factions whose last message to the umpire nobody answered, and this umpire has not marked as read."""
    to_umpire = Message.objects.filter(campaign__in=campaigns, receiver__isnull=True, delivered_at__lte=now)
    answered = Message.objects.filter(
        campaign=OuterRef("campaign"), sender__isnull=True, receiver=OuterRef("sender"), pk__gt=OuterRef("pk")
    )
    read = MessageRead.objects.filter(message=OuterRef("pk"), user_id=user)
    waiting = to_umpire.filter(~Exists(answered), ~Exists(read))
    found: dict[int, list[str]] = {}
    rows = waiting.values("campaign_id", "sender__key").annotate(last=Max("pk")).order_by("last")
    for campaign, key in rows.values_list("campaign_id", "sender__key"):
        found.setdefault(campaign, []).append(key)
    return found


def _silent(wars: Sequence[UmpiredCampaign]) -> dict[int, dict[str, int]]:
    """The sides with people that have sealed nothing for `SILENT_AFTER` stages or more, each with how many.

    Excused weeks do not count, nor what was before the newest of its people sat down.
    """
    now_at = {war.campaign.pk: war.stage.ordinal for war in wars if war.stage is not None}
    seated = _seated_since(now_at)
    missed: dict[tuple[int, str], int] = {}
    over: set[tuple[int, str]] = set()
    for campaign, key, ordinal, opens, kind, source, seals_empty in _entries(now_at):
        side = campaign, key
        if side in over or ordinal >= now_at[campaign]:
            continue
        since = seated.get(side)
        if source in BY_PEOPLE or (since is not None and opens < since):
            over.add(side)
        elif kind in NEVER_EMPTY or not seals_empty:
            missed[side] = missed.get(side, 0) + 1
    found: dict[int, dict[str, int]] = {}
    for (campaign, key), count in sorted(missed.items()):
        if count >= SILENT_AFTER:
            found.setdefault(campaign, {})[key] = count
    return found


def _entries(campaigns: Collection[int]) -> list[tuple[int, str, int, datetime, str, str, bool]]:
    """What was sealed by or for sides with people in the last stages of these wars, the newest first.

    Each: campaign, faction's key, the stage's ordinal, opening and kind, who sealed, whether empty sheets are sealed.
    """
    newest = Stage.objects.filter(branch=OuterRef("stage__branch"), battle__isnull=True).order_by("-ordinal")
    played = Faction.objects.filter(
        Exists(Membership.objects.filter(faction=OuterRef("pk"), role__in=OF_A_FACTION)), campaign__in=campaigns
    )
    excused = Excuse.objects.filter(faction=OuterRef("faction"), week=OuterRef("stage__week"))
    rows = Submission.objects.filter(
        ~Exists(excused),
        withdrawn_at__isnull=True,
        faction__in=played,
        stage__branch__headed__in=campaigns,
        stage__battle__isnull=True,
        stage__ordinal__gte=Subquery(newest.values("ordinal")[:1]) - LOOKED_AT,
    )
    return list(
        rows.order_by("-stage__ordinal").values_list(
            "stage__branch__headed",
            "faction__key",
            "stage__ordinal",
            "stage__opens",
            "stage__kind",
            "source",
            "faction__seals_empty",
        )
    )


def _seated_since(campaigns: Collection[int]) -> dict[tuple[int, str], datetime]:
    """When somebody last took a seat of a faction in a running war."""
    found = {}
    rows = Act.objects.filter(campaign__in=campaigns, verb=JOIN).order_by("at")
    for campaign, faction, role, at in rows.values_list(
        "campaign_id", "body__facts__faction", "body__facts__role", "at"
    ):
        if role in OF_A_FACTION:
            found[campaign, faction] = at
    return found
