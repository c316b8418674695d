"""What a single battle is about, as labels and words: its rules, points, table and end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from campaign.rules.battle_builder import MENUS
from campaign.rules.scenario import Scenario
from engine.core.edition import EDITIONS
from engine.core.limits import DEFAULT_MAX_TURNS
from engine.core.phrase import join_phrases, phrase
from engine.notation.open_bodies import PLACE
from engine.notation.terms import COUNT, ROLL
from engine.pieces.asteroid import ADDED


def battle_facts(scenario: Scenario) -> list[tuple[str, str]]:
    """Return what a single battle is about as labels and words."""
    battle = scenario.battle
    width, height = scenario.table
    facts = [
        (phrase("Rules"), _edition_title(scenario.edition)),
        *_fleet_facts(battle),
        (phrase("Table"), phrase("{} by {} MU", width, height)),
        (phrase("Asteroids"), _asteroid_words(battle.get("asteroids"))),
        (phrase("Deployment"), _deployment_words(battle.get("deployment"))),
        (
            phrase("Turns after which the battle ends"),
            str(battle.get("max_turns", DEFAULT_MAX_TURNS)),
        ),
        (phrase("Winner"), MENUS["scorings"].get(battle.get("scoring", ""), "")),
    ]
    return [(label, words) for label, words in facts if words]


def _edition_title(name: str) -> str:
    """Return the title of an edition; "" for one that a draft names wrongly."""
    return next((edition.label for edition in EDITIONS if edition.value == name), "")


def _fleet_facts(battle: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what the ships of the sides may be."""
    if battle.get("points"):
        value = MENUS["fleet-values"][battle.get("value", "points")]
        yield phrase("Points a side"), join_phrases(" ", [str(battle["points"]), value])
    limits = [MENUS["fleet-limits"][name] for name in battle.get("limits", ())]
    yield phrase("Limits of composition"), join_phrases("; ", limits)
    if battle.get("identical"):
        yield phrase("Ships"), phrase("the same for both sides")


def _deployment_words(deployment: object) -> str:
    """Return the kind of a battle file's deployment; "" if it has zones of its own."""
    kind = deployment.get("kind") if isinstance(deployment, Mapping) else deployment
    return MENUS["deployments"].get(str(kind), "")


def _asteroid_words(asteroids: object) -> str:
    """Return how many asteroids a battle file has, and who places them; "" if it has none."""
    if isinstance(asteroids, Mapping):
        if asteroids.get(PLACE) == ROLL:
            return phrase("D6 + {}, placed by the sides", ADDED)
        if PLACE in asteroids:
            return phrase("{}, placed by the sides", asteroids[PLACE])
        if COUNT in asteroids:
            return phrase("{}, placed by dice", asteroids[COUNT])
        return phrase("placed by dice")
    return str(len(asteroids)) if isinstance(asteroids, (list, tuple)) and asteroids else ""
