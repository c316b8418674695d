"""The texts of a scenario as translatable phrases.

A stored scenario is an English document. The catalogues contain the texts of the bundled scenarios
(`tools.catalogue_tables`), which are looked up when they are shown. Texts of users are in no
catalogue and stay as written. All functions are pure.
"""

from __future__ import annotations

from dataclasses import replace

from campaign.rules.scenario import Scenario, StarSystem
from engine.core.phrase import phrase


def translatable_scenario(scenario: Scenario) -> Scenario:
    """Return the scenario with its texts as phrases.

    These are its name and introduction, the notes and ground targets of its systems, and the
    results of its conditions.
    """
    victory = []
    for condition in scenario.victory:
        victory.append(replace(condition, result=phrase(condition.result)))
    systems = [_translatable_system(system) for system in scenario.systems]
    if scenario.battle:  # the place of a single battle has the name of its scenario
        systems = [replace(system, name=phrase(system.name)) for system in systems]
    return replace(
        scenario,
        name=phrase(scenario.name),
        intro=phrase(scenario.intro),
        systems=tuple(systems),
        victory=tuple(victory),
    )


def _translatable_system(system: StarSystem) -> StarSystem:
    ground = tuple(replace(target, name=phrase(target.name)) for target in system.ground)
    return replace(system, note=phrase(system.note), ground=ground)
