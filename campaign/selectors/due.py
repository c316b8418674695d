"""Which stages are due, and hooks that notify a worker.

Tasks are known by name, so that nothing here imports the code that carries them out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import structlog
from django.db import transaction
from django.db.models import (
    BigIntegerField,
    BooleanField,
    CharField,
    Count,
    DateTimeField,
    Exists,
    F,
    IntegerField,
    JSONField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Coalesce
from django.utils.module_loading import import_string

from campaign.kinds import BattleMode, ClosingRule, Role, StageKind, StageStatus
from campaign.models.campaign import FACTION_ROLES, Branch, Campaign, Excuse, Faction, Membership
from campaign.models.stage import Draft, Stage, Submission
from campaign.rules.timetable import TWO_FACTIONS, closes_early
from campaign.store.instants import grid_point, grid_point_before
from campaign.store.outages import is_database_away, outage_code
from campaign.store.prepared import PreparedValues
from campaign.store.publication import played_factions

STAGE_RESOLVE = "umpire.stage_resolve"
TABLE_COMPARE = "umpire.table_compare"
PHASE_RESOLVE = "umpire.phase_resolve"

log = structlog.get_logger(__name__)
Sender = Callable[[str, int], None]
_senders: dict[str, Sender] = {}
_starter: dict[str, str] = {}


def task_register(*, name: str, sender: Sender) -> None:
    """Register the function that is called with the task's name and the row's id when it is due."""
    _senders[name] = sender


def task_enqueue(*, name: str, row: int) -> None:
    """Notify the registered function after the commit.

    Without one, the row stays due. If the database or its disk is unavailable at that moment, the
    clock's next tick finds the row: the commit stands, and the caller gets no error.
    """

    def send() -> None:
        try:
            if name in _senders:
                _senders[name](name, row)
        except Exception as error:
            if not is_database_away(error):
                raise
            log.warning("task-left-to-the-tick", task=name, row=row, reason=outage_code(error))

    transaction.on_commit(send)


def starter_register(*, starter: str) -> None:
    """Register the dotted name of the function (`campaign`, `now`) that begins wars.

    It is imported when the first war begins.
    """
    _starter["war"] = starter


def war_start(*, campaign: Campaign, now: datetime) -> Stage:
    """Begin the war at once, in the caller's transaction, and return its first stage, open.

    Raises:
        AlreadyStarted: The war has begun.
    """
    begin: Callable[..., Stage] = import_string(_starter["war"])
    return begin(campaign=campaign, now=now)


@dataclass(frozen=True, slots=True)
class _Facts:
    """The facts that decide whether a stage is due.

    Attributes:
        missing: The stage waits for a faction.
        unready: A faction with players has not said that it is ready to go on.
        ready_at: When the last faction became ready.
        has_begun: Players fight battles of this week themselves.
        is_fighting: One of those battles is not over.
    """

    pk: int
    kind: str
    status: str
    opens: datetime
    closes: datetime | None
    paused: datetime | None
    ruleset: dict[str, Any]
    timetable: dict[str, Any]
    factions: int
    played: int
    umpired: bool
    missing: bool
    unready: bool
    ready_at: datetime | None
    has_begun: bool
    is_fighting: bool


def stage_due(*, stage: Stage, now: datetime) -> bool:
    """Return whether an open stage has to close.

    It closes when its time is up, when all players have sealed if it closes early, or when all are
    ready. Battles that players fight delay an early close. If no faction has a player, the deadline
    is always kept. A stage never closes while the campaign is paused or before it opens. A faction
    that is excused this week is not waited for.
    """
    return any(_is_due(facts, now) for facts in _facts_of(stage))


def stages_due(*, now: datetime, attended: bool) -> list[int]:
    """Return the stages of the week that a tick has to resolve: closed but not resolved, or due.

    One query finds the candidates: closed, past the deadline, sealed by all, or a single battle
    that is over. Only these are examined further.

    Args:
        attended: Only stages of campaigns with players.
    """
    rows = (WAITING_ATTENDED if attended else WAITING).tuples(now)
    all_facts = [_Facts(*row) for row in rows]
    result: list[int] = []
    for facts in all_facts:
        if facts.status == StageStatus.CLOSED or _is_due(facts, now):
            result.append(facts.pk)
    return result


def _waiting(now: datetime) -> QuerySet[Stage, Any]:
    """Return the candidates that a tick has to examine."""
    stages = Stage.objects.filter(
        battle__isnull=True, status__in=(StageStatus.OPEN, StageStatus.CLOSED)
    )
    sealed = Q(missing=False)
    over = Q(branch__campaign__ruleset__single=True, has_begun=True, is_fighting=False)
    closing = Q(
        status=StageStatus.OPEN, opens__lte=now, branch__campaign__paused_at__isnull=True
    ) & (Q(closes__lte=now) | sealed | over)
    return _facts(stages).filter(Q(status=StageStatus.CLOSED) | closing)


def _facts(stages: QuerySet[Stage]) -> QuerySet[Stage, Any]:
    """Return the facts of stages.

    All facts are always queried, so that response times do not reveal whether there is a battle.
    """
    battles = Stage.objects.filter(
        branch=OuterRef("branch"), week=OuterRef("week"), battle__isnull=False
    )
    of_it = Faction.objects.filter(campaign=OuterRef("branch__campaign"))
    sealed = Submission.objects.filter(
        stage=OuterRef(OuterRef("pk")), faction=OuterRef("pk"), withdrawn_at__isnull=True
    )
    ready = sealed.filter(ready_at__isnull=False)
    last_ready_at = Submission.objects.filter(
        stage=OuterRef("pk"), withdrawn_at__isnull=True, ready_at__isnull=False
    ).order_by("-ready_at")
    excused = Excuse.objects.filter(faction=OuterRef("pk"), week=OuterRef(OuterRef("week")))
    fought_out = _has_fought_all(OuterRef(OuterRef("branch")), OuterRef(OuterRef("week")))
    return (
        _settings(stages)
        .annotate(
            paused=F("branch__campaign__paused_at"),
            missing=Exists(
                of_it.filter(_has_players(), ~Exists(sealed), ~Exists(excused)).exclude(fought_out)
            ),
            unready=Exists(
                of_it.filter(_has_players(), ~Exists(ready), ~Exists(excused)).exclude(fought_out)
            ),
            ready_at=Subquery(last_ready_at.values("ready_at")[:1]),
            has_begun=Exists(battles),
            is_fighting=Exists(battles.exclude(status=StageStatus.RESOLVED)),
        )
        .order_by("pk")
    )


def _settings(stages: QuerySet[Stage]) -> QuerySet[Stage, Any]:
    """Add the campaign's settings to stages, and how many factions have players."""
    of_it = Faction.objects.filter(campaign=OuterRef("branch__campaign"))
    umpires = Membership.objects.filter(campaign=OuterRef("branch__campaign"), role=Role.UMPIRE)
    return stages.annotate(
        ruleset=F("branch__campaign__ruleset"),
        timetable=F("branch__campaign__timetable"),
        factions=_count_of(of_it),
        played=_count_of(of_it.filter(_has_players())),
        umpired=Exists(umpires),
    )


