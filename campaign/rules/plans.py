"""Plans for further weeks: what is left of them, and the moves they propose. All pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from campaign.rules.arrivals import next_leg, remaining_goals
from campaign.rules.scenario import Scenario
from campaign.rules.view import View

Goals = dict[str, tuple[str, ...]]  # hexes in order, by fleet

MAX_GOALS = 12  # hexes of one plan


@dataclass(frozen=True, slots=True)
class CurrentPlans:
    """The plans of a faction in a week.

    Attributes:
        goals: Where each fleet is to go after its move.
        moves: The moves that plans of an earlier week propose, by fleet.
    """

    goals: Goals
    moves: dict[str, str]


def current_plans(
    scenario: Scenario,
    view: View,
    stored_plans: Mapping[str, tuple[tuple[str, ...], int]],
    ends: Mapping[str, str] | None = None,
) -> CurrentPlans:
    """Return what is left of plans.

    A plan of this week is unchanged. A plan of an earlier week continues from the fleet's present
    hex, whatever hex was planned. The plan of a lost fleet ends; a fleet that cannot move now keeps
    its plan.

    Args:
        stored_plans: The goals and the week of each fleet's plan.
        ends: The destinations of a draft's moves, by fleet. Without a draft moves are proposed.
    """
    hex_of = {fleet.key: fleet.hex for fleet in (*view.fleets, *view.dummies)}
    remaining: Goals = {}
    moves: dict[str, str] = {}
    for fleet, (goals, week) in stored_plans.items():
        if week == view.week:
            remaining[fleet] = goals
            continue
        if fleet not in hex_of:
            continue
        if ends is not None:
            goals_now = remaining_goals(goals, hex_of[fleet])
            goals_left = remaining_goals(goals_now, ends.get(fleet, ""))
        else:
            move, goals_left = next_leg(scenario, view, fleet, goals)
            if move:
                moves[fleet] = move
        if goals_left:
            remaining[fleet] = goals_left
    return CurrentPlans(remaining, moves)
