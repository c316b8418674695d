"""When what came of a stage is public, and how a stage looks until then: by the clock alone.

A stage closes at a stated instant (`Stage.closed_at`: its deadline, or the moment at which it
closed early). What comes of it is computed and written at once, and public from a later instant on
(`Stage.publishes_at`): the first point of a grid that comes at least an allowance after the
closing. Where it was not written in time, the first point after it was. So no instant that anybody
is shown, and nothing that anybody can watch, tells how long the computing took.

Until then a stage looks closed, whatever its row says; its outcome, and the stage that follows, are
not there. Every reader of stages, views, reports, sealed entries and ledger rows that shows them to
somebody goes through this module; the umpire's own pages read the truth.

Not held back: a war in which at most one faction has players, for there is nobody to hide from; a
single battle, for everybody is in it; and everything, where the site's PUBLICATION_GRID is 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TypeVar

from django.conf import settings
from django.db.models import BigIntegerField, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from campaign.kinds import Source, StageStatus
from campaign.models.campaign import FACTION_ROLES, Campaign, Faction
from campaign.models.knowledge import Report, View
from campaign.models.ledger import LedgerRow
from campaign.models.stage import Stage, Submission
from campaign.store.instants import grid_point
from campaign.store.prepared import PreparedValues

COMMITTING = timedelta(
    seconds=2
)  # between the moment at which an outcome is written and that at which all see it
PLAYED_FACTIONS = PreparedValues(
    lambda campaign: played_factions(campaign).values_list("pk"),
    parameters=(BigIntegerField(),),
    columns=(BigIntegerField(),),
)
BY_PEOPLE = (
    Source.PLAYER,
    Source.UMPIRE,
)  # whose entries are there when they are made; all others with the outcome

PublicRow = TypeVar("PublicRow", View, Report)


def is_held_back(campaign: Campaign) -> bool:
    """Whether what comes of this campaign's stages waits for a point of the grid."""
    if settings.PUBLICATION_GRID <= 0 or campaign.ruleset.get("single"):
        return False
    return len(PLAYED_FACTIONS.tuples(campaign.pk)) > 1


def planned_instant(closed_at: datetime) -> datetime:
    """The instant at which the results of a stage that closed then are public, if they are written
    in time.
    """
    return grid_point(closed_at + timedelta(seconds=settings.PUBLICATION_ALLOWANCE))


def decided_instant(campaign: Campaign, closed_at: datetime, now: datetime) -> datetime:
    """The instant at which the results of a stage that closed then, and are being written now, are
    public.
    """
    if not is_held_back(campaign):
        return now
    return max(planned_instant(closed_at), grid_point(now + COMMITTING))


def public_stages(
    campaign: Campaign, rows: Iterable[Stage], now: datetime | None = None
) -> list[Stage]:
    """Stages of the weeks as everybody sees them now: those that are open already, each
    `stage_seen`.
    """
    moment = now or timezone.now()
    return [public_stage(campaign, row, moment) for row in rows if row.opens <= moment]


def public_stage(campaign: Campaign, row: Stage, now: datetime | None = None) -> Stage:
    """The same stage with its status as everybody sees it now.

    A stop of a battle, for its players alone, stays.

    A closed one has as `publishes_at` the instant at which its outcome is expected, or None where
    that is not held back. The row itself is for reading: what is not public is taken off it.
    """
    if row.battle_id is not None:
        return row
    moment = now or timezone.now()
    late = (
        row.status == StageStatus.OPEN
        and row.closes is not None
        and row.closes <= moment
        and campaign.paused_at is None
    )
    if late:
        row.closed_at = row.closes
    if late or (row.status == StageStatus.RESOLVED and not is_public(row, moment)):
        row.status = StageStatus.CLOSED
    if row.status == StageStatus.CLOSED:
        row.to_snapshot_id = None
        row.publishes_at = _expected(campaign, row.closed_at or moment, moment)
    return row


def is_public(row: Stage, now: datetime) -> bool:
    """Whether what came of a stage of a week may be known. `row`: as it is stored."""
    return (
        row.status == StageStatus.RESOLVED
        and row.publishes_at is not None
        and row.publishes_at <= now
    )


def waiting_condition(now: datetime) -> Q:
    """Of the stages of a branch the one that everybody sees open or closed now, none before the war
    and after it.
    """
    return Q(battle__isnull=True, opens__lte=now) & (
        Q(status__in=(StageStatus.OPEN, StageStatus.CLOSED)) | Q(publishes_at__gt=now)
    )


def public_outcomes(rows: QuerySet[PublicRow], now: datetime) -> QuerySet[PublicRow]:
    """Views or reports without those of an outcome that is not public yet."""
    withheld = Stage.objects.filter(
        battle__isnull=True, status=StageStatus.RESOLVED, publishes_at__gt=now
    )
    return rows.filter(
        ~Exists(withheld.filter(branch_id=OuterRef("branch_id"), ordinal__lt=OuterRef("seq")))
    )


def public_ledger(rows: QuerySet[LedgerRow], now: datetime) -> QuerySet[LedgerRow]:
    """Rows of a ledger without that of an outcome that is not public yet."""
    return rows.filter(stage__publishes_at__lte=now)


def public_entries(rows: QuerySet[Submission], now: datetime) -> QuerySet[Submission]:
    """Sealed entries without those that the server wrote for who was missing, until the stage's
    outcome is public.
    """
    is_known = Q(stage__battle__isnull=False) | Q(stage__publishes_at__lte=now)
    return rows.filter(Q(source__in=BY_PEOPLE) | is_known)


def _expected(campaign: Campaign, closed_at: datetime, now: datetime) -> datetime | None:
    """When everybody may expect the outcome of a stage that closed then: in time, or at the next
    point from now on.
    """
    if not is_held_back(campaign):
        return None
    planned = planned_instant(closed_at)
    return planned if planned > now else grid_point(now + timedelta(microseconds=1))


def played_factions(campaign: Campaign | int) -> QuerySet[Faction]:
    """The factions that have players, by key. `campaign`: its row, or the row's number."""
    factions = Faction.objects.filter(campaign=campaign, memberships__role__in=FACTION_ROLES)
    return factions.distinct().order_by("key")