def _fact_values(stages: QuerySet[Stage, Any]) -> QuerySet[Stage, Any]:
    return stages.values_list(*_Facts.__slots__)


def _facts_of(stage: Stage) -> list[_Facts]:
    return [_Facts(*row) for row in FACTS.tuples(stage.pk)]


def _has_players() -> Exists:
    return Exists(Membership.objects.filter(faction=OuterRef("pk"), role__in=FACTION_ROLES))


def _has_fought_all(branch: Any, week: Any) -> Q:
    """Match factions that have fought all their battles of a week themselves, to the end.

    They need no doctrine any more. If captains fight any battle of the week, all factions are
    asked.
    """
    drafts = Draft.objects.filter(
        faction=OuterRef("pk"), stage__branch=branch, stage__week=week, stage__battle__isnull=False
    )
    by_captains = Branch.objects.filter(
        pk=branch, battles__week=week, battles__mode=BattleMode.CAPTAINS
    )
    return (
        Q(Exists(drafts))
        & ~Q(Exists(drafts.exclude(stage__status=StageStatus.RESOLVED)))
        & ~Q(Exists(by_captains))
    )


def _count_of(rows: QuerySet[Any]) -> Coalesce:
    """Return the number of rows as a subquery."""
    return Coalesce(
        Subquery(rows.order_by().values("campaign").annotate(many=Count("pk")).values("many")), 0
    )


