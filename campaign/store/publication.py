"""When the outcome of a stage becomes public, and how the stage appears until then.

A stage closes at a stated instant (`Stage.closed_at`: its deadline, or the moment of its early
closing). Its outcome is computed and written at once, but public only from a later instant on
(`Stage.publishes_at`): the first point of a grid that comes at least an allowance after the
closing. If the outcome is late, the first grid point after it was written counts. So no instant
that users see, and nothing that they can observe, reveals how long the computing took.

Until then a stage appears as closed, whatever its row says, and its outcome and the next stage are
hidden. Every function that shows stages, views, reports, sealed entries or ledger rows to users
reads them through this module; only the umpire's own pages read the truth.

Outcomes are not held back in a war in which at most one faction has players, in a single battle, in
which everybody takes part, or if the site's PUBLICATION_GRID is 0.
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
from campaign.rules.beacon import FETCHED_AFTER, has_beacon
from campaign.store.instants import grid_point
from campaign.store.prepared import PreparedValues

# The least time between writing an outcome and the instant at which it is public.
COMMITTING = timedelta(seconds=2)
PLAYED_FACTIONS = PreparedValues(
    lambda campaign: played_factions(campaign).values_list("pk"),
    parameters=(BigIntegerField(),),
    columns=(BigIntegerField(),),
)
# Sources whose entries are public at once; all others become public with the outcome.
BY_PEOPLE = (Source.PLAYER, Source.UMPIRE)

PublicRow = TypeVar("PublicRow", View, Report)


def is_held_back(campaign: Campaign) -> bool:
    """Return whether the outcomes of a campaign wait for a point of the grid."""
    if settings.PUBLICATION_GRID <= 0 or campaign.ruleset.get("single"):
        return False
    return len(PLAYED_FACTIONS.tuples(campaign.pk)) > 1


def planned_instant(closed_at: datetime) -> datetime:
    """Return when the outcome of a stage is public if it is written in time."""
    return grid_point(closed_at + timedelta(seconds=settings.PUBLICATION_ALLOWANCE))


def _ready_at(campaign: Campaign, closed_at: datetime) -> datetime:
    """Return from when on a closed stage can be computed: with public dice, some seconds later."""
    return closed_at + FETCHED_AFTER if has_beacon(campaign.ruleset) else closed_at


def decided_instant(campaign: Campaign, closed_at: datetime, now: datetime) -> datetime:
    """Return when an outcome that is being written `now` becomes public."""
    if not is_held_back(campaign):
        return now
    return max(planned_instant(_ready_at(campaign, closed_at)), grid_point(now + COMMITTING))


def public_stages(
    campaign: Campaign, rows: Iterable[Stage], now: datetime | None = None
) -> list[Stage]:
    """Return the stages that are open already, each as everybody sees it now (`public_stage`)."""
    moment = now or timezone.now()
    return [public_stage(campaign, row, moment) for row in rows if row.opens <= moment]


def public_stage(campaign: Campaign, row: Stage, now: datetime | None = None) -> Stage:
    """Return a stage with its status as everybody sees it now.

    A phase of a battle, which only its players see, stays as it is. For a closed stage
    `publishes_at` is the instant at which its outcome is expected, or None if it is not held back.
    While late orders are accepted, `closes` is the instant until which they are.
    The row is changed in memory and must not be saved: what is not public is removed from it.
    """
    if row.battle_id is not None:
        return row
    moment = now or timezone.now()
    if _is_past_deadline(campaign, row, moment):
        row.closed_at = row.last_moment
        row.status = StageStatus.CLOSED
    elif row.status == StageStatus.RESOLVED and not is_public(row, moment):
        row.status = StageStatus.CLOSED
    elif row.status == StageStatus.OPEN and takes_late_orders(row, moment):
        row.closes = row.grace_until
    if row.status == StageStatus.CLOSED:
        row.to_snapshot_id = None
        row.publishes_at = _expected(campaign, row.closed_at or moment, moment)
    return row


def _is_past_deadline(campaign: Campaign, row: Stage, now: datetime) -> bool:
    """Return whether a stage that is stored as open has reached its last moment."""
    if row.status != StageStatus.OPEN or campaign.paused_at is not None:
        return False
    return row.last_moment is not None and row.last_moment <= now


def takes_late_orders(row: Stage, now: datetime) -> bool:
    """Return whether the deadline of a stage has passed and late orders are still accepted."""
    if row.closes is None or row.grace_until is None:
        return False
    return row.closes <= now < row.grace_until


def is_public(row: Stage, now: datetime) -> bool:
    """Return whether the outcome of a stage of a week is public; `row` is as stored."""
    if row.status != StageStatus.RESOLVED:
        return False
    return row.publishes_at is not None and row.publishes_at <= now


def waiting_condition(now: datetime) -> Q:
    """Return the condition for the stage of a branch that everybody sees as open or closed now.

    No stage meets it before and after the war.
    """
    return Q(battle__isnull=True, opens__lte=now) & (
        Q(status__in=(StageStatus.OPEN, StageStatus.CLOSED)) | Q(publishes_at__gt=now)
    )


def public_outcomes(rows: QuerySet[PublicRow], now: datetime) -> QuerySet[PublicRow]:
    """Leave out the views or reports of outcomes that are not public yet."""
    withheld = Stage.objects.filter(
        battle__isnull=True, status=StageStatus.RESOLVED, publishes_at__gt=now
    )
    return rows.filter(
        ~Exists(withheld.filter(branch_id=OuterRef("branch_id"), ordinal__lt=OuterRef("seq")))
    )


def public_ledger(rows: QuerySet[LedgerRow], now: datetime) -> QuerySet[LedgerRow]:
    """Leave out the ledger row of an outcome that is not public yet."""
    return rows.filter(stage__publishes_at__lte=now)


def public_entries(rows: QuerySet[Submission], now: datetime) -> QuerySet[Submission]:
    """Leave out what only becomes public with the outcome of its stage.

    That is the entries that the server sealed for absent players.
    """
    is_known = Q(stage__battle__isnull=False) | Q(stage__publishes_at__lte=now)
    return rows.filter(Q(source__in=BY_PEOPLE) | is_known)


def _expected(campaign: Campaign, closed_at: datetime, now: datetime) -> datetime | None:
    """Return when the outcome of a closed stage is expected: in time, or at the next grid point."""
    if not is_held_back(campaign):
        return None
    planned = planned_instant(_ready_at(campaign, closed_at))
    if planned > now:
        return planned
    return grid_point(now + timedelta(microseconds=1))


def played_factions(campaign: Campaign | int) -> QuerySet[Faction]:
    """Return the factions that have players, by key.

    Args:
        campaign: Its row or its primary key.
    """
    factions = Faction.objects.filter(campaign=campaign, memberships__role__in=FACTION_ROLES)
    return factions.distinct().order_by("key")
