"""A user's campaigns, and what each wants of the user next; all pages and the API use this.

Players seal all stages, even if their fleets met no one, so the next action reveals nothing about
meetings. It depends on what the player knows: their seats, entries, view and own battles.

task        of whom                        what
begin       the host                       fill the seats and begin
unbegun     all others                     wait for the host
over        all                            read how it ended
resolving   all                            wait: the stage is closed
deploy, orders, decisions, doctrine        seal that document
fight       a player                       orders for a phase of an online battle
table       a player                       the result of a battle at a table
wait        a player                       nothing now (`battle`: the one that is not over yet)
umpire, host, watch                        members who do not play: their own pages

The facts of many campaigns are read in as many queries as those of one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, NamedTuple

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import (
    BigIntegerField,
    BooleanField,
    CharField,
    DateTimeField,
    Exists,
    F,
    Max,
    OuterRef,
    PositiveIntegerField,
    PositiveSmallIntegerField,
    QuerySet,
    TextField,
    Window,
)
from django.db.models.fields.json import KT
from django.utils import timezone

from campaign.kinds import (
    TABLE,
    BattleMode,
    ClosingRule,
    FactionBattleState,
    FactionBattleText,
    Role,
    StageKind,
    StageStatus,
)
from campaign.models.campaign import FACTION_ROLES, Campaign, Faction, Membership, active_condition
from campaign.models.scenario import Scenario
from campaign.models.stage import Draft, Stage, Submission
from campaign.rules.view import View
from campaign.selectors.due import closings
from campaign.sight.reports import NewestSheet, newest_sheets
from campaign.sight.views import views_at
from campaign.store.prepared import PreparedRows, PreparedValues
from campaign.store.publication import public_entries, public_stage, waiting_condition

PARTS = PreparedRows(
    lambda user, now: Membership.objects.filter(active_condition(now), user_id=user).order_by(
        "-campaign_id", "role"
    ),
    parameters=(BigIntegerField(), DateTimeField()),
    related=("campaign", "campaign__scenario", "faction"),
    without=("campaign__scenario__body",),
)
STAGES = PreparedRows(
    lambda user, now: Stage.objects.filter(
        waiting_condition(now),
        active_condition(now, "branch__headed__memberships__"),
        branch__headed__memberships__user_id=user,
    ).distinct(),
    parameters=(BigIntegerField(), DateTimeField()),
    related=("branch",),
)

Task = Literal[
    "begin", "unbegun", "over", "resolving",
    "deploy", "orders", "decisions", "doctrine",
    "fight", "table", "wait",
    "umpire", "host", "watch",
]  # fmt: skip
TASK_OF_STAGE: dict[str, Task] = {
    "deploy": "deploy",
    "orders": "orders",
    "decisions": "decisions",
    "battles": "doctrine",
}

Place = tuple[int, int]  # primary keys of branch and faction


@dataclass(frozen=True, slots=True)
class OwnCampaign:
    """A campaign of a user.

    Attributes:
        stage: The stage that waits; None before and after the war.
        sealed: The user's side has sealed it.
    """

    campaign: Campaign
    roles: tuple[str, ...]
    faction: Faction | None
    stage: Stage | None
    sealed: bool


def campaigns_of(user: AbstractBaseUser) -> tuple[OwnCampaign, ...]:
    """Return the campaigns in which the user has a seat, newest first, with three queries."""
    now = timezone.now()
    parts: dict[int, list[Membership]] = {}
    for row in PARTS.rows(user.pk, now):
        parts.setdefault(row.campaign_id, []).append(row)
    campaigns = {key: memberships[0].campaign for key, memberships in parts.items()}
    stages = {
        row.branch.campaign_id: public_stage(campaigns[row.branch.campaign_id], row, now)
        for row in STAGES.rows(user.pk, now)
        if row.branch.campaign_id in campaigns
    }
    own_factions = [
        part.faction_id
        for memberships in parts.values()
        for part in memberships
        if part.faction_id is not None
    ]
    answers = public_entries(
        Submission.objects.filter(
            stage__in=stages.values(), faction__in=own_factions, withdrawn_at__isnull=True
        ),
        now,
    )
    sealed = set(answers.values_list("stage_id", "faction_id"))
    mine = []
    for key, memberships in parts.items():
        faction = next((part.faction for part in memberships if part.role in FACTION_ROLES), None)
        stage = stages.get(key)
        is_sealed = stage is not None and faction is not None and (stage.pk, faction.pk) in sealed
        mine.append(
            OwnCampaign(
                memberships[0].campaign,
                tuple(part.role for part in memberships),
                faction,
                stage,
                is_sealed,
            )
        )
    return tuple(mine)


def scenarios_newest() -> list[Scenario]:
    """Return the newest version of each public scenario by slug, without documents."""
    newest = Window(Max("version"), partition_by=F("slug"))
    public = Scenario.objects.filter(private__isnull=True)
    return list(
        public.annotate(newest=newest).filter(version=F("newest")).order_by("slug").defer("body")
    )


@dataclass(frozen=True, slots=True)
class FactionBattle:
    """A battle that a faction has to fight itself.

    Attributes:
        id: The faction's outside id of the battle.
        state: open (waits for this faction), sealed, waiting (for others) or over.
        is_repeat: The sides' results differed, so the faction enters its result again.
        closes: When the phase closes.
    """

    id: str
    hex: str
    at_table: bool
    state: FactionBattleText
    turn: int = 0
    is_repeat: bool = False
    closes: datetime | None = None


@dataclass(frozen=True, slots=True)
class Situation:
    """A member's situation in a campaign.

    Attributes:
        stage: The stage that waits, as it is public.
        sealed: The member's side has sealed it.
        view: What a player knows, in a stage of decisions or battles.
        battles: The player's battles in such a stage.
        seals_empty: Sheets with nothing to decide are sealed for this player.
    """

    campaign: Campaign
    roles: Collection[str]
    stage: Stage | None
    sealed: bool
    view: View | None = None
    battles: tuple[FactionBattle, ...] = ()
    seals_empty: bool = False

    @property
    def plays(self) -> bool:
        """Return whether one of the roles belongs to a faction."""
        return any(role in self.roles for role in FACTION_ROLES)


@dataclass(frozen=True, slots=True)
class NextAction:
    """What a member has to do next.

    Attributes:
        due: The campaign waits for this member; otherwise the member waits.
        closes: Until when.
        decision_count: Systems in which the player's fleets have to decide.
        fights: The player has a battle this week.
        captains: The player's doctrine counts in one of them.
        quiet: The player's sheet is empty and will be sealed automatically.
        closing: After sealing: how the stage closes.
        is_alone: After sealing: no other faction has players.
        ready: After sealing: the side is ready to go on as soon as all sides are.
    """

    task: Task
    due: bool
    closes: datetime | None = None
    battle: FactionBattle | None = None
    decision_count: int = 0
    fights: bool = False
    captains: bool = False
    quiet: bool = False
    closing: ClosingRule | None = None
    is_alone: bool = False
    ready: bool = False


def next_action(situation: Situation) -> NextAction:
    """Return what a campaign wants of a member next."""
    campaign = situation.campaign
    stage = situation.stage
    if campaign.started_at is None:
        hosts = Role.HOST in situation.roles
        return NextAction("begin" if hosts else "unbegun", hosts)
    if stage is None:
        return NextAction("over", False)
    if stage.status != StageStatus.OPEN:
        return NextAction("resolving", False)
    closes = None if campaign.paused_at is not None else stage.closes
    if not situation.plays:
        return NextAction(_task_without_faction(situation.roles), False, closes)
    if stage.kind == StageKind.BATTLES and (action := _at_battles(situation, closes)) is not None:
        return action
    if stage.kind == StageKind.DECISIONS:
        decision_count = _decision_count(situation.view)
    else:
        decision_count = 0
    fights = stage.kind == StageKind.BATTLES and bool(_fighting(situation))
    if situation.sealed:
        return NextAction(
            "wait", False, closes, decision_count=decision_count, fights=fights, captains=fights
        )
    if (
        situation.seals_empty
        and stage.closes is not None
        and situation.view is not None
        and is_empty(stage.kind, situation.view)
    ):
        return NextAction("wait", False, closes, quiet=True)
    return NextAction(
        TASK_OF_STAGE[stage.kind],
        True,
        closes,
        decision_count=decision_count,
        fights=fights,
        captains=fights,
    )


def _task_without_faction(roles: Collection[str]) -> Task:
    if Role.UMPIRE in roles:
        return "umpire"
    if Role.HOST in roles:
        return "host"
    return "watch"


def is_empty(kind: str, view: View) -> bool:
    """Return whether a stage of this kind asks nothing of a faction, as far as it knows."""
    return (kind == StageKind.DECISIONS and not _decision_count(view)) or (
        kind == StageKind.BATTLES and not view.fighting
    )


def _at_battles(situation: Situation, closes: datetime | None) -> NextAction | None:
    """Return what a player's own battles want; None without any, or if a doctrine is wanted."""
    if not situation.battles:
        return None
    captains = bool(_fighting(situation) - {call.hex for call in situation.battles})
    for call in sorted(situation.battles, key=lambda item: (item.at_table, not item.is_repeat)):
        if call.state == FactionBattleState.OPEN:
            if call.closes is None or situation.campaign.paused_at is not None:
                until = closes
            else:
                until = call.closes
            return NextAction(
                "table" if call.at_table else "fight",
                True,
                until,
                call,
                fights=True,
                captains=captains,
            )
    if captains and not situation.sealed:
        return None
    unfinished = []
    for call in situation.battles:
        if call.state != FactionBattleState.OVER:
            unfinished.append(call)
    return NextAction(
        "wait",
        False,
        closes,
        (unfinished or list(situation.battles))[0],
        fights=True,
        captains=captains,
    )


