"""Plans of further weeks: what is left of them, and the moves by which they go on. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from campaign.rules.arrivals import next_leg, remaining_goals
from campaign.rules.scenario import Scenario
from campaign.rules.view import View

Goals = dict[str, tuple[str, ...]]


MOST_GOALS = 12  # hexes of one plan


@dataclass(frozen=True, slots=True)
class CurrentPlans:
    """The plans of a faction in a week.

    `goals`: where each fleet goes after its move; `moves`: those that the plans of an earlier week
    propose, by fleet.
    """

    goals: Goals
    moves: dict[str, str]


def current_plans(
    scenario: Scenario,
    view: View,
    stored_plans: Mapping[str, tuple[tuple[str, ...], int]],
    ends: Mapping[str, str] | None = None,
) -> CurrentPlans:
    """What is left of plans.

    One of this week is as it is. One of an earlier week goes on from where its fleet is now,
    wherever it was meant to be. A fleet that is lost takes its plan with it, and one that cannot go
    now keeps it.

    `ends`: where the moves of a draft lead its fleets; without a draft moves are proposed.
    """
    here = {fleet.key: fleet.hex for fleet in (*view.fleets, *view.dummies)}
    remaining: Goals = {}
    moves: dict[str, str] = {}
    for fleet, (goals, week) in stored_plans.items():
        if week == view.week:
            remaining[fleet] = goals
            continue
        if fleet not in here:
            continue
        if ends is not None:
            goals_left = remaining_goals(remaining_goals(goals, here[fleet]), ends.get(fleet, ""))
        else:
            move, goals_left = next_leg(scenario, view, fleet, goals)
            moves |= {fleet: move} if move else {}
        if goals_left:
            remaining[fleet] = goals_left
    return CurrentPlans(remaining, moves)
