"""Objectives in words: what a faction has to do, without how far it has come."""

from __future__ import annotations

from collections.abc import Iterable

from campaign.rules.objective_checks import ALL, CLASSIFICATIONS, SETTLED
from campaign.rules.queries import members_of
from campaign.rules.scenario import Objective, Scenario
from engine.core.phrase import join_phrases, phrase
from engine.english import counted_kind, counted_noun


def objective_words(scenario: Scenario, objective: Objective) -> str:
    """Return what an objective asks, in the author's words or else in the program's."""
    return objective.text or _WORDS[objective.kind](scenario, objective)


def _hold_words(scenario: Scenario, objective: Objective) -> str:
    systems = _systems_words(scenario, objective)
    if objective.including:
        names = _place_names(scenario, objective.including)
        systems = phrase("{}, {} among them", systems, join_phrases(" and ", names))
    if objective.at_end:
        return phrase("Have superiority in {} at the end of week {}", systems, objective.by)
    if objective.weeks > 1:
        return phrase(
            "Have superiority in {} for {} weeks in a row, by week {}",
            systems,
            objective.weeks,
            objective.by,
        )
    return phrase("Have superiority in {} by week {}", systems, objective.by)


def _systems_words(scenario: Scenario, objective: Objective) -> str:
    """Return the systems that an objective wants to be held, and how many of them."""
    if objective.systems == (SETTLED,):
        return counted_noun(objective.number, "settled system")
    if objective.systems == (ALL,):
        return counted_noun(objective.number, "system")
    names = _place_names(scenario, objective.systems)
    if len(names) <= objective.number:
        return join_phrases(" and ", names)
    return phrase("{} of {}", objective.number, join_phrases(", ", names))


def _deliver_words(scenario: Scenario, objective: Objective) -> str:
    places = join_phrases(" or ", _place_names(scenario, objective.to))
    goods = phrase(objective.what)
    return phrase("Land {} {} at {} by week {}", objective.number, goods, places, objective.by)


def _bring_words(scenario: Scenario, objective: Objective) -> str:
    places = join_phrases(" or ", _place_names(scenario, objective.to))
    return phrase("Bring {} to {} by week {}", _ships_words(objective), places, objective.by)


def _destroy_words(scenario: Scenario, objective: Objective) -> str:
    names = _power_names(scenario, objective.of)
    return phrase("Destroy or take {} of {}", _ships_words(objective), names)


def _save_words(_: Scenario, objective: Objective) -> str:
    return phrase("Still have {} at the end of week {}", _ships_words(objective), objective.by)


def _spare_words(_: Scenario, objective: Objective) -> str:
    if objective.measure == "points":
        points = counted_noun(objective.number, "point")
        return phrase("Lose ships worth at most {}", points)
    return phrase("Lose at most {}", counted_noun(objective.number, "ship"))


def _ruin_words(scenario: Scenario, objective: Objective) -> str:
    names = _power_names(scenario, objective.of)
    targets = counted_noun(objective.number, "ground target")
    return phrase("Lay {} of {} in ruins", targets, names)


def _deny_words(scenario: Scenario, objective: Objective) -> str:
    """Return that another objective is to be kept from being reached.

    The other one is described only if it is in the scenario that the reader may see.
    """
    for denied in scenario.objectives:
        if denied.key == objective.of:
            name = _power_names(scenario, denied.faction)
            return phrase("Deny {} this objective: {}", name, objective_words(scenario, denied))
    faction = objective.of.partition("/")[0]
    return phrase("Deny {} an objective", _power_names(scenario, faction))


_WORDS = {
    "hold": _hold_words,
    "deliver": _deliver_words,
    "bring": _bring_words,
    "destroy": _destroy_words,
    "save": _save_words,
    "lose-less": _spare_words,
    "ruins": _ruin_words,
    "deny": _deny_words,
}


def _ships_words(objective: Objective) -> str:
    """Return the ships that an objective counts, with their number or points."""
    if objective.measure == "points":
        points = counted_noun(objective.number, "point")
        return phrase("ships worth {} ({})", points, _kind_of_ships(objective))
    if objective.ship_names:
        names = join_phrases(", ", objective.ship_names)
        if objective.number >= len(objective.ship_names):
            return names
        return phrase("{} of {}", objective.number, names)
    if objective.ships == ALL:
        return counted_noun(objective.number, "ship")
    if objective.ships in CLASSIFICATIONS:
        return counted_kind(objective.number, objective.ships)
    return phrase("{} × {}", objective.number, objective.ships)


def _kind_of_ships(objective: Objective) -> str:
    """Return which ships count, without a number."""
    if objective.ship_names:
        return join_phrases(", ", objective.ship_names)
    return phrase(objective.ships)


def _place_names(scenario: Scenario, places: Iterable[str]) -> list[str]:
    """Return the names of systems; hexes stay as they are."""
    names = {system.id: system.name for system in scenario.systems}
    return [names.get(place, place) for place in places]


def _power_names(scenario: Scenario, power: str) -> str:
    """Return the name of a faction, or the names of an alliance's members."""
    names = {faction.id: faction.name for faction in scenario.factions}
    members = [names[member] for member in members_of(scenario, power)]
    return join_phrases(" and ", members)
