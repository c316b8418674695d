"""The texts of a scenario as ones that are told in the reader's language, where the catalogues have them. Pure.

A stored scenario is a document in English. What our own scenarios say of their beginning, their systems and their ends
is in the catalogues (`campaign.shown_tables`) and is looked up where it is shown; texts of players are in none, and
stay as they were written.
"""

from __future__ import annotations

from dataclasses import replace

from campaign.rules.scenario import Scenario
from engine.core.phrase import phrase


def told_scenario(scenario: Scenario) -> Scenario:
    """The same scenario. Its introduction, the notes of its systems and the results of its conditions are phrases."""
    return replace(
        scenario,
        intro=phrase(scenario.intro),
        systems=tuple(replace(system, note=phrase(system.note)) for system in scenario.systems),
        victory=tuple(replace(condition, result=phrase(condition.result)) for condition in scenario.victory),
    )
