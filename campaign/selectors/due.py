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

from campaign.kinds import BattleMode, BattleSetting, ClosingRule, Role, StageKind, StageStatus
from campaign.lineage import on_line, played_on_line
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
        grace_until: Until when late orders are accepted; None: not at all.
        paused: Since when the campaign is paused.
        factions: How many factions the war has.
        played_factions: How many factions have players.
        umpired: The war has an umpire.
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
    grace_until: datetime | None
    paused: datetime | None
    ruleset: dict[str, Any]
    timetable: dict[str, Any]
    factions: int
    played_factions: int
    umpired: bool
    missing: bool
    unready: bool
    ready_at: datetime | None
    has_begun: bool
    is_fighting: bool


def stage_due(*, stage: Stage, now: datetime) -> bool:
    """Return whether an open stage has to close.

    It closes when its time is up (with the time for late orders, if there is any), when all players
    have sealed if it closes early, or when all are ready. Battles that players fight delay an early
    close. If no faction has a player, the deadline is always kept. A stage never closes while the
    campaign is paused or before it opens. A faction that is excused this week is not waited for.
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
    is_running = Q(
        status=StageStatus.OPEN, opens__lte=now, branch__campaign__paused_at__isnull=True
    )
    is_past_deadline = Q(closes__lte=now)
    is_sealed = Q(missing=False)
    is_single_battle_over = Q(
        branch__campaign__ruleset__single=True, has_begun=True, is_fighting=False
    )
    may_close = is_running & (is_past_deadline | is_sealed | is_single_battle_over)
    return _facts(stages).filter(Q(status=StageStatus.CLOSED) | may_close)


def _facts(stages: QuerySet[Stage]) -> QuerySet[Stage, Any]:
    """Return the facts of stages.

    All facts are always queried, so that response times do not reveal whether there is a battle.
    """
    battles = Stage.objects.filter(
        branch=OuterRef("branch"), week=OuterRef("week"), battle__isnull=False
    )
    factions = Faction.objects.filter(campaign=OuterRef("branch__campaign"))
    seals = Submission.objects.filter(
        stage=OuterRef(OuterRef("pk")), faction=OuterRef("pk"), withdrawn_at__isnull=True
    )
    seals_with_ready = seals.filter(ready_at__isnull=False)
    newest_ready = Submission.objects.filter(
        stage=OuterRef("pk"), withdrawn_at__isnull=True, ready_at__isnull=False
    ).order_by("-ready_at")
    excuses = Excuse.objects.filter(
        on_line(OuterRef(OuterRef("branch")), "ordinal", "lt"),
        faction=OuterRef("pk"),
        week=OuterRef(OuterRef("week")),
    )
    has_fought_all = _has_fought_all(OuterRef(OuterRef("branch")), OuterRef(OuterRef("week")))
    missing_factions = factions.filter(_has_players(), ~Exists(seals), ~Exists(excuses))
    unready_factions = factions.filter(_has_players(), ~Exists(seals_with_ready), ~Exists(excuses))
    return (
        _settings(stages)
        .annotate(
            paused=F("branch__campaign__paused_at"),
            missing=Exists(missing_factions.exclude(has_fought_all)),
            unready=Exists(unready_factions.exclude(has_fought_all)),
            ready_at=Subquery(newest_ready.values("ready_at")[:1]),
            has_begun=Exists(battles),
            is_fighting=Exists(battles.exclude(status=StageStatus.RESOLVED)),
        )
        .order_by("pk")
    )


def _settings(stages: QuerySet[Stage]) -> QuerySet[Stage, Any]:
    """Add the campaign's settings to stages, and how many factions have players."""
    factions = Faction.objects.filter(campaign=OuterRef("branch__campaign"))
    umpires = Membership.objects.filter(campaign=OuterRef("branch__campaign"), role=Role.UMPIRE)
    return stages.annotate(
        ruleset=F("branch__campaign__ruleset"),
        timetable=F("branch__campaign__timetable"),
        factions=_count_of(factions),
        played_factions=_count_of(factions.filter(_has_players())),
        umpired=Exists(umpires),
    )


def _fact_values(stages: QuerySet[Stage, Any]) -> QuerySet[Stage, Any]:
    """Select the columns of `_Facts`, in its order."""
    return stages.values_list(*_Facts.__slots__)


def _facts_of(stage: Stage) -> list[_Facts]:
    """Return the facts of a stage; empty if it no longer exists."""
    return [_Facts(*row) for row in FACTS.tuples(stage.pk)]


def _has_players() -> Exists:
    """Match factions with players or staff."""
    return Exists(Membership.objects.filter(faction=OuterRef("pk"), role__in=FACTION_ROLES))


def _has_fought_all(branch: Any, week: Any) -> Q:
    """Match factions that have fought all their battles of a week themselves, to the end.

    They need no doctrine any more. If captains fight any battle of the week, all factions are
    asked. They are always asked where each player may take command and a third faction is in the
    war: otherwise they would learn whether captains fight a battle that they do not know of.
    """
    drafts = Draft.objects.filter(
        faction=OuterRef("pk"), stage__branch=branch, stage__week=week, stage__battle__isnull=False
    )
    by_captains = Branch.objects.filter(
        pk=branch, battles__week=week, battles__mode=BattleMode.CAPTAINS
    )
    third_faction = Faction.objects.filter(campaign=OuterRef("campaign"))[TWO_FACTIONS:]
    mixes_secretly = Branch.objects.filter(
        Exists(third_faction), pk=branch, campaign__ruleset__battles=BattleSetting.MIXED
    )
    has_own_battle = Q(Exists(drafts))
    has_unfinished_battle = Q(Exists(drafts.exclude(stage__status=StageStatus.RESOLVED)))
    is_asked_anyway = Q(Exists(by_captains)) | Q(Exists(mixes_secretly))
    return has_own_battle & ~has_unfinished_battle & ~is_asked_anyway


