"""Plans of further weeks: what a faction means to do after this one, kept beside its draft and read by nobody else.

plans_save   keeps the plans of all fleets, instead of those there were
plans_of     those of a faction, by fleet, as they were written
plans_now    what is left of them now, and the moves by which they go on this week
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import BigIntegerField

from campaign.models.campaign import Faction
from campaign.models.plan import Plan
from campaign.models.stage import Stage
from campaign.rules.arrivals import next_leg, reached
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.store.prepared import Prepared

Goals = dict[str, tuple[str, ...]]
MOST_GOALS = 12  # hexes of one plan

PLANS = Prepared(
    lambda branch, faction: (
        Plan.objects.filter(branch_id=branch, faction_id=faction)
        .order_by("fleet")
        .values_list("fleet", "goals", "week")
    ),
    BigIntegerField(),
    BigIntegerField(),
)


@dataclass(frozen=True, slots=True)
class PlansNow:
    """The plans of a faction in a week. `goals`: where each fleet goes after its move; `moves`: those that the plans
    of an earlier week propose, by fleet.
    """

    goals: Goals
    moves: dict[str, str]


def plans_save(*, stage: Stage, faction: Faction, goals: Mapping[str, tuple[str, ...]]) -> None:
    """Keep the plans of a faction instead of those there were; a fleet without a goal has none."""
    rows = [
        Plan(branch_id=stage.branch_id, faction=faction, fleet=fleet, goals=" ".join(labels), week=stage.week)
        for fleet, labels in goals.items()
        if labels
    ]
    with transaction.atomic():
        Plan.objects.filter(branch_id=stage.branch_id, faction=faction).delete()
        Plan.objects.bulk_create(rows)


def plans_of(*, stage: Stage, faction: Faction) -> dict[str, tuple[tuple[str, ...], int]]:
    """The plans of a faction by fleet, as they were written: hexes, and the week."""
    rows: list[tuple[Any, ...]] = PLANS.tuples(stage.branch_id, faction.pk)
    return {fleet: (tuple(goals.split()), week) for fleet, goals, week in rows}


def plans_now(
    scenario: Scenario,
    view: View,
    written: Mapping[str, tuple[tuple[str, ...], int]],
    ends: Mapping[str, str] | None = None,
) -> PlansNow:
    """What is left of plans. One of this week is as it is. One of an earlier week goes on from where its fleet is now,
    wherever it was meant to be. A fleet that is lost takes its plan with it, and one that cannot go now keeps it.

    `ends`: where the moves of a draft lead its fleets; without a draft moves are proposed.
    """
    here = {fleet.key: fleet.hex for fleet in (*view.fleets, *view.dummies)}
    found: Goals = {}
    moves: dict[str, str] = {}
    for fleet, (goals, week) in written.items():
        if week == view.week:
            found[fleet] = goals
            continue
        if fleet not in here:
            continue
        if ends is not None:
            left = reached(reached(goals, here[fleet]), ends.get(fleet, ""))
        else:
            move, left = next_leg(scenario, view, fleet, goals)
            moves |= {fleet: move} if move else {}
        if left:
            found[fleet] = left
    return PlansNow(found, moves)
