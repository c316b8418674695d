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

from collections.abc import Collection, Mapping, Sequence
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

# A user's memberships, and the stages that wait in those campaigns
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
StagePlace = tuple[int, int]  # primary keys of stage and faction


@dataclass(frozen=True, slots=True)
class OwnCampaign:
    """A campaign of a user.

    Attributes:
        stage: The stage that waits; None before and after the war.
        sealed: The user's side has sealed it.
        is_put_away: The user's list shows it folded away once it is over.
    """

    campaign: Campaign
    roles: tuple[str, ...]
    faction: Faction | None
    stage: Stage | None
    sealed: bool
    is_put_away: bool = False

    @property
    def is_over(self) -> bool:
        """Return whether the war has begun and no stage waits."""
        return self.campaign.started_at is not None and self.stage is None


def campaigns_of(user: AbstractBaseUser) -> tuple[OwnCampaign, ...]:
    """Return the campaigns in which the user has a seat, newest first, with three queries."""
    now = timezone.now()
    memberships: dict[int, list[Membership]] = {}  # by campaign
    own_factions = []
    for row in PARTS.rows(user.pk, now):
        memberships.setdefault(row.campaign_id, []).append(row)
        if row.faction_id is not None:
            own_factions.append(row.faction_id)
    stages = {}
    for stage_row in STAGES.rows(user.pk, now):
        key = stage_row.branch.campaign_id
        if key in memberships:
            stages[key] = public_stage(memberships[key][0].campaign, stage_row, now)
    sealed = _sealed_places(stages.values(), own_factions, now)
    own_campaigns = []
    for key, parts in memberships.items():
        faction = next((part.faction for part in parts if part.role in FACTION_ROLES), None)
        stage = stages.get(key)
        own_campaign = OwnCampaign(
            campaign=parts[0].campaign,
            roles=tuple(part.role for part in parts),
            faction=faction,
            stage=stage,
            sealed=_place_of(stage, faction) in sealed,
            is_put_away=any(part.put_away_at is not None for part in parts),
        )
        own_campaigns.append(own_campaign)
    return tuple(own_campaigns)


def _sealed_places(
    stages: Collection[Stage], factions: Collection[int], now: datetime
) -> set[StagePlace | None]:
    """Return the pairs of stage and faction that are publicly sealed."""
    submissions = Submission.objects.filter(
        stage__in=stages, faction__in=factions, withdrawn_at__isnull=True
    )
    return set(public_entries(submissions, now).values_list("stage_id", "faction_id"))


def _place_of(stage: Stage | None, faction: Faction | None) -> StagePlace | None:
    """Return the primary keys of a stage and a faction, or None without either."""
    if stage is None or faction is None:
        return None
    return stage.pk, faction.pk


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
        return NextAction("begin" if hosts else "unbegun", due=hosts)
    if stage is None:
        return NextAction("over", due=False)
    if stage.status != StageStatus.OPEN:
        return NextAction("resolving", due=False)
    closes = None if campaign.paused_at is not None else stage.closes
    if not situation.plays:
        return NextAction(_task_without_faction(situation.roles), due=False, closes=closes)
    if stage.kind == StageKind.BATTLES:
        battle_action = _battle_action(situation, closes)
        if battle_action is not None:
            return battle_action
    return _document_action(situation, stage, closes)


def _document_action(situation: Situation, stage: Stage, closes: datetime | None) -> NextAction:
    """Return whether a player has to seal the stage's document, or waits."""
    if not situation.sealed and _will_be_sealed_automatically(situation, stage):
        return NextAction("wait", due=False, closes=closes, quiet=True)
    decision_count = 0
    if stage.kind == StageKind.DECISIONS:
        decision_count = _decision_count(situation.view)
    fights = stage.kind == StageKind.BATTLES and bool(_fighting(situation))
    return NextAction(
        "wait" if situation.sealed else TASK_OF_STAGE[stage.kind],
        due=not situation.sealed,
        closes=closes,
        decision_count=decision_count,
        fights=fights,
        captains=fights,
    )


def _will_be_sealed_automatically(situation: Situation, stage: Stage) -> bool:
    """Return whether the player has nothing to decide and chose to have such sheets sealed."""
    if not situation.seals_empty or stage.closes is None or situation.view is None:
        return False
    return is_empty(stage.kind, situation.view)


def _task_without_faction(roles: Collection[str]) -> Task:
    """Return the task of a member who does not play: to look at their own page."""
    if Role.UMPIRE in roles:
        return "umpire"
    if Role.HOST in roles:
        return "host"
    return "watch"