def _count_of(rows: QuerySet[Any]) -> Coalesce:
    """Return the number of rows as a subquery."""
    counts = rows.order_by().values("campaign").annotate(row_count=Count("pk"))
    return Coalesce(Subquery(counts.values("row_count")), 0)


def _is_due(facts: _Facts, now: datetime) -> bool:
    """Return whether a stage has to close; see `stage_due`."""
    is_running = facts.status == StageStatus.OPEN and facts.opens <= now and facts.paused is None
    if not is_running:
        return False
    if facts.closes is None:
        return _may_close_early(facts, now)
    if (facts.grace_until or facts.closes) <= now:
        return True
    return not _reveals_battles(facts) and _may_close_early(facts, now)


def _may_close_early(facts: _Facts, now: datetime) -> bool:
    """Return whether a running stage closes before its deadline, or without one."""
    waits_for_battles = facts.kind == StageKind.BATTLES and facts.is_fighting
    if not closes_early(facts.timetable, facts.factions, facts.played_factions):
        return _all_ready(facts, now) and not waits_for_battles
    if facts.ruleset.get("single") and facts.has_begun and not facts.is_fighting:
        return True  # a single battle is over, whether or not doctrines are sealed
    if facts.played_factions == 0 and facts.closes is not None:
        return False  # no player wants it earlier
    return not facts.missing and not waits_for_battles


def _all_ready(facts: _Facts, now: datetime) -> bool:
    """Return whether all sides are ready to go on and the next instant of the grid has come."""
    if facts.unready or facts.ready_at is None:
        return False
    return grid_point(facts.ready_at) <= now


def closing_instant(*, stage: Stage, now: datetime) -> datetime:
    """Return when a due stage closes: now, or at the grid's last instant.

    The grid counts if all sides are ready to go on, so that the instant reveals neither when the
    last one was ready nor how fast a worker was. Where everybody sees who has sealed (a stage that
    closes early), it has nothing to hide.
    """
    (facts,) = _facts_of(stage)
    if closes_early(facts.timetable, facts.factions, facts.played_factions) or not _all_ready(
        facts, now
    ):
        return now
    return max(facts.opens, grid_point_before(now))


class Closing(NamedTuple):
    """How an open stage closes, by the timetable in force.

    Attributes:
        played_factions: How many factions have players.
    """

    rule: ClosingRule
    played_factions: int


class _PublicFacts(NamedTuple):
    """The facts that decide how a stage closes; all members of the campaign may know them."""

    pk: int
    kind: str
    closes: datetime | None
    ruleset: dict[str, Any]
    timetable: dict[str, Any]
    factions: int
    played_factions: int
    umpired: bool


def closings(stages: Collection[int]) -> dict[int, Closing]:
    """Return how stages of the week close, by primary key, with one query."""
    if len(stages) == 1:
        (stage,) = stages
        rows = CLOSING.tuples(stage)
    else:
        rows = list(_public_facts(Stage.objects.filter(pk__in=stages)))
    all_facts = [_PublicFacts(*row) for row in rows]
    return {facts.pk: Closing(_rule(facts), facts.played_factions) for facts in all_facts}


def closing_of(stage: Stage) -> Closing:
    """Return how a stage of the week closes."""
    return closings([stage.pk])[stage.pk]


def _public_facts(stages: QuerySet[Stage]) -> QuerySet[Stage, Any]:
    """Query the public facts of stages, without reading sealed entries or battles."""
    return _settings(stages).order_by("pk").values_list(*_PublicFacts._fields)


def _rule(facts: _PublicFacts) -> ClosingRule:
    """Return what can close a stage before its deadline; `DEADLINE` if nothing can."""
    if facts.closes is not None and _reveals_battles(facts):
        return ClosingRule.DEADLINE
    if closes_early(facts.timetable, facts.factions, facts.played_factions):
        return ClosingRule.SEALED
    if facts.played_factions:
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
    """Return whether battle stages of a war with several players stay open to their deadline.

    They do if players may fight them and a third faction must not learn whether others fight.

    Args:
        factions: How many factions the war has.
        umpired: Whether the war has an umpire, who may let players fight any battle.
    """
    setting = ruleset.get("battles", BattleSetting.CAPTAINS)
    players_may_fight = umpired or setting != BattleSetting.CAPTAINS
    return players_may_fight and factions > TWO_FACTIONS


def _reveals_battles(facts: _Facts | _PublicFacts) -> bool:
    """Return whether closing the stage early would reveal that others fight."""
    if facts.kind != StageKind.BATTLES or facts.played_factions <= 1:
        return False
    return battles_keep_deadline(facts.ruleset, facts.factions, facts.umpired)


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
    seals = Submission.objects.filter(stage=stage, withdrawn_at__isnull=True)
    excuses = played_on_line(Excuse.objects.filter(week=stage.week), stage.branch_id)
    return (
        played_factions(stage.branch.campaign)
        .exclude(pk__in=seals.values("faction_id"))
        .exclude(pk__in=excuses.values("faction_id"))
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
    lambda pk: _public_facts(Stage.objects.filter(pk=pk)),
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
