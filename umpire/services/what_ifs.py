"""Wars between computers from a week of a finished war: how often would each side have won?

They are simulations of the user who asks (`campaign.services.simulations`): workers play them in
memory while the user watches, and nothing is stored but their results. War n is always the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from campaign.errors import NotFound
from campaign.models.campaign import Campaign
from campaign.models.knowledge import View as ViewRow
from campaign.models.stage import Stage
from campaign.models.truth import Snapshot
from campaign.rules.codec import from_document
from campaign.rules.view import View
from campaign.selectors.families import may_be_public
from campaign.selectors.truth import world_of
from campaign.store.documents import true_scenario_of
from engine.core.phrase import phrase
from umpire.balance import Balance, WarEnd, balance_of
from umpire.rehearsal import play
from umpire.services.fork_starts import fork_weeks

WARS = 100


def what_if_question(campaign: Campaign, week: int) -> dict[str, Any]:
    """Return the question who wins from the orders of a week on.

    Raises:
        NotFound: The story of the war is not public, or it has no such week.
    """
    if may_be_public(campaign=campaign):
        for stage in fork_weeks(campaign):
            if stage.week == week:
                return _question(stage)
    raise NotFound(phrase("there is no such week"))


def what_if_balance(campaign: Campaign, samples: Sequence[Sequence[Any]]) -> Balance:
    """Return how often each side has won so far.

    Args:
        samples: Result, winner and weeks of each war.
    """
    ends = [WarEnd(result, winner, weeks) for result, winner, weeks in samples]
    return balance_of(true_scenario_of(campaign), ends)


def wars_of_question(question: Mapping[str, Any]) -> Callable[[int], list[Any]]:
    """Return the function that plays the war of a number, for the worker.

    Raises:
        NotFound: The story is no longer public, because somebody has forked the war since.
    """
    snapshot = Snapshot.objects.select_related("branch__campaign__scenario").get(
        pk=question["snapshot"]
    )
    campaign = snapshot.branch.campaign
    if not may_be_public(campaign=campaign):
        raise NotFound(phrase("there is no such week"))
    scenario = true_scenario_of(campaign)
    world = world_of(snapshot)
    rows = ViewRow.objects.filter(snapshot=snapshot).select_related("faction")
    views = {row.faction.key: from_document(View, row.body) for row in rows}
    admirals = dict(campaign.factions.values_list("key", "admiral"))

    def war(number: int) -> list[Any]:
        end = WarEnd.of(play(scenario, admirals, number, world=world, views=views))
        return [end.result, end.winner, end.weeks]

    return war


def _question(stage: Stage) -> dict[str, Any]:
    """Return the question as it is stored."""
    return {"snapshot": stage.from_snapshot_id}
