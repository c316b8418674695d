"""The command `scenario`: check a scenario file, or describe a bundled scenario."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from campaign.rules.objectives import wanted
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.words.objectives import objective_words
from engine.design.restrictions import listed_words
from engine.notation.files import read_input
from engine.ruleset import rules_of
from umpire.cli.war_script import read_scenario


def run(args: Namespace) -> dict[str, Any]:
    """Return what a scenario is.

    The file has a whole scenario, or only the slug of a bundled one as text.

    Raises:
        RuleViolations: With every fault of the file.
    """
    scenario = read_scenario(read_input(args.file), "")
    return {
        "slug": scenario.slug,
        "kind": "battle" if is_skirmish(scenario) else "war",
        "factions": [faction.id for faction in scenario.factions],
        "objectives": _objectives(scenario),
        "barred": list(listed_words(scenario.restrictions, rules_of(scenario.edition))),
    }


def _objectives(scenario: Scenario) -> dict[str, list[dict[str, Any]]]:
    """Return the objectives of each faction that has any, secret ones too."""
    result: dict[str, list[dict[str, Any]]] = {}
    for objective in scenario.objectives:
        result.setdefault(objective.faction, []).append(
            {
                "id": objective.id,
                "kind": objective.kind,
                "wanted": wanted(objective),
                "points": objective.points,
                "by": objective.by,
                "secret": objective.secret,
                "text": str(objective_words(scenario, objective)),
            }
        )
    return result
