"""The texts of a scenario as ones that are told in the reader's language, where the catalogues have
them. Pure.

A stored scenario is a document in English. What our own scenarios say of their beginning, their
systems and their ends is in the catalogues (`tools.catalogue_tables`) and is looked up where it is
shown; texts of players are in none, and stay as they were written.
"""

from __future__ import annotations

from dataclasses import replace

from campaign.rules.scenario import Scenario, StarSystem
from engine.core.phrase import phrase


def translatable_scenario(scenario: Scenario) -> Scenario:
    """Return the same scenario with its texts as phrases.

    These are its name and introduction, the notes and ground targets of its systems, and the
    results of its conditions.
    """
    return replace(
        scenario,
        name=phrase(scenario.name),
        intro=phrase(scenario.intro),
        systems=tuple(_translatable_system(system) for system in scenario.systems),
        victory=tuple(
            replace(condition, result=phrase(condition.result)) for condition in scenario.victory
        ),
    )


def _translatable_system(system: StarSystem) -> StarSystem:
    ground = tuple(replace(target, name=phrase(target.name)) for target in system.ground)
    return replace(system, note=phrase(system.note), ground=ground)
