"""Store the results of tries at the battle of the day, as their table shows them."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from campaign.kinds import StageKind
from campaign.models.campaign import Invite, Membership
from campaign.models.daily import DailyTry
from campaign.models.truth import Snapshot
from campaign.selectors.daily import COUNTS_FOR, day_of
from campaign.selectors.truth import world_of
from umpire.services.tournaments import last_state_of, points_by_faction


def daily_results_store(*, now: datetime) -> int:
    """Store the results of tries that are over, and return their number."""
    count = 0
    for row in list(_finished_tries(now)):
        _result_store(row, now)
        count += 1
    return count


def _finished_tries(now: datetime) -> QuerySet[DailyTry]:
    """Return the tries that are over and have no result, while their table is open.

    A battle to which the player has invited others does not count.
    """
    others = Membership.objects.filter(campaign=OuterRef("campaign")).exclude(user=OuterRef("user"))
    invites = Invite.objects.filter(campaign=OuterRef("campaign"))
    tries = DailyTry.objects.filter(
        ~Exists(others),
        ~Exists(invites),
        result__isnull=True,
        daily__day__gt=day_of(now - COUNTS_FOR),
        campaign__head_branch__head__stage=StageKind.OVER,
    )
    return tries.select_related("daily", "campaign__head_branch__head")


def _result_store(row: DailyTry, now: datetime) -> None:
    """Store who won, the difference of the points scored, and the turns."""
    branch = row.campaign.head_branch
    if branch is None or branch.head is None:
        raise ValueError("a battle that is over has a head")
    state = last_state_of(branch.pk)
    points = points_by_faction(state)
    own = points.pop(row.daily.side)
    row.result = _result_of(branch.head, row.daily.side)
    row.score = own - sum(points.values())
    row.turns = state.turn
    row.ended_at = now
    row.save(update_fields=["result", "score", "turns", "ended_at"])


def _result_of(head: Snapshot, side: str) -> int:
    """Return 1 if a side has won, 0 for a draw, and -1 if it has lost."""
    winner = world_of(head).winner
    if winner is None:
        return 0
    return 1 if winner == side else -1