def is_empty(kind: str, view: View) -> bool:
    """Return whether a stage of this kind asks nothing of a faction, as far as it knows."""
    if kind == StageKind.DECISIONS:
        return not _decision_count(view)
    return kind == StageKind.BATTLES and not view.fighting


def _battle_action(situation: Situation, closes: datetime | None) -> NextAction | None:
    """Return what a player's own battles want; None without any, or if a doctrine is wanted.

    Args:
        closes: When the stage closes, unless the clock is paused.
    """
    if not situation.battles:
        return None
    hexes_of_own_battles = {battle.hex for battle in situation.battles}
    has_captains = bool(_fighting(situation) - hexes_of_own_battles)
    battle = _most_urgent_battle(situation.battles)
    if battle is not None:
        if battle.closes is not None and situation.campaign.paused_at is None:
            closes = battle.closes
        return NextAction(
            "table" if battle.at_table else "fight",
            due=True,
            closes=closes,
            battle=battle,
            fights=True,
            captains=has_captains,
        )
    if has_captains and not situation.sealed:
        return None
    return NextAction(
        "wait",
        due=False,
        closes=closes,
        battle=_unfinished_battle(situation.battles) or situation.battles[0],
        fights=True,
        captains=has_captains,
    )


def _most_urgent_battle(battles: Sequence[FactionBattle]) -> FactionBattle | None:
    """Return the battle that waits for the faction: online ones first, then repeated results."""
    open_battles = [battle for battle in battles if battle.state == FactionBattleState.OPEN]
    open_battles.sort(key=lambda battle: (battle.at_table, not battle.is_repeat))
    return open_battles[0] if open_battles else None


def _unfinished_battle(battles: Sequence[FactionBattle]) -> FactionBattle | None:
    """Return the first battle that is not over."""
    return next((battle for battle in battles if battle.state != FactionBattleState.OVER), None)


def _fighting(situation: Situation) -> set[str]:
    """Return the hexes in which the player knows of own battles."""
    if situation.view is None:
        return set()
    return set(situation.view.fighting)


def _decision_count(view: View | None) -> int:
    """Return in how many systems the player's fleets have to decide."""
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
    waiting_places = set()
    for part, action in zip(parts, actions, strict=True):
        place = _place_of(part.stage, part.faction)
        if place is not None and _waits_for_stage(action):
            waiting_places.add(place)
    if not waiting_places:
        return tuple(actions)
    stage_closings = closings({stage for stage, _ in waiting_places})
    ready_places: set[StagePlace] = set()
    if any(closing.rule == ClosingRule.READY for closing in stage_closings.values()):
        ready_places = _ready_places(waiting_places)
    result = []
    for part, action in zip(parts, actions, strict=True):
        place = _place_of(part.stage, part.faction)
        if place is None or place not in waiting_places:
            result.append(action)
            continue
        closing = stage_closings[place[0]]
        action_with_closing = replace(
            action,
            closing=closing.rule,
            is_alone=closing.played_factions <= 1,
            ready=place in ready_places,
        )
        result.append(action_with_closing)
    return tuple(result)


def _waits_for_stage(action: NextAction) -> bool:
    """Return whether the member has sealed and waits only for the stage to close."""
    return action.task == "wait" and action.battle is None and not action.quiet


def _ready_places(places: Collection[StagePlace]) -> set[StagePlace]:
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
    view_keys = set()
    week_of_battles: dict[Place, int] = {}
    for part in parts:
        stage, faction = part.stage, part.faction
        if stage is None or faction is None or stage.status != StageStatus.OPEN:
            continue
        if stage.kind in (StageKind.DECISIONS, StageKind.BATTLES):
            view_keys.add((stage.from_snapshot_id, faction.pk))
        if stage.kind == StageKind.BATTLES:
            week_of_battles[(stage.branch_id, faction.pk)] = stage.week
    views = views_at(view_keys) if view_keys else {}
    battles = faction_battles_of(week_of_battles) if week_of_battles else {}
    return tuple(next_action(_situation_of(part, views, battles)) for part in parts)


def _situation_of(
    part: Member,
    views: Mapping[tuple[int, int], View],
    battles: Mapping[Place, tuple[FactionBattle, ...]],
) -> Situation:
    """Return a member's situation.

    Args:
        views: By primary keys of snapshot and faction.
    """
    stage, faction = part.stage, part.faction
    situation = Situation(campaign=part.campaign, roles=part.roles, stage=stage, sealed=part.sealed)
    if faction is None:
        return situation
    situation = replace(situation, seals_empty=faction.seals_empty)
    if stage is None:
        return situation
    return replace(
        situation,
        view=views.get((stage.from_snapshot_id, faction.pk)),
        battles=battles.get((stage.branch_id, faction.pk), ()),
    )


