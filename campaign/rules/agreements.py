"""What a host agrees on for a war: options, what is barred, and names of classes.

A scenario has its own agreements; the host of a war may choose others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from campaign.rules.agreed_battle import agreed_battle
from campaign.rules.designs import barred_class_fault
from campaign.rules.muster import example_battle
from campaign.rules.queries import ship_classes
from campaign.rules.scenario import FactionNames, Scenario
from campaign.rules.skirmish import is_skirmish
from engine.core.errors import RuleViolations, Violation
from engine.core.reason import reason
from engine.core.terms import NO_DECOYS
from engine.design.restrictions import (
    Restrictions,
    list_faults,
    listed_words,
    titles_of_barred_parts,
    word_title,
)
from engine.english import capitalize_first
from engine.notation.battles import read_battle
from engine.ruleset import rules_of


@dataclass(frozen=True, slots=True)
class Agreements:
    """The choices of a host; None leaves one to the scenario.

    Attributes:
        class_names: The names of classes of the factions for which the host has chosen a list.
    """

    options: tuple[str, ...] | None = None
    restrictions: Restrictions | None = None
    class_names: tuple[FactionNames, ...] = ()

    @classmethod
    def of_lists(
        cls,
        options: Sequence[str] | None,
        barred: Sequence[str] | None,
        allowed: Sequence[str] | None,
    ) -> Self:
        """Return the agreements of lists; without `barred` and `allowed` the scenario's count."""
        restrictions = None
        if barred is not None or allowed is not None:
            restrictions = Restrictions(
                tuple(barred or ()), None if allowed is None else tuple(allowed)
            )
        return cls(None if options is None else tuple(options), restrictions)


SCENARIO_AGREEMENTS = Agreements()


def agreed_scenario(scenario: Scenario, agreements: Agreements) -> Scenario:
    """Return a scenario with the agreements of a war in place of its own."""
    options = scenario.options if agreements.options is None else agreements.options
    restrictions = agreements.restrictions
    if restrictions is None:
        restrictions = scenario.restrictions
    class_names = _agreed_names(scenario, agreements)
    if (options, restrictions, class_names) == (
        scenario.options,
        scenario.restrictions,
        scenario.class_names,
    ):
        return scenario
    return replace(
        scenario,
        options=options,
        restrictions=restrictions,
        class_names=class_names,
        decoys=scenario.decoys and NO_DECOYS not in options,
    )


def _agreed_names(scenario: Scenario, agreements: Agreements) -> tuple[FactionNames, ...]:
    """Return the factions' names of classes, by the host's choice or else by the scenario."""
    if not agreements.class_names:
        return scenario.class_names
    names = {**dict(scenario.class_names), **dict(agreements.class_names)}
    return tuple(sorted(names.items()))


def restriction_faults(scenario: Scenario) -> list[Violation]:
    """Return the faults of the restrictions of a war: of the list, and of ships that break it.

    The ships are those that the scenario proposes or sends.
    """
    faults = list_faults(scenario.restrictions, rules_of(scenario.edition))
    if faults or scenario.restrictions.is_empty:
        return faults
    for name in _proposed_classes(scenario):
        fault = barred_class_fault(scenario, ship_classes(scenario)[name])
        if fault is not None:
            words = reason("quoted", "'{}': {}", name, fault.message)
            faults.append(Violation(f"classes.{name}", fault.code, words))
    return faults


def first_barred_class(scenario: Scenario) -> tuple[str, str] | None:
    """Return the first proposed class that breaks the restrictions, and what is barred in it."""
    rules = rules_of(scenario.edition)
    for name in _proposed_classes(scenario):
        design = ship_classes(scenario)[name].design
        titles = titles_of_barred_parts(design, scenario.restrictions, rules)
        if titles:
            return name, titles
    return None


def battle_faults(scenario: Scenario) -> list[Violation]:
    """Return why a single battle cannot be fought by the options that its host has chosen."""
    if not is_skirmish(scenario):
        return []
    try:
        read_battle(agreed_battle(example_battle(scenario), scenario), {})
    except RuleViolations as error:
        return [Violation("options", fault.code, fault.message) for fault in error.violations]
    return []


def _proposed_classes(scenario: Scenario) -> list[str]:
    """Return the classes of the fleets that a scenario proposes or sends, sorted."""
    names: set[str] = set()
    for _, fleets in scenario.defaults:
        for fleet in fleets:
            names.update(cls for cls, _ in fleet.ships)
    for arrival in scenario.reinforcements:
        names.update(cls for cls, _ in arrival.ships)
    return sorted(names)


def barred_titles(scenario: Scenario) -> tuple[str, ...]:
    """Return the titles of what is barred in a war."""
    words = listed_words(scenario.restrictions, rules_of(scenario.edition))
    return tuple(capitalize_first(word_title(word)) for word in words)
