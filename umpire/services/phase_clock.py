"""When phases of online battles close: whose orders they wait for, and which are due."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import (
    BigIntegerField,
    Count,
    DateTimeField,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce, NullIf

from campaign.kinds import StageKind, StageStatus
from campaign.lineage import played_on_line
from campaign.models.campaign import FACTION_ROLES, Excuse, Faction, Membership
from campaign.models.stage import Draft, Stage, Submission
from campaign.store.prepared import PreparedRows, PreparedValues
from campaign.words.battle.phase_titles import PHASES
from umpire.services.stand_ins import orders_missed


def phase_due(*, stage: Stage, now: datetime) -> bool:
    """Return whether an open phase has to close: its time is up, or all awaited orders are sealed.

    Never during a pause, nor before it is open.
    """
    return bool(DUE.tuples(stage.pk, now))


def phases_to_resolve(*, now: datetime) -> list[Stage]:
    """Return the phases that a tick has to resolve (closed or due), with one query.

    Phases of a week whose window has ended are left to the week.
    """
    return TO_RESOLVE.rows(now)


def phase_awaits(stage: Stage) -> list[Faction]:
    """Return the factions whose orders an open phase waits for, by key.

    They have players, have not sealed, and are neither excused nor absent.
    """
    awaited = _drafts_awaited().filter(stage=stage)
    return list(Faction.objects.filter(pk__in=awaited.values("faction_id")).order_by("key"))


def _due(now: datetime) -> QuerySet[Stage]:
    """Return the open phases that have to close."""
    running = Stage.objects.filter(
        kind__in=PHASES,
        status=StageStatus.OPEN,
        opens__lte=now,
        branch__campaign__paused_at__isnull=True,
    )
    return running.filter(
        Q(closes__lte=now) | ~Exists(_drafts_awaited().filter(stage=OuterRef("pk")))
    )


def _to_resolve(now: datetime) -> QuerySet[Stage]:
    """Return the phases that are closed or due, in a week whose window is open."""
    weekly = Stage.objects.filter(
        branch=OuterRef("branch"),
        week=OuterRef("week"),
        kind=StageKind.BATTLES,
        battle__isnull=True,
        status=StageStatus.OPEN,
    )
    closed = Stage.objects.filter(kind__in=PHASES, status=StageStatus.CLOSED)
    return (closed | _due(now)).filter(Exists(weekly)).order_by("pk")


def _drafts_awaited() -> QuerySet[Draft]:
    """Return the drafts of phases whose faction is awaited and has not sealed."""
    of_this = {"faction": OuterRef("faction")}
    played = Membership.objects.filter(**of_this, role__in=FACTION_ROLES)
    sealed = Submission.objects.filter(
        **of_this, stage=OuterRef("stage"), withdrawn_at__isnull=True
    )
    excuses = Excuse.objects.filter(**of_this, week=OuterRef("stage__week"))
    excused = played_on_line(excuses, OuterRef("stage__branch"))
    missed = orders_missed().filter(**of_this).order_by()
    # SQLite returns the text "null" for a JSON null, which would be cast to 0 weeks.
    setting = KeyTextTransform("admiral_after", "stage__branch__campaign__timetable")
    after = NullIf(setting, Value("null"))
    return (
        Draft.objects.filter(Exists(played), ~Exists(sealed), ~Exists(excused))
        .annotate(
            admiral_after=Cast(after, IntegerField()),
            missed=Coalesce(
                Subquery(missed.values("faction").annotate(many=Count("pk")).values("many")), 0
            ),
        )
        .filter(Q(admiral_after__isnull=True) | Q(missed__lt=F("admiral_after")))
    )


def weekly_of(stage: Stage) -> Stage:
    """Return the stage of the week in which a stop's battle is fought."""
    rows = Stage.objects.filter(
        branch_id=stage.branch_id, week=stage.week, kind=StageKind.BATTLES, battle__isnull=True
    ).select_related("branch__campaign")
    return rows.get()


def phase_closes(
    timetable: dict[str, Any], weekly: datetime | None, now: datetime
) -> datetime | None:
    """Return when a phase that opens now closes: after the timetable's interval, or with its week.

    Args:
        weekly: When the week's stage closes.
    """
    minutes = timetable.get("phase_minutes")
    ends = [] if minutes is None else [now + timedelta(minutes=minutes)]
    if weekly is not None:
        ends.append(max(weekly, now))
    return min(ends, default=None)


# Each tick runs these queries.
TO_RESOLVE = PreparedRows(_to_resolve, parameters=(DateTimeField(),))
DUE = PreparedValues(
    lambda stage, now: _due(now).filter(pk=stage).values_list("pk"),
    parameters=(BigIntegerField(), DateTimeField()),
    columns=(BigIntegerField(),),
)
