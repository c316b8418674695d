"""Lists of class names: what a navy calls its ship classes and its fighters.

Scenarios name such a list by its id in `class_names`. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from campaign.rules.scenario import FactionNames, Scenario
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase

ClassNames = Mapping[str, Mapping[str, str]]  # a navy's name of each class, by navy and class
NO_NAVIES: ClassNames = {}


@dataclass(frozen=True, slots=True)
class Navy:
    """A list of class names.

    Attributes:
        classes: The catalogue's name of each class and the navy's name for it, smallest first.
        fighters: The name of its fighters; "" if it has none.
    """

    id: str
    name: str
    short: str
    adjective: str
    classes: tuple[tuple[str, str], ...]
    fighters: str = ""


def read_navies(rows: Iterable[Mapping[str, Any]]) -> tuple[Navy, ...]:
    """Return the navies of the project's own file, in its order."""
    return tuple(_navy(row) for row in rows)


def _navy(row: Mapping[str, Any]) -> Navy:
    """Return the navy of an entry of the file."""
    return Navy(
        id=row["id"],
        name=row["name"],
        short=row["short"],
        adjective=row["adjective"],
        classes=tuple(row["classes"].items()),
        fighters=row.get("fighters", ""),
    )


def navies_for(scenario: Scenario, navies: Iterable[Navy]) -> tuple[Navy, ...]:
    """Return the navies that have a name for at least one class of a scenario."""
    catalogue = {cls.name for cls in scenario.catalogue}
    return tuple(navy for navy in navies if catalogue & set(dict(navy.classes)))


def chosen_class_names(
    scenario: Scenario, chosen: Mapping[str, str], navies: ClassNames
) -> tuple[FactionNames, ...]:
    """Return the names of classes of the factions for which a host has chosen a list.

    Args:
        chosen: The id of a list by faction; "" leaves the names to the scenario.

    Raises:
        RuleViolations: There is no such faction or list.
    """
    factions = {faction.id for faction in scenario.factions}
    catalogue = {cls.name for cls in scenario.catalogue}
    violations = []
    names = []
    for faction, navy in sorted(chosen.items()):
        where = f"class_names.{faction}"
        if faction not in factions:
            words = phrase("no faction '{}'", faction)
            violations.append(Violation(where, "unknown-faction", words))
        elif navy and navy not in navies:
            words = phrase("'{}' is not a list of names; choose from {}", navy, ", ".join(navies))
            violations.append(Violation(where, "unknown-navy", words))
        elif navy:
            pairs = sorted(navies[navy].items())
            names.append((faction, tuple(pair for pair in pairs if pair[0] in catalogue)))
    if violations:
        raise RuleViolations(violations)
    return tuple(names)


def class_names_of(navies: Iterable[Navy]) -> ClassNames:
    """Return the names of classes of each navy by its id."""
    return {navy.id: dict(navy.classes) for navy in navies}
