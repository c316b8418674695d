"""In which week a fleet can reach each hex, and where each week of the way ends.

A week's move is a number of steps; a leg that does not fit into the rest of a week waits for the
next. All functions are pure and use the public map alone, so that a faction can plan with them;
`campaign.rules.starmap.reachable_hexes` says whether a fleet may leave.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush

from campaign.rules.hexes import labels
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import StarMap, chart_for, reachable_hexes
from campaign.rules.view import View

UNREACHABLE = "."
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Arrivals:
    """The weeks in which a fleet from one hex reaches all others.

    Attributes:
        weeks: The week of arrival in each hex; 1 is the present one.
        halts: For each hex, the hex where the week before the arrival ends.
    """

    start: str
    weeks: Mapping[str, int]
    halts: Mapping[str, str]

    def weekly_hexes(self, goal: str) -> tuple[str, ...]:
        """Return the hexes where the weeks to a goal end, the goal last.

        Empty if no way leads there, or if the fleet is there already.
        """
        hexes = []
        here = goal
        while here != self.start and here in self.weeks:
            hexes.append(here)
            here = self.halts[here]
        return tuple(reversed(hexes))


@lru_cache(maxsize=1024)
def find_arrivals(chart: StarMap, start: str, per_week: int) -> Arrivals:
    """Find the earliest arrivals from a hex, and of those the ones with most steps left.

    Args:
        per_week: Steps of a week's move.

    Rules: 2E "The campaign map" [camp.ftl-move]
    """
    weeks = {start: 1}
    halts = {start: start}
    steps_to = {start: 0}  # with the steps lost by waiting for the next week
    queue = [(0, start)]
    while queue:
        steps, here = heappop(queue)
        if steps_to[here] != steps:
            continue  # a shorter way was found
        steps_left = -steps % per_week  # in the week of the arrival here
        for there, edge in sorted(chart.graph[here].items()):
            cost = int(edge["steps"])
            waits = cost > steps_left
            steps_there = steps + cost + (steps_left if waits else 0)
            is_shorter = there not in steps_to or steps_there < steps_to[there]
            if cost > per_week or not is_shorter:
                continue
            steps_to[there] = steps_there
            weeks[there] = max(1, -(-steps_there // per_week))
            halts[there] = here if waits and steps else halts[here]
            heappush(queue, (steps_there, there))
    return Arrivals(start, weeks, halts)


def weekly_route(chart: StarMap, start: str, goal: str, per_week: int) -> tuple[str, ...]:
    """Return the hexes where the weeks from a hex to a goal end, the goal last.

    On a map without irregular hexes this is the route of the rules, cut into weeks. Empty if no way
    leads there, or if the start is the goal.
    """
    if not (chart.has(start) and chart.has(goal)):
        return ()
    if chart.irregular_hexes:
        return find_arrivals(chart, start, per_week).weekly_hexes(goal)
    route = chart.route(start, goal) or ()
    ends = route[per_week - 1 :: per_week]
    if not route or ends[-1:] == route[-1:]:
        return ends
    return (*ends, goal)


def next_leg(
    scenario: Scenario, view: View, fleet: str, goals: tuple[str, ...]
) -> tuple[str, tuple[str, ...]]:
    """Return where a fleet's planned way ends this week, and the plan that remains after that.

    Returns:
        "" and the unchanged plan if the fleet cannot continue now.
    """
    here = next((item.hex for item in (*view.fleets, *view.dummies) if item.key == fleet), "")
    goals = remaining_goals(goals, here)
    if not here or not goals:
        return "", goals
    chart = chart_for(scenario, view, fleet)
    route = weekly_route(chart, here, goals[0], scenario.hexes_per_week)
    reachable = {label for label, _ in reachable_hexes(scenario, view, fleet)}
    if not route or route[0] not in reachable:
        return "", goals
    return route[0], remaining_goals(goals, route[0])


def remaining_goals(goals: tuple[str, ...], here: str) -> tuple[str, ...]:
    """Return what is left of a plan for a fleet in this hex."""
    while goals and goals[0] == here:
        goals = goals[1:]
    return goals


@lru_cache(maxsize=1024)
def weeks_text(chart: StarMap, start: str, per_week: int) -> tuple[str, str]:
    """Return the arrivals from a hex as two texts over all hexes in the order of labels.

    Returns:
        The weeks, a base 36 digit each (`.`: unreachable; z: week 35 or later), and the labels of
        the hexes where the week before ends.
    """
    result = find_arrivals(chart, start, per_week)
    weeks = []
    halts = []
    for label in labels(chart.columns, chart.rows):
        week = result.weeks.get(label)
        weeks.append(UNREACHABLE if week is None else DIGITS[min(week, 35)])
        halts.append(result.halts.get(label, label))
    return "".join(weeks), "".join(halts)