def _is_due(facts: _Facts, now: datetime) -> bool:
    if facts.status != StageStatus.OPEN or facts.opens > now or facts.paused is not None:
        return False
    if facts.closes is not None and facts.closes <= now:
        return True
    if facts.closes is not None and _reveals_battles(facts):
        return False
    fighting = facts.kind == StageKind.BATTLES and facts.is_fighting
    if not closes_early(facts.timetable, facts.factions, facts.played):
        return _all_ready(facts, now) and not fighting
    if facts.ruleset.get("single") and facts.has_begun and not facts.is_fighting:
        return True  # a single battle is over, whether or not doctrines are sealed
    if facts.played == 0 and facts.closes is not None:
        return False  # no player wants it earlier
    return not facts.missing and not fighting


def _all_ready(facts: _Facts, now: datetime) -> bool:
    """Return whether all sides are ready to go on and the next instant of the grid has come."""
    if facts.unready or facts.ready_at is None:
        return False
    return grid_point(facts.ready_at) <= now


def closing_instant(*, stage: Stage, now: datetime) -> datetime:
    """Return when a due stage closes: now, or the grid's last instant if it closes by consent.

    So the instant reveals neither when the last side was ready nor how fast a worker was.
    """
    (facts,) = _facts_of(stage)
    by_consent = not closes_early(facts.timetable, facts.factions, facts.played) and _all_ready(
        facts, now
    )
    if by_consent:
        return max(facts.opens, grid_point_before(now))
    return now


class Closing(NamedTuple):
    """How an open stage closes, by the timetable in force.

    Attributes:
        played: How many factions have players.
    """

    rule: ClosingRule
    played: int


class _Public(NamedTuple):
    """The facts that decide how a stage closes; all members of the campaign may know them."""

    pk: int
    kind: str
    closes: datetime | None
    ruleset: dict[str, Any]
    timetable: dict[str, Any]
    factions: int
    played: int
    umpired: bool


def closings(stages: Collection[int]) -> dict[int, Closing]:
    """Return how stages of the week close, by primary key, with one query."""
    rows_of_one = (
        [row for stage in stages for row in CLOSING.tuples(stage)] if len(stages) == 1 else []
    )
    rows = rows_of_one or list(_public(Stage.objects.filter(pk__in=stages)))
    all_facts = [_Public(*row) for row in rows]
    return {facts.pk: Closing(_rule(facts), facts.played) for facts in all_facts}


def closing_of(stage: Stage) -> Closing:
    """Return how a stage of the week closes."""
    return closings([stage.pk])[stage.pk]


def _public(stages: QuerySet[Stage]) -> QuerySet[Stage, Any]:
    """Query the public facts of stages, without reading sealed entries or battles."""
    return _settings(stages).order_by("pk").values_list(*_Public._fields)


def _rule(facts: _Public) -> ClosingRule:
    """Return what can close a stage before its deadline."""
    if facts.closes is not None and _reveals_battles(facts):
        return ClosingRule.DEADLINE
    if closes_early(facts.timetable, facts.factions, facts.played):
        return ClosingRule.SEALED
    if facts.played:
        return ClosingRule.READY
    return ClosingRule.DEADLINE


def due_announce(stage: Stage, now: datetime) -> None:
    """Notify a worker after the commit if a stage is due now."""
    fresh = Stage.objects.select_related("branch__campaign").get(pk=stage.pk)
    if stage_due(stage=fresh, now=now):
        task_enqueue(name=STAGE_RESOLVE, row=stage.pk)


