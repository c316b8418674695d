"""Common texts of pages: places, strengths, the age of a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from campaign.events.battles import LossCause
from campaign.rules.queries import departure_week, ship_classes, sort_by_count, system_at
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.rules.view import BATTLE, REPORT, Fleet, Ship, Sighting, View
from campaign.rules.world import World
from engine.core.phrase import join_phrases, phrase
from engine.english import counted_kind


def place_words(scenario: Scenario, label: str) -> str:
    """Return the name of a hex, with the system's name if it has one."""
    system = system_at(scenario, label)
    if system is None:
        return label
    if is_skirmish(scenario):
        return system.name
    return phrase("{} ({})", system.name, label)


def place_name(scenario: Scenario, label: str) -> str:
    """Return the name of a hex's system, or its number if it has none, as headlines say it."""
    system = system_at(scenario, label)
    return label if system is None else system.name


def battle_words(scenario: Scenario, label: str) -> str:
    """Return the name of a battle: that of the scenario for a single battle, or else the place."""
    if is_skirmish(scenario):
        return scenario.name
    return phrase("Battle at {}", place_words(scenario, label))


def strength_words(counts: Iterable[tuple[str, int]]) -> str:
    """Describe contacts or ships by classification: `2 capital ships, 3 cruisers`."""
    parts = [counted_kind(count, kind) for kind, count in counts]
    return join_phrases(", ", parts) or phrase("none")


def count_by_classification(
    scenario: Scenario, ships: Iterable[Ship]
) -> tuple[tuple[str, int], ...]:
    """Count ships by classification, the largest first."""
    classes = ship_classes(scenario)
    counts = Counter(classes[ship.cls].classification for ship in ships)
    return sort_by_count(counts)


def weeks_ago(age: int) -> str:
    """Describe the age of a report.

    Args:
        age: In weeks.
    """
    if age == 0:
        return phrase("this week")
    if age == 1:
        return phrase("last week")
    return phrase("{} weeks ago", age)


def departure_words(scenario: Scenario, state: View | World, fleet: Fleet) -> str:
    """Say when a fleet that withdrew must leave its hex; "" if it need not, or no week is left."""
    week = departure_week(scenario, state, fleet)
    if week is None:
        return ""
    if week == state.week:
        return phrase("must leave this week")
    return phrase("must leave next week")


def loss_words(cause: str) -> str:
    """Describe the cause of a ship's loss."""
    return LossCause.label_of(cause)


def sighting_age_words(view: View, sighting: Sighting) -> str:
    """Say when a sighting was made, and how if not by a scan."""
    age_text = weeks_ago(view.week - sighting.week)
    if sighting.source == BATTLE:
        return phrase("after the battle, {}", age_text)
    if sighting.source == REPORT:
        return phrase("reported, {}", age_text)
    return age_text


def side_words(side: str | None, names: Mapping[str, str]) -> str:
    """Return the names of a side's factions, "" for no side.

    Args:
        side: The keys of the factions, joined by "+".
        names: The names of factions by key.
    """
    if not side:
        return ""
    return join_phrases(" and ", (names.get(key, key) for key in side.split("+")))
