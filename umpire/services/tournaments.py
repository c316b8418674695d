"""Advance tournaments: store the results of ended battles, and end battles whose round is closed.

Both are found by queries at every tick, so that nothing is lost if a process stops in between.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from campaign.kinds import BattleStatus, Role, StageKind, StageStatus
from campaign.lineage import played_on_line
from campaign.models.battle import Battle
from campaign.models.campaign import Campaign, Membership
from campaign.models.stage import Stage
from campaign.models.tournament import Tournament, TournamentMatch, TournamentPlayer
from campaign.selectors.due import STAGE_RESOLVE
from campaign.selectors.truth import world_of
from campaign.services.tournament_results import (
    MatchResult,
    lock_tournament,
    match_result_write,
)
from engine.battle import battle_from
from engine.core.state import BattleState
from engine.core.victory import scores
from umpire import tasks
from umpire.services.stages import stage_close


def tournaments_advance(*, now: datetime) -> None:
    """Store the results of ended battles, and close the stages of battles that have to end."""
    results_store(now=now)
    battles_end(now=now)


def results_store(*, now: datetime) -> int:
    """Store the results of battles that are over, and return their number."""
    over = _open_matches().filter(campaign__head_branch__head__stage=StageKind.OVER)
    count = 0
    for pk, tournament in list(over.values_list("pk", "round__tournament_id")):
        with transaction.atomic():
            locked = lock_tournament(Tournament(pk=tournament))
            rows = over.select_related("round", "first", "second", "campaign__head_branch__head")
            match = rows.filter(pk=pk).first()
            if match is not None:
                match.round.tournament = locked
                match_result_write(match=match, result=_result_of(match), now=now)
                count += 1
    return count


def _open_matches() -> QuerySet[TournamentMatch]:
    """Return the pairs whose battle has no result."""
    return TournamentMatch.objects.filter(ended_at__isnull=True, campaign__isnull=False)


def _result_of(match: TournamentMatch) -> MatchResult:
    """Return the result of a battle that is over: the winner, and the points by its last state."""
    campaign = match.campaign
    if campaign is None or match.second is None:
        raise ValueError("only pairs with a battle have a result")
    branch = campaign.head_branch
    if branch is None or branch.head is None:
        raise ValueError("a battle that is over has a head")
    winner_key = world_of(branch.head).winner
    winner: TournamentPlayer | None = None
    if winner_key is not None:
        winner = match.first if winner_key == match.first_faction else match.second
    points = points_by_faction(last_state_of(branch.pk))
    first_points = points.pop(match.first_faction, 0)
    return MatchResult(winner, (first_points, sum(points.values())))


def last_state_of(branch: int) -> BattleState:
    """Return the last state of the battle of a branch, which is over."""
    battles = Battle.objects.filter(status=BattleStatus.FOUGHT)
    battle = played_on_line(battles, branch, "seq").get()
    if battle.state is None:
        raise ValueError("a battle that was fought has a state")
    return battle_from(battle.state).state


def points_by_faction(state: BattleState) -> dict[str, int]:
    """Return the points that each faction has scored in a battle."""
    return dict(zip(state.sides, scores(state), strict=True))


def battles_end(*, now: datetime) -> int:
    """Close the stages of battles whose round is closed, or which have no players left.

    Captains fight such a battle to its end.

    Returns:
        How many stages were closed.
    """
    has_players = Membership.objects.filter(campaign=OuterRef("campaign"), role=Role.PLAYER)
    ending = _open_matches().filter(Q(round__closes__lte=now) | ~Exists(has_players))
    branches = Campaign.objects.filter(
        tournament_match__in=ending, head_branch__isnull=False
    ).values("head_branch")
    stages = Stage.objects.filter(branch__in=branches, battle__isnull=True, opens__lte=now).exclude(
        status=StageStatus.RESOLVED
    )
    stage_ids = list(stages.order_by("pk").values_list("pk", flat=True))
    for pk in stage_ids:
        stage_close(stage=pk, force=True, now=now)
    tasks.stages_enqueue(STAGE_RESOLVE, stage_ids)
    return len(stage_ids)
