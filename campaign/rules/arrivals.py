"""When a fleet gets where, week by week, and where each week of the way ends. Pure.

A week's move is so many steps; a leg that does not fit into what is left of them waits for the next
week. By the public map alone, of which a faction may plan; whether a fleet may leave is
`campaign.rules.starmap.reachable_hexes`.
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
    """From one hex: the week in which a fleet comes to each hex (1: this one), and where its week
    before ends.
    """

    start: str
    weeks: Mapping[str, int]
    halts: Mapping[str, str]

    def weekly_hexes(self, goal: str) -> tuple[str, ...]:
        """Where the weeks to a goal end, the goal last; nothing where no way leads there, or it is
        there already.
        """
        hexes = []
        here = goal
        while here != self.start and here in self.weeks:
            hexes.append(here)
            here = self.halts[here]
        return tuple(reversed(hexes))


@lru_cache(maxsize=1024)
def find_arrivals(chart: StarMap, start: str, per_week: int) -> Arrivals:
    """The arrivals from a hex on a map, for `per_week` steps a week; the earliest, and of those
    with most steps left.

    Rules: 2E "The campaign map" [camp.ftl-move]
    """
    weeks, halts, far = {start: 1}, {start: start}, {start: 0}
    queue = [(0, start)]
    while queue:
        steps, here = heappop(queue)
        if far[here] != steps:
            continue  # another way there was shorter
        rest = -steps % per_week  # steps that are left of the week in which it comes here
        for there, edge in sorted(chart.graph[here].items()):
            cost = int(edge["steps"])
            waits = cost > rest
            after = steps + cost + (rest if waits else 0)
            if cost > per_week or after >= far.get(there, after + 1):
                continue
            far[there] = after
            weeks[there] = max(1, -(-after // per_week))
            halts[there] = here if waits and steps else halts[here]
            heappush(queue, (after, there))
    return Arrivals(start, weeks, halts)


def weekly_route(chart: StarMap, start: str, goal: str, per_week: int) -> tuple[str, ...]:
    """Where the weeks from a hex to a goal end, the goal last; nothing where it is there, or no way
    leads there.

    Where nothing closes or shortens the way it is the route of the rules, cut after each week's
    hexes.
    """
    if not (chart.has(start) and chart.has(goal)):
        return ()
    if chart.irregular_hexes:
        return find_arrivals(chart, start, per_week).weekly_hexes(goal)
    route = chart.route(start, goal) or ()
    ends = route[per_week - 1 :: per_week]
    return ends if not route or ends[-1:] == route[-1:] else (*ends, goal)


def next_leg(
    scenario: Scenario, view: View, fleet: str, goals: tuple[str, ...]
) -> tuple[str, tuple[str, ...]]:
    """Of a fleet that plans to go to some hexes one after the other: where this week ends, and what
    is left of the plan after that. No hex where it cannot go on now: the plan stays as it is.
    """
    here = next((item.hex for item in (*view.fleets, *view.dummies) if item.key == fleet), "")
    goals = remaining_goals(goals, here)
    if not here or not goals:
        return "", goals
    may = {label for label, _ in reachable_hexes(scenario, view, fleet)}
    way = weekly_route(chart_for(scenario, view, fleet), here, goals[0], scenario.hexes_per_week)
    if not way or way[0] not in may:
        return "", goals
    return way[0], remaining_goals(goals, way[0])


def remaining_goals(goals: tuple[str, ...], here: str) -> tuple[str, ...]:
    """What is left of a plan for who is in this hex."""
    while goals and goals[0] == here:
        goals = goals[1:]
    return goals


@lru_cache(maxsize=1024)
def weeks_text(chart: StarMap, start: str, per_week: int) -> tuple[str, str]:
    """The arrivals from a hex as two texts, of all hexes in the order of labels: the week, a digit
    of base 36 (`.`: no way leads there; z: then or later); and the label of the hex where the week
    before ends.
    """
    result, every = find_arrivals(chart, start, per_week), labels(chart.columns, chart.rows)
    weeks = "".join(
        DIGITS[min(result.weeks[label], 35)] if label in result.weeks else UNREACHABLE
        for label in every
    )
    return weeks, "".join(result.halts.get(label, label) for label in every)