def _fighting(situation: Situation) -> set[str]:
    """Return the hexes in which the player knows of own battles."""
    if situation.view is None:
        return set()
    return set(situation.view.fighting)


def _decision_count(view: View | None) -> int:
    if view is None:
        return 0
    return len({decision.hex for decision in view.open_decisions if decision.fixed is None})


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a campaign, and the stage that waits there.

    Attributes:
        sealed: The member's side has sealed it.
    """

    campaign: Campaign
    roles: Collection[str]
    faction: Faction | None
    stage: Stage | None
    sealed: bool


def next_action_of(part: Member) -> NextAction:
    """Return what a campaign wants of a member next."""
    return next_actions_of([part])[0]


def next_actions_of(parts: Sequence[Member]) -> tuple[NextAction, ...]:
    """Return what each campaign wants of its member next, in the same order."""
    return _closings_added(parts, _actions_of(parts))


def _closings_added(
    parts: Sequence[Member], actions: Sequence[NextAction]
) -> tuple[NextAction, ...]:
    """Add how their stages close to the actions of members who have sealed and wait."""
    waiting_at = set()
    for part, action in zip(parts, actions, strict=True):
        if part.stage is not None and part.faction is not None and _waits_for_stage(action):
            waiting_at.add((part.stage.pk, part.faction.pk))
    if not waiting_at:
        return tuple(actions)
    stage_closings = closings({stage for stage, _ in waiting_at})
    if any(item.rule == ClosingRule.READY for item in stage_closings.values()):
        ready = _ready(waiting_at)
    else:
        ready = set()
    result = []
    for part, action in zip(parts, actions, strict=True):
        place = None
        if part.stage is not None and part.faction is not None:
            place = (part.stage.pk, part.faction.pk)
        if place in waiting_at and place is not None:
            closing = stage_closings[place[0]]
            action = replace(
                action,
                closing=closing.rule,
                is_alone=closing.played <= 1,
                ready=place in ready,
            )
        result.append(action)
    return tuple(result)


def _waits_for_stage(action: NextAction) -> bool:
    return action.task == "wait" and action.battle is None and not action.quiet


def _ready(places: Collection[Place]) -> set[Place]:
    """Return the pairs of stage and faction in which the faction is ready to go on."""
    rows = Submission.objects.filter(
        stage__in={stage for stage, _ in places},
        faction__in={faction for _, faction in places},
        withdrawn_at__isnull=True,
        ready_at__isnull=False,
    )
    return set(rows.values_list("stage_id", "faction_id"))


def _actions_of(parts: Sequence[Member]) -> tuple[NextAction, ...]:
    """Return the next actions, without how the stages close."""
    memberships = [(part, part.stage, part.faction) for part in parts]
    view_keys = set()
    for _, stage, faction in memberships:
        if (
            stage is not None
            and faction is not None
            and stage.status == StageStatus.OPEN
            and stage.kind in (StageKind.DECISIONS, StageKind.BATTLES)
        ):
            view_keys.add((stage.from_snapshot_id, faction.pk))
    views = views_at(view_keys) if view_keys else {}
    weeks = {}
    for _, stage, faction in memberships:
        if (
            stage is not None
            and faction is not None
            and stage.status == StageStatus.OPEN
            and stage.kind == StageKind.BATTLES
        ):
            weeks[(stage.branch_id, faction.pk)] = stage.week
    calls = faction_battles_of(weeks) if weeks else {}
    actions = []
    for part, stage, faction in memberships:
        place = None if stage is None or faction is None else (stage.branch_id, faction.pk)
        view = (
            None
            if stage is None or faction is None
            else views.get((stage.from_snapshot_id, faction.pk))
        )
        battles = () if place is None else calls.get(place, ())
        actions.append(
            next_action(
                Situation(
                    part.campaign,
                    part.roles,
                    stage,
                    part.sealed,
                    view,
                    battles,
                    faction is not None and faction.seals_empty,
                )
            )
        )
    return tuple(actions)


class BattleStageRow(NamedTuple):
    """A stage of a battle that asked a faction for something.

    Attributes:
        answered: The faction has sealed in it.
    """

    answered: bool
    week: int
    kind: str
    status: str
    ordinal: int
    closes: datetime | None


def faction_battles_of(weeks: dict[Place, int]) -> dict[Place, tuple[FactionBattle, ...]]:
    """Return the battles that factions fight themselves in these weeks, by branch and faction.

    Withdrawn battles are not included.
    """
    now = timezone.now()
    if len(weeks) == 1:
        ((branch, faction),) = weeks
        rows = BATTLE_STAGES_OF_ONE.tuples(branch, faction, now)
    else:
        rows = list(
            _battle_stage_rows(
                {branch for branch, _ in weeks}, {faction for _, faction in weeks}, now
            )
        )
    newest: dict[Place, dict[str, BattleStageRow]] = {}
    for branch, faction, battle, *columns in rows:
        stage_row = BattleStageRow(*columns)
        if weeks.get((branch, faction)) == stage_row.week:
            newest.setdefault((branch, faction), {})[battle] = stage_row
    sheets = newest_sheets(weeks, now)
    result: dict[Place, tuple[FactionBattle, ...]] = {}
    for place, battles in newest.items():
        result[place] = _faction_battles(battles, sheets)
    return result


def _battle_stage_rows(
    branches: Collection[int], factions: Collection[int], now: datetime
) -> QuerySet[Draft, Any]:
    """Query the stages of battles that asked factions for something, latest last.

    Each row has branch, faction, the faction's id of the battle, and the columns of
    `BattleStageRow`.
    """
    live = Submission.objects.filter(
        stage=OuterRef("stage"), faction=OuterRef("faction"), withdrawn_at__isnull=True
    )
    return (
        Draft.objects.filter(
            faction__in=factions,
            stage__branch__in=branches,
            stage__battle__isnull=False,
            stage__opens__lte=now,
        )
        .exclude(stage__battle__mode=BattleMode.CAPTAINS.value)
        .order_by("stage__ordinal")
        .values_list(
            *("stage__branch_id", "faction_id", KT("payload__battle"), Exists(live)),
            *(f"stage__{name}" for name in ("week", "kind", "status", "ordinal", "closes")),
        )
    )


BATTLE_STAGES_OF_ONE = PreparedValues(
    lambda branch, faction, now: _battle_stage_rows((branch,), (faction,), now),
    parameters=(BigIntegerField(), BigIntegerField(), DateTimeField()),
    columns=(
        BigIntegerField(),
        BigIntegerField(),
        TextField(),
        BooleanField(),
        PositiveSmallIntegerField(),
        CharField(),
        CharField(),
        PositiveIntegerField(),
        DateTimeField(),
    ),
)


def _faction_battles(
    battles: dict[str, BattleStageRow], sheets: dict[str, NewestSheet]
) -> tuple[FactionBattle, ...]:
    result = []
    for id_, stage in battles.items():
        sheet = sheets.get(id_)
        if sheet is None:
            continue
        at_table = stage.kind == TABLE
        again = stage.kind == TABLE and stage.ordinal > 0
        asks = stage.status == StageStatus.OPEN and (at_table or stage.ordinal == sheet.number)
        state: FactionBattleText = FactionBattleState.WAITING
        if sheet.is_over or (at_table and stage.status != StageStatus.OPEN):
            state = FactionBattleState.OVER
        elif asks:
            if stage.answered:
                state = FactionBattleState.SEALED
            else:
                state = FactionBattleState.OPEN
        result.append(
            FactionBattle(
                id_, sheet.hex, at_table, state, sheet.turn, again, stage.closes if asks else None
            )
        )
    return tuple(sorted(result, key=lambda call: (call.hex, call.id)))
