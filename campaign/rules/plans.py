"""Plans of further weeks: what is left of them, and the moves by which they go on. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from campaign.rules.arrivals import next_leg, reached
from campaign.rules.scenario import Scenario
from campaign.rules.view import View

Goals = dict[str, tuple[str, ...]]


MOST_GOALS = 12  # hexes of one plan


@dataclass(frozen=True, slots=True)
class PlansNow:
    """The plans of a faction in a week.

    `goals`: where each fleet goes after its move; `moves`: those that the plans of an earlier week
    propose, by fleet.
    """

    goals: Goals
    moves: dict[str, str]


def plans_now(
    scenario: Scenario,
    view: View,
    written: Mapping[str, tuple[tuple[str, ...], int]],
    ends: Mapping[str, str] | None = None,
) -> PlansNow:
    """What is left of plans.

    One of this week is as it is. One of an earlier week goes on from where its fleet is now,
    wherever it was meant to be. A fleet that is lost takes its plan with it, and one that cannot go
    now keeps it.

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
