"""Plans of further weeks in the orders form: parsed from fields, and as words and data.

A plan's field names systems or hexes one after the other: "Hudson, then 1705". Faults have the path
`plans.<fleet>`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from campaign.forms.week.order_parts import items
from campaign.forms.week.week_fields import PLAN
from campaign.orders.move import MOVE
from campaign.rules.arrivals import weekly_route
from campaign.rules.codec import as_list
from campaign.rules.plans import MAX_GOALS, Goals
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import chart_for, star_map
from campaign.rules.view import View
from engine.core.errors import Violation
from engine.core.phrase import join_phrases, phrase

SEPARATORS = re.compile(r"\bthen\b|[,;→>\n]", re.IGNORECASE)  # between destinations
HEXES = re.compile(r"[0-9]{4}(?:\s+[0-9]{4})*")  # one or more hexes, divided by spaces


def parse_plans(scenario: Scenario, post: QueryDict) -> tuple[Goals, list[Violation]]:
    """Return the plans in a form by fleet, and their faults."""
    goals: Goals = {}
    violations: list[Violation] = []
    for fleet in PLAN.name_suffixes(post):
        plan_text = PLAN.text(post, fleet)
        if plan_text:
            goals[fleet], messages = _parse_plan(scenario, plan_text)
            for message in messages:
                violations.append(Violation(f"plans.{fleet}", "bad-plan", message))
    return goals, violations


def _parse_plan(scenario: Scenario, plan_text: str) -> tuple[tuple[str, ...], list[str]]:
    """Return the hexes of a plan in their order, and what is wrong with it."""
    plan_map = star_map(scenario)
    labels = []
    faults = []
    for name in _names_in(plan_text):
        label = name if HEXES.fullmatch(name) else _hex_of_system(scenario, name)
        if not label:
            faults.append(phrase("no system is called '{}'", name))
        elif not plan_map.has(label):
            faults.append(phrase("no fleet can go to {}", label))
        else:
            labels.append(label)
    if len(labels) > MAX_GOALS:
        faults.append(phrase("a plan has at most {} hexes, not {}", MAX_GOALS, len(labels)))
    return tuple(labels), faults


def _names_in(plan_text: str) -> list[str]:
    """Return the systems and hexes that a plan names: `Hudson, then 1705 1706` has three."""
    names: list[str] = []
    for part in SEPARATORS.split(plan_text):
        part_text = part.strip()
        if HEXES.fullmatch(part_text):
            names += part_text.split()
        elif part_text:
            names.append(part_text)
    return names


def _hex_of_system(scenario: Scenario, name: str) -> str:
    """Return the hex of the only system with this name, or beginning with it; else ""."""
    wanted = _letters(name)
    if not wanted:
        return ""
    candidates = []
    for system in scenario.systems:
        if _letters(system.name).startswith(wanted):
            candidates.append(system)
    exact_matches = [system for system in candidates if _letters(system.name) == wanted]
    matches = exact_matches or candidates
    if len(matches) == 1:
        return matches[0].hex
    return ""


def _letters(name: str) -> str:
    """Return the letters and digits of a name without regard to case."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def ends_of(payload: Mapping[str, Any]) -> dict[str, str]:
    """Return where the moves of a draft lead, by fleet; "" if that is unreadable."""
    ends: dict[str, str] = {}
    for move in items(payload, MOVE.key):
        labels = [*as_list(move.get("path")), move.get("to")]
        ends[str(move.get("fleet"))] = next((str(label) for label in reversed(labels) if label), "")
    return ends


def plan_data(
    scenario: Scenario, view: View, ends: Mapping[str, str], goals: Goals
) -> dict[str, dict[str, Any]]:
    """Return the plans of the view's fleets week by week.

    Args:
        ends: Where the moves of this week lead, by fleet.

    Returns:
        A dict by fleet with `end` (where this week ends), `goals`, and `legs`, each with its end,
        its week and whether it is a goal.
    """
    plans = {}
    for fleet in (*view.fleets, *view.dummies):
        fleet_goals = goals.get(fleet.key)
        if not fleet_goals:
            continue
        end = ends.get(fleet.key) or fleet.hex
        chart = chart_for(scenario, view, fleet.key)
        legs = list[dict[str, Any]]()
        start = end
        for goal in fleet_goals:
            for label in weekly_route(chart, start, goal, scenario.hexes_per_week):
                week = view.week + 1 + len(legs)
                legs.append({"end": label, "week": week, "goal": label == goal})
            start = goal
        plans[fleet.key] = {"end": end, "goals": list(fleet_goals), "legs": legs}
    return plans


def plan_words(scenario: Scenario, plan: Mapping[str, Any]) -> str:
    """Return a plan in words: `Hudson in week 6, 1705 in week 8`."""
    names = {system.hex: system.name for system in scenario.systems}
    parts = []
    for leg in plan["legs"]:
        if leg["goal"]:
            parts.append(phrase("{} in week {}", names.get(leg["end"], leg["end"]), leg["week"]))
    return join_phrases(", ", parts)
