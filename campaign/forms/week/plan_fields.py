"""The plans of further weeks in the form of a week's orders: read from its fields, told in words
and as data.

A plan's field names systems or hexes one after the other: "Hudson, then 1705". Faults stand at
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
from campaign.orders.order import listed
from campaign.rules.arrivals import way_to
from campaign.rules.plans import MOST_GOALS, Goals
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import chart_for, star_map
from campaign.rules.view import View
from engine.core.errors import Violation
from engine.core.phrase import joined_phrases, phrase

PARTS = re.compile(r"\bthen\b|[,;→>\n]", re.IGNORECASE)
HEXES = re.compile(r"[0-9]{4}(?:\s+[0-9]{4})*")


def plans_read(scenario: Scenario, posted: QueryDict) -> tuple[Goals, list[Violation]]:
    """The plans of a form by fleet, and what is wrong with them."""
    found: Goals = {}
    faults: list[Violation] = []
    for fleet in PLAN.rests(posted):
        given = PLAN.text(posted, fleet)
        if given:
            found[fleet], wrong = _read(scenario, given)
            faults += [Violation(f"plans.{fleet}", "bad-plan", words) for words in wrong]
    return found, faults


def _read(scenario: Scenario, given: str) -> tuple[tuple[str, ...], list[str]]:
    plan, labels, wrong = star_map(scenario), [], []
    for part in (part.strip() for part in PARTS.split(given)):
        for one in part.split() if HEXES.fullmatch(part) else [part] if part else []:
            label = one if HEXES.fullmatch(one) else _system(scenario, one)
            if not label:
                wrong.append(phrase("no system is called '{}'", one))
            elif not plan.has(label):
                wrong.append(phrase("no fleet can go to {}", label))
            else:
                labels.append(label)
    if len(labels) > MOST_GOALS:
        wrong.append(phrase("a plan has at most {} hexes, not {}", MOST_GOALS, len(labels)))
    return tuple(labels), wrong


def _system(scenario: Scenario, given: str) -> str:
    """The hex of the one system whose name is this, or begins so; empty where there is none, or
    more than one.
    """
    word = _plain(given)
    begin = [system for system in scenario.systems if word and _plain(system.name).startswith(word)]
    exact = [system for system in begin if _plain(system.name) == word]
    found = exact or begin
    return found[0].hex if len(found) == 1 else ""


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def ends_of(payload: Mapping[str, Any]) -> dict[str, str]:
    """Where the moves of a draft lead, by fleet; what cannot be read at all is left out."""
    ways = {
        str(move.get("fleet")): [*listed(move.get("path")), move.get("to")]
        for move in items(payload, MOVE.key)
    }
    return {
        fleet: next((str(label) for label in reversed(way) if label), "")
        for fleet, way in ways.items()
    }


def plans_told(
    scenario: Scenario, view: View, ends: Mapping[str, str], goals: Goals
) -> dict[str, dict[str, Any]]:
    """The plans of the View's fleets week by week: `end`, where this week ends; `goals`; `legs`,
    each with its end, its week, and whether it is a goal.
    """
    found = {}
    for fleet in (*view.fleets, *view.dummies):
        planned = goals.get(fleet.key)
        if not planned:
            continue
        here = end = ends.get(fleet.key) or fleet.hex
        chart, legs = chart_for(scenario, view, fleet.key), list[dict[str, Any]]()
        for goal in planned:
            for halt in way_to(chart, here, goal, scenario.hexes_per_week):
                legs.append({"end": halt, "week": view.week + 1 + len(legs), "goal": halt == goal})
            here = goal
        found[fleet.key] = {"end": end, "goals": list(planned), "legs": legs}
    return found


def plan_words(scenario: Scenario, told: Mapping[str, Any]) -> str:
    """A plan in words: `Hudson in week 6, 1705 in week 8`."""
    names = {system.hex: system.name for system in scenario.systems}
    legs = (leg for leg in told["legs"] if leg["goal"])
    return joined_phrases(
        ", ",
        (phrase("{} in week {}", names.get(leg["end"], leg["end"]), leg["week"]) for leg in legs),
    )
