"""What needs an umpire's attention in several wars.

The number of queries does not depend on the number of wars. Included are differing results of
battles at a table, unanswered messages, sides that have not sealed for some stages, and failing
jobs. `umpire.troubles` lists them.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from django.db.models import Exists, F, Max, Min, OuterRef, Subquery

from campaign.kinds import TABLE, Source, StageKind, StageStatus
from campaign.lineage import on_line, played_on_line
from campaign.models.campaign import FACTION_ROLES, Excuse, Faction, Membership
from campaign.models.check import Check
from campaign.models.ledger import JOIN, LEAVE, Act
from campaign.models.message import Message, MessageRead
from campaign.models.stage import Stage, Submission
from campaign.selectors.checks import newest_faulty
from campaign.selectors.umpired import UmpiredCampaign
from umpire.services.health import FailingJob, jobs_failing
from umpire.services.quarantine import QuarantinedStage, quarantined_stages

SILENT_AFTER = 3  # stages in a row that a side has not sealed
# How many of the last stages are looked at. Of those that may be sealed automatically, one in two
# counts.
STAGES_LOOKED_AT = 2 * SILENT_AFTER

BY_PEOPLE = (Source.PLAYER, Source.UMPIRE)
# Stages that are never sealed automatically, even on request.
NEVER_EMPTY = (StageKind.DEPLOY, StageKind.ORDERS)


@dataclass(frozen=True, slots=True)
class DifferingResult:
    """A battle at a table whose sides entered different results.

    Attributes:
        round: How often they have entered one.
        since: When the sides were asked to enter it again.
    """

    battle: uuid.UUID
    hex: str
    round: int
    since: datetime


@dataclass(frozen=True, slots=True)
class UnansweredMessages:
    """Messages of a faction to the umpire that wait for an answer.

    Attributes:
        since: When the first of them was delivered.
    """

    faction: str
    since: datetime


@dataclass(frozen=True, slots=True)
class MissedStages:
    """Stages in a row that a side has not sealed.

    Attributes:
        since: When the first of them opened.
    """

    count: int
    since: datetime


@dataclass(frozen=True, slots=True)
class Attention:
    """What needs attention in one war.

    Attributes:
        silent: The stages that sides have missed, by faction key.
        vacated: When the last player left, by faction key, for factions that ever lost a player.
        stuck: Stages that are no longer tried.
        failing: Jobs that are tried again.
        damaged: The newest check of the war's records, if it found a fault.
    """

    differing: tuple[DifferingResult, ...] = ()
    unanswered: tuple[UnansweredMessages, ...] = ()
    silent: Mapping[str, MissedStages] = field(default_factory=dict)
    vacated: Mapping[str, datetime] = field(default_factory=dict)
    stuck: tuple[QuarantinedStage, ...] = ()
    failing: tuple[FailingJob, ...] = ()
    damaged: Check | None = None


class SealedSheet(NamedTuple):
    """An entry sealed by or for a side with players at one stage.

    Attributes:
        campaign: The campaign's primary key.
        faction: The faction's key.
        ordinal: The stage's number in the war.
        opens: When the stage opened.
        kind: The stage's kind (`StageKind`).
        source: Who sealed (`Source`).
        seals_empty: Whether the faction's empty sheets are sealed automatically.
    """

    campaign: int
    faction: str
    ordinal: int
    opens: datetime
    kind: str
    source: str
    seals_empty: bool


@dataclass(slots=True)
class SeatChanges:
    """When a seat was last taken and last left, by the campaign's row id and the faction's key."""

    joined_at: dict[tuple[int, str], datetime] = field(default_factory=dict)
    left_at: dict[tuple[int, str], datetime] = field(default_factory=dict)


NO_ATTENTION = Attention()


def attention_of(wars: Sequence[UmpiredCampaign], user: int, now: datetime) -> dict[int, Attention]:
    """Return what needs this umpire's attention in each war, by the campaign's primary key."""
    running = [war for war in wars if war.stage is not None]
    campaigns = [war.campaign.pk for war in running]
    if not campaigns:
        return {}
    differing = _differing(campaigns)
    unanswered = _unanswered(campaigns, user, now)
    changes = _seat_changes(campaigns)
    silent = _silent(running, changes)
    vacated: dict[int, dict[str, datetime]] = {}
    for (campaign, faction), at in changes.left_at.items():
        vacated.setdefault(campaign, {})[faction] = at
    unresolved = Stage.objects.filter(branch__headed__in=campaigns)
    unresolved = unresolved.exclude(status=StageStatus.RESOLVED)
    stuck = quarantined_stages(campaigns)
    quarantined_ids = set()
    for stages in stuck.values():
        for item in stages:
            quarantined_ids.add(item.stage)
    tried = unresolved.exclude(pk__in=quarantined_ids).values_list("pk", "branch__headed")
    failing = jobs_failing(dict(tried))
    damaged = newest_faulty(campaigns)
    result: dict[int, Attention] = {}
    for key in campaigns:
        result[key] = Attention(
            differing=tuple(differing.get(key, ())),
            unanswered=tuple(unanswered.get(key, ())),
            silent=silent.get(key, {}),
            vacated=vacated.get(key, {}),
            stuck=tuple(stuck.get(key, ())),
            failing=tuple(failing.get(key, ())),
            damaged=damaged.get(key),
        )
    return result


def _differing(campaigns: Collection[int]) -> dict[int, list[DifferingResult]]:
    """Return the battles with a compared round of results and another one open."""
    rows = Stage.objects.filter(
        branch__headed__in=campaigns,
        kind=TABLE,
        battle__isnull=False,
        status=StageStatus.OPEN,
        ordinal__gt=0,
    )
    differing: dict[int, list[DifferingResult]] = {}
    values = rows.order_by("pk").values_list(
        "branch__headed", "battle__public_id", "battle__key", "ordinal", "opens"
    )
    for campaign, battle, key, ordinal, opens in values:
        hex_ = key.partition("/")[0]
        result = DifferingResult(battle=battle, hex=hex_, round=ordinal, since=opens)
        differing.setdefault(campaign, []).append(result)
    return differing


def _unanswered(
    campaigns: Collection[int], user: int, now: datetime
) -> dict[int, list[UnansweredMessages]]:
    """Return the factions whose last message this umpire has neither answered nor read."""
    to_umpire = Message.objects.filter(
        campaign__in=campaigns, receiver__isnull=True, delivered_at__lte=now
    )
    answered = Message.objects.filter(
        campaign=OuterRef("campaign"),
        sender__isnull=True,
        receiver=OuterRef("sender"),
        pk__gt=OuterRef("pk"),
    )
    read = MessageRead.objects.filter(message=OuterRef("pk"), user_id=user)
    waiting = to_umpire.filter(~Exists(answered), ~Exists(read))
    result: dict[int, list[UnansweredMessages]] = {}
    rows = waiting.values("campaign_id", "sender__key")
    rows = rows.annotate(last=Max("pk"), since=Min("delivered_at")).order_by("last")
    for campaign, key, since in rows.values_list("campaign_id", "sender__key", "since"):
        result.setdefault(campaign, []).append(UnansweredMessages(key, since))
    return result


def _silent(
    wars: Sequence[UmpiredCampaign], changes: SeatChanges
) -> dict[int, dict[str, MissedStages]]:
    """Return the sides with players that have not sealed for `SILENT_AFTER` stages or more.

    Excused weeks do not count, nor do stages before the newest player took their seat.
    """
    open_ordinals = {}
    for war in wars:
        if war.stage is not None:
            open_ordinals[war.campaign.pk] = war.stage.ordinal
    closed_sheets: dict[tuple[int, str], list[SealedSheet]] = {}
    for sheet in _sealed_sheets(open_ordinals):
        if sheet.ordinal < open_ordinals[sheet.campaign]:
            closed_sheets.setdefault((sheet.campaign, sheet.faction), []).append(sheet)
    result: dict[int, dict[str, MissedStages]] = {}
    for (campaign, faction), sheets in sorted(closed_sheets.items()):
        missed = _missed_stages(sheets, changes.joined_at.get((campaign, faction)))
        if missed is not None and missed.count >= SILENT_AFTER:
            result.setdefault(campaign, {})[faction] = missed
    return result


def _missed_stages(
    sheets: Sequence[SealedSheet], joined_at: datetime | None
) -> MissedStages | None:
    """Return the newest stages in a row that a side has not sealed, or None.

    Args:
        sheets: The side's sheets, newest first.
        joined_at: When its newest player took their seat, if that is known.
    """
    missed = None
    for sheet in sheets:
        if sheet.source in BY_PEOPLE:
            break
        if joined_at is not None and sheet.opens < joined_at:
            break
        if sheet.kind in NEVER_EMPTY or not sheet.seals_empty:
            count = 1 if missed is None else missed.count + 1
            missed = MissedStages(count=count, since=sheet.opens)
    return missed


def _sealed_sheets(campaigns: Collection[int]) -> list[SealedSheet]:
    """Return what was sealed by or for sides with players in the last stages, newest first."""
    newest = Stage.objects.filter(
        branch__headed=OuterRef("faction__campaign"), battle__isnull=True
    ).order_by("-ordinal")
    played = Faction.objects.filter(
        Exists(Membership.objects.filter(faction=OuterRef("pk"), role__in=FACTION_ROLES)),
        campaign__in=campaigns,
    )
    excuses = Excuse.objects.filter(faction=OuterRef("faction"), week=OuterRef("stage__week"))
    rows = Submission.objects.filter(
        ~Exists(played_on_line(excuses, OuterRef("stage__branch"))),
        on_line(F("faction__campaign__head_branch"), "stage__ordinal", "lt"),
        withdrawn_at__isnull=True,
        faction__in=played,
        stage__battle__isnull=True,
        stage__ordinal__gte=Subquery(newest.values("ordinal")[:1]) - STAGES_LOOKED_AT,
    )
    values = rows.order_by("-stage__ordinal").values_list(
        "faction__campaign_id",
        "faction__key",
        "stage__ordinal",
        "stage__opens",
        "stage__kind",
        "source",
        "faction__seals_empty",
    )
    return [SealedSheet(*row) for row in values]


def _seat_changes(campaigns: Collection[int]) -> SeatChanges:
    """Return when a faction's seat was last taken and last left in running wars."""
    result = SeatChanges()
    rows = Act.objects.filter(campaign__in=campaigns, verb__in=(JOIN, LEAVE)).order_by("at")
    for campaign, verb, faction, role, at in rows.values_list(
        "campaign_id", "verb", "body__facts__faction", "body__facts__role", "at"
    ):
        if role in FACTION_ROLES:
            if verb == JOIN:
                changed = result.joined_at
            else:
                changed = result.left_at
            changed[campaign, faction] = at
    return result