class BattleStageRow(NamedTuple):
    """A stage of a battle that asked a faction for something.

    Attributes:
        has_sealed: The faction has sealed in it.
    """

    has_sealed: bool
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
        branches = {branch for branch, _ in weeks}
        factions = {faction for _, faction in weeks}
        rows = list(_battle_stage_rows(branches, factions, now))
    newest: dict[Place, dict[str, BattleStageRow]] = {}
    for branch, faction, battle, *columns in rows:
        stage_row = BattleStageRow(*columns)
        if weeks.get((branch, faction)) == stage_row.week:
            newest.setdefault((branch, faction), {})[battle] = stage_row
    sheets = newest_sheets(weeks, now)
    battles_by_place: dict[Place, list[FactionBattle]] = {}
    for place, stage_rows in newest.items():
        battles_by_place[place] = _faction_battles(stage_rows, sheets)
    asked_ids = {id_ for stage_rows in newest.values() for id_ in stage_rows}
    for place, battle in _battles_not_asked(weeks, sheets, asked_ids):
        battles_by_place.setdefault(place, []).append(battle)
    result = {}
    for place, battles in battles_by_place.items():
        result[place] = tuple(sorted(battles, key=lambda battle: (battle.hex, battle.id)))
    return result


def _battles_not_asked(
    weeks: Mapping[Place, int], sheets: Mapping[str, NewestSheet], asked_ids: Collection[str]
) -> list[tuple[Place, FactionBattle]]:
    """Return the online battles whose phases have not yet asked a faction for anything.

    So a side waits while the other places its ships first. Only then is there a query.
    """
    rest = {id_: sheet for id_, sheet in sheets.items() if id_ not in asked_ids}
    if not rest:
        return []
    online_hexes: set[tuple[int, str]] = set()
    stages = Stage.objects.filter(
        branch__in={sheet.place[0] for sheet in rest.values()},
        week__in={weeks[sheet.place] for sheet in rest.values()},
        battle__mode=BattleMode.ONLINE.value,
    )
    for branch, key in stages.values_list("branch_id", "battle__key").distinct():
        online_hexes.add((branch, key.partition("/")[0]))
    battles = []
    for id_, sheet in rest.items():
        if (sheet.place[0], sheet.hex) in online_hexes:
            state = FactionBattleState.OVER if sheet.is_over else FactionBattleState.WAITING
            battle = FactionBattle(
                id=id_, hex=sheet.hex, at_table=False, state=state, turn=sheet.turn
            )
            battles.append((sheet.place, battle))
    return battles


def _battle_stage_rows(
    branches: Collection[int], factions: Collection[int], now: datetime
) -> QuerySet[Draft, Any]:
    """Query the stages of battles that asked factions for something, latest last.

    Each row has branch, faction, the faction's id of the battle, and the columns of
    `BattleStageRow`.
    """
    seals = Submission.objects.filter(
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
            *("stage__branch_id", "faction_id", KT("payload__battle"), Exists(seals)),
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
) -> list[FactionBattle]:
    """Return the battles that have asked a faction for something.

    Args:
        battles: The newest stage of each battle.
        sheets: The newest sheet that the faction received of each battle.
    """
    result = []
    for id_, stage in battles.items():
        sheet = sheets.get(id_)
        if sheet is not None:
            result.append(_faction_battle(id_, stage, sheet))
    return result


def _faction_battle(id_: str, stage: BattleStageRow, sheet: NewestSheet) -> FactionBattle:
    """Return a battle with what its newest stage asks of the faction."""
    at_table = stage.kind == TABLE
    is_open = stage.status == StageStatus.OPEN
    asks_faction = is_open and (at_table or stage.ordinal == sheet.number)
    state: FactionBattleText = FactionBattleState.WAITING
    if sheet.is_over or (at_table and not is_open):
        state = FactionBattleState.OVER
    elif asks_faction and stage.has_sealed:
        state = FactionBattleState.SEALED
    elif asks_faction:
        state = FactionBattleState.OPEN
    return FactionBattle(
        id=id_,
        hex=sheet.hex,
        at_table=at_table,
        state=state,
        turn=sheet.turn,
        is_repeat=at_table and stage.ordinal > 0,
        closes=stage.closes if asks_faction else None,
    )
