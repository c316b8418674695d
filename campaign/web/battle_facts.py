"""What a single battle is about, as labels and words: its rules, points, table and end."""

from __future__ import annotations

from collections.abc import Mapping

from campaign.rules.battle_builder import MENUS
from campaign.rules.scenario import Scenario
from engine.core.edition import EDITIONS
from engine.core.limits import DEFAULT_MAX_TURNS
from engine.core.phrase import join_phrases, phrase
from engine.notation.open_bodies import PLACE
from engine.notation.terms import COUNT


def battle_facts(scenario: Scenario) -> list[tuple[str, str]]:
    """Return what a single battle is about as labels and words."""
    battle = scenario.battle
    facts: list[tuple[str, str]] = []
    for edition in EDITIONS:
        if edition.value == scenario.edition:
            facts.append((phrase("Rules"), edition.label))
    if battle.get("points"):
        words = MENUS["fleet-values"][battle.get("value", "points")]
        facts.append((phrase("Points a side"), join_phrases(" ", [str(battle["points"]), words])))
    limits = [MENUS["fleet-limits"][name] for name in battle.get("limits", ())]
    if limits:
        facts.append((phrase("Limits of composition"), join_phrases("; ", limits)))
    if battle.get("identical"):
        facts.append((phrase("Ships"), phrase("the same for both sides")))
    width, height = scenario.table
    facts.append((phrase("Table"), phrase("{} by {} MU", width, height)))
    rocks = _asteroid_words(battle.get("asteroids"))
    if rocks:
        facts.append((phrase("Asteroids"), rocks))
    deployment = battle.get("deployment")
    kind = deployment.get("kind") if isinstance(deployment, Mapping) else deployment
    if kind in MENUS["deployments"]:
        facts.append((phrase("Deployment"), MENUS["deployments"][kind]))
    turns = battle.get("max_turns", DEFAULT_MAX_TURNS)
    facts.append((phrase("Turns after which the battle ends"), str(turns)))
    if battle.get("scoring"):
        facts.append((phrase("Winner"), MENUS["scorings"][battle["scoring"]]))
    return facts


def _asteroid_words(asteroids: object) -> str:
    """Return how many asteroids a battle file has, and who places them; "" if it has none."""
    if isinstance(asteroids, Mapping):
        if PLACE in asteroids:
            return phrase("{}, placed by the sides", asteroids[PLACE])
        if COUNT in asteroids:
            return phrase("{}, placed by dice", asteroids[COUNT])
        return phrase("placed by dice")
    return str(len(asteroids)) if isinstance(asteroids, (list, tuple)) and asteroids else ""