def reveals_battles(stage: Stage) -> bool:
    """Return whether closing a stage early would show a third faction that others fight.

    Battles fought by players last as long as they like, and a faction outside them does not know of
    them. An umpire may let players fight any battle.
    """
    return any(map(_reveals_battles, _facts_of(stage)))


def battles_keep_deadline(ruleset: Mapping[str, Any], factions: int, umpired: bool) -> bool:
    """Return whether a war's battle stages stay open to their deadline if several factions have
    players.

    They do if players may fight them and a third faction must not learn whether others fight.
    """
    by_people = umpired or ruleset.get("battles") in (BattleMode.ONLINE, BattleMode.TABLE)
    return by_people and factions > TWO_FACTIONS


def _reveals_battles(facts: _Facts | _Public) -> bool:
    keeps = battles_keep_deadline(facts.ruleset, facts.factions, facts.umpired)
    return facts.kind == StageKind.BATTLES and keeps and facts.played > 1


def unfinished_battle_stages(stage: Stage) -> QuerySet[Stage]:
    """Return the unresolved stages of battles in a stage's week.

    There players still fight or enter results.
    """
    return battle_stages(stage).exclude(status=StageStatus.RESOLVED)


def battle_stages(stage: Stage) -> QuerySet[Stage]:
    """Return the stages of battles in a stage's week."""
    return Stage.objects.filter(branch_id=stage.branch_id, week=stage.week, battle__isnull=False)


def awaited_factions(stage: Stage) -> QuerySet[Faction]:
    """Return the factions with players whose entry is missing, by key.

    Factions that are excused or have finished the week are not among them.
    """
    sealed = Submission.objects.filter(stage=stage, withdrawn_at__isnull=True)
    excused = Excuse.objects.filter(week=stage.week)
    return (
        played_factions(stage.branch.campaign)
        .exclude(pk__in=sealed.values("faction_id"))
        .exclude(pk__in=excused.values("faction_id"))
        .exclude(pk__in=finished_factions(stage).values("pk"))
    )


def finished_factions(stage: Stage) -> QuerySet[Faction]:
    """Return the factions that have fought all their battles of the week, by key.

    Nothing more is asked of them in the stage.
    """
    factions = Faction.objects.filter(campaign__branches=stage.branch_id)
    return factions.filter(_has_fought_all(stage.branch_id, stage.week)).order_by("key")


# The columns of `_Facts`.
FACT_COLUMNS = (
    BigIntegerField(),
    CharField(),
    CharField(),
    DateTimeField(),
    DateTimeField(),
    DateTimeField(),
    JSONField(),
    JSONField(),
    IntegerField(),
    IntegerField(),
    BooleanField(),
    BooleanField(),
    BooleanField(),
    DateTimeField(),
    BooleanField(),
    BooleanField(),
)
FACTS = PreparedValues(
    lambda pk: _fact_values(_facts(Stage.objects.filter(pk=pk))),
    parameters=(BigIntegerField(),),
    columns=FACT_COLUMNS,
)
WAITING = PreparedValues(
    lambda now: _fact_values(_waiting(now)),
    parameters=(DateTimeField(),),
    columns=FACT_COLUMNS,
)
WAITING_ATTENDED = PreparedValues(
    lambda now: _fact_values(
        _waiting(now).filter(
            Exists(Membership.objects.filter(campaign=OuterRef("branch__campaign")))
        )
    ),
    parameters=(DateTimeField(),),
    columns=FACT_COLUMNS,
)
CLOSING = PreparedValues(
    lambda pk: _public(Stage.objects.filter(pk=pk)),
    parameters=(BigIntegerField(),),
    columns=(
        BigIntegerField(),
        CharField(),
        DateTimeField(),
        JSONField(),
        JSONField(),
        IntegerField(),
        IntegerField(),
        BooleanField(),
    ),
)
