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
from campaign.orders.order import as_list
from campaign.rules.arrivals import weekly_route
from campaign.rules.plans import MOST_GOALS, Goals
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import chart_for, star_map
from campaign.rules.view import View
from engine.core.errors import Violation
from engine.core.phrase import join_phrases, phrase

PARTS = re.compile(r"\bthen\b|[,;→>\n]", re.IGNORECASE)
HEXES = re.compile(r"[0-9]{4}(?:\s+[0-9]{4})*")


def parse_plans(scenario: Scenario, post: QueryDict) -> tuple[Goals, list[Violation]]:
    """Return the plans in a form by fleet, and their faults."""
    goals: Goals = {}
    faults: list[Violation] = []
    for fleet in PLAN.name_suffixes(post):
        plan_text = PLAN.text(post, fleet)
        if plan_text:
            goals[fleet], wrong = _parse_plan(scenario, plan_text)
            faults += [Violation(f"plans.{fleet}", "bad-plan", words) for words in wrong]
    return goals, faults


def _parse_plan(scenario: Scenario, plan_text: str) -> tuple[tuple[str, ...], list[str]]:
    plan = star_map(scenario)
    labels = []
    faults = []
    for part in (part.strip() for part in PARTS.split(plan_text)):
        for name in part.split() if HEXES.fullmatch(part) else [part] if part else []:
            if HEXES.fullmatch(name):
                label = name
            else:
                label = _system(scenario, name)
            if not label:
                faults.append(phrase("no system is called '{}'", name))
            elif not plan.has(label):
                faults.append(phrase("no fleet can go to {}", label))
            else:
                labels.append(label)
    if len(labels) > MOST_GOALS:
        faults.append(phrase("a plan has at most {} hexes, not {}", MOST_GOALS, len(labels)))
    return tuple(labels), faults


def _system(scenario: Scenario, name: str) -> str:
    """Return the hex of the only system with this name or prefix, else ""."""
    word = _plain(name)
    begin = []
    for system in scenario.systems:
        if word and _plain(system.name).startswith(word):
            begin.append(system)
    exact = [system for system in begin if _plain(system.name) == word]
    matches = exact or begin
    if len(matches) == 1:
        return matches[0].hex
    return ""


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def ends_of(payload: Mapping[str, Any]) -> dict[str, str]:
    """Return where the moves of a draft lead, by fleet; unreadable moves are left out."""
    ways = {}
    for move in items(payload, MOVE.key):
        ways[str(move.get("fleet"))] = [*as_list(move.get("path")), move.get("to")]
    result: dict[str, str] = {}
    for fleet, way in ways.items():
        result[fleet] = next((str(label) for label in reversed(way) if label), "")
    return result


def plan_data(
    scenario: Scenario, view: View, ends: Mapping[str, str], goals: Goals
) -> dict[str, dict[str, Any]]:
    """Return the plans of the view's fleets week by week.

    Returns:
        A dict by fleet with `end` (where this week ends), `goals`, and `legs`, each with its end,
        its week and whether it is a goal.
    """
    plans = {}
    for fleet in (*view.fleets, *view.dummies):
        planned = goals.get(fleet.key)
        if not planned:
            continue
        here = end = ends.get(fleet.key) or fleet.hex
        chart = chart_for(scenario, view, fleet.key)
        legs = list[dict[str, Any]]()
        for goal in planned:
            for halt in weekly_route(chart, here, goal, scenario.hexes_per_week):
                legs.append({"end": halt, "week": view.week + 1 + len(legs), "goal": halt == goal})
            here = goal
        plans[fleet.key] = {"end": end, "goals": list(planned), "legs": legs}
    return plans


def plan_words(scenario: Scenario, plan: Mapping[str, Any]) -> str:
    """Return a plan in words: `Hudson in week 6, 1705 in week 8`."""
    names = {system.hex: system.name for system in scenario.systems}
    legs = (leg for leg in plan["legs"] if leg["goal"])
    return join_phrases(
        ", ",
        (phrase("{} in week {}", names.get(leg["end"], leg["end"]), leg["week"]) for leg in legs),
    )
