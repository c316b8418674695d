"""The victory conditions of a war in words, and their state as far as a faction knows. Pure.

Everything comes from the published scenario and a view. A system counts for the side that had
superiority there when the viewer last knew it; the text tells the week of that knowledge.

Rules: 2E "Campaign objectives" [camp.objectives]; Continuum "Ortillery" 12.6 [pc.ortillery]
"""

from __future__ import annotations

from dataclasses import dataclass

from campaign.rules.ground_targets import count_ruins
from campaign.rules.scenario import Condition, Faction, Scenario, StarSystem
from campaign.rules.view import KnownSystem, View
from campaign.web.seat_marks import NOBODY, seat_classes, seats
from engine.core.phrase import join_phrases, phrase
from engine.english import counted_noun

# State of a condition as far as the viewer knows; REST applies if no other condition holds
HOLDS = "yes"
FAILS = "no"
REST = "rest"
PAST = "past"  # the war is over, and the viewer's knowledge may differ from what decided it


@dataclass(frozen=True, slots=True)
class ConditionSummary:
    """A victory condition as everybody can read it before the war."""

    result: str  # the outcome of the war
    asks: str  # the condition as a sentence
    seats: tuple[int, ...]  # numbers of the winners

    @property
    def seat(self) -> int:
        """The number of the only winner, or 0 for several or none."""
        if len(self.seats) == 1:
            return self.seats[0]
        return 0


@dataclass(frozen=True, slots=True)
class Objective:
    """A victory condition of a scenario."""

    result: str  # the outcome of the war
    asks: str  # the condition as a sentence
    state: str  # HOLDS, FAILS, REST or PAST
    progress_text: str  # what the viewer knows of it; empty after the war
    is_total: bool  # it ends the war at once
    seat: str  # CSS class of the only winner
    seats: tuple[int, ...]  # numbers of all winners


def objectives_of(scenario: Scenario, view: View) -> tuple[Objective, ...]:
    """Return the conditions in the order of checking: the first that holds decides."""
    result: list[Objective] = []
    for condition in scenario.victory:
        result.append(_objective(scenario, view, condition))
    return tuple(result)


def condition_summaries(scenario: Scenario) -> tuple[ConditionSummary, ...]:
    """Return the conditions before a war, in the order of checking."""
    numbers = seats(scenario)

    def summarize(condition: Condition) -> ConditionSummary:
        winners = tuple(numbers[power.id] for power in _side(scenario, condition.winner))
        return ConditionSummary(condition.result, condition_words(scenario, condition), winners)

    return tuple(map(summarize, scenario.victory))


def _objective(scenario: Scenario, view: View, condition: Condition) -> Objective:
    """Return a condition with its state as far as the viewer knows."""
    state, progress_text = _progress(scenario, view, condition)
    winners = _side(scenario, condition.winner)
    seat_class = NOBODY
    if len(winners) == 1:
        seat_class = seat_classes(scenario)[winners[0].id]
    return Objective(
        result=condition.result,
        asks=condition_words(scenario, condition),
        state=state,
        progress_text=progress_text,
        is_total=condition.total,
        seat=seat_class,
        seats=tuple(seats(scenario)[power.id] for power in winners),
    )


def condition_words(scenario: Scenario, condition: Condition) -> str:
    """Return a condition as a sentence."""
    if condition.ruins:
        targets = counted_noun(condition.at_least, "ground target")
        return phrase("{} of {} in ruins", targets, _side_name(scenario, condition.ruins))
    if condition.score_of:
        side = _side_name(scenario, condition.score_of)
        share = f"{condition.share / 10:g}"
        return phrase("{} has at least {}% of the points of its objectives", side, share)
    if condition.by is None:
        return phrase("in all other cases")
    system_names = {system.id: system.name for system in scenario.systems}
    side_name = _side_name(scenario, condition.by)
    named_systems = [system_names[id_] for id_ in condition.of if id_ in system_names]
    are_all_needed = len(named_systems) == len(condition.of) == condition.at_least
    if named_systems and are_all_needed:
        return phrase("superiority of {} at {}", side_name, join_phrases(" and ", named_systems))
    if condition.of == ("settled",):
        count = counted_noun(condition.at_least, "settled system")
    else:
        count = counted_noun(condition.at_least, "system")
    count_text = phrase("at least {}", count)
    if condition.including:
        required = join_phrases(" and ", (system_names[id_] for id_ in condition.including))
        return phrase("superiority of {} in {}, {} among them", side_name, count_text, required)
    return phrase("superiority of {} in {}", side_name, count_text)


def _progress(scenario: Scenario, view: View, condition: Condition) -> tuple[str, str]:
    """Return the state of a condition as far as the viewer knows, and that knowledge in words."""
    if view.result is not None:
        return PAST, ""
    if condition.ruins:
        count = count_ruins(scenario, view.ground, condition.ruins)
        count_text = phrase("{} of {} so far", count, condition.at_least)
        return _state(count >= condition.at_least), count_text
    if condition.score_of:
        return FAILS, ""  # only the umpire counts the points during the war
    if condition.by is None:
        return REST, ""
    superior_systems = _systems_with_superiority(scenario, view, condition.by)
    counted_systems = [
        system
        for system in scenario.systems
        if system.id in superior_systems and condition.counts(system)
    ]
    has_required = superior_systems.keys() >= set(condition.including)
    state = _state(len(counted_systems) >= condition.at_least and has_required)
    count_text = phrase("{} of {}, as far as you know", len(counted_systems), condition.at_least)
    if not counted_systems:
        return state, count_text
    names = []
    for system in counted_systems:
        names.append(_name_with_age(system, superior_systems[system.id], view.week))
    return state, phrase("{}: {}", count_text, join_phrases(", ", names))


def _systems_with_superiority(scenario: Scenario, view: View, side: str) -> dict[str, KnownSystem]:
    """Return the systems where a side had superiority when the viewer last knew them, by id."""
    members = {power.id for power in _side(scenario, side)}
    return {state.system: state for state in view.systems if state.superior in members}


def _name_with_age(system: StarSystem, system_state: KnownSystem, week: int) -> str:
    """Return a system's name, with the week of the knowledge if it is not this one."""
    if system_state.week >= week:
        return system.name
    return phrase("{} (week {})", system.name, system_state.week)


def _side(scenario: Scenario, name: str | None) -> list[Faction]:
    """Return the factions of a side: one faction, or an alliance's members; none for None."""
    result: list[Faction] = []
    for power in scenario.factions:
        if name is not None and name in (power.id, power.alliance):
            result.append(power)
    return result


def _side_name(scenario: Scenario, side: str) -> str:
    """Return the name of a faction, or the names of an alliance's members."""
    return join_phrases(" and ", (power.name for power in _side(scenario, side)))


def _state(is_met: bool) -> str:
    if is_met:
        return HOLDS
    return FAILS
