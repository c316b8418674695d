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

HOLDS, FAILS, REST = "yes", "no", "rest"


@dataclass(frozen=True, slots=True)
class ConditionSummary:
    """A victory condition as everybody can read it before the war."""

    result: str
    asks: str
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
    state: str  # HOLDS or FAILS as far as the viewer knows; REST applies if no other holds
    progress_text: str  # what the viewer knows of it
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
    state, progress_text = _progress(scenario, view, condition)
    winners = _side(scenario, condition.winner)
    numbers = tuple(seats(scenario)[power.id] for power in winners)
    if len(winners) == 1:
        seat = seat_classes(scenario)[winners[0].id]
    else:
        seat = NOBODY
    return Objective(
        condition.result,
        condition_words(scenario, condition),
        state,
        progress_text,
        condition.total,
        seat,
        numbers,
    )


def condition_words(scenario: Scenario, condition: Condition) -> str:
    """Return a condition as a sentence."""
    if condition.ruins:
        targets = counted_noun(condition.at_least, "ground target")
        return phrase("{} of {} in ruins", targets, _side_name(scenario, condition.ruins))
    if condition.by is None:
        return phrase("in all other cases")
    names = {system.id: system.name for system in scenario.systems}
    side_name = _side_name(scenario, condition.by)
    named_systems = [name for name in condition.of if name in names]
    if (
        named_systems
        and len(named_systems) == condition.at_least
        and len(named_systems) == len(condition.of)
    ):
        return phrase(
            "superiority of {} at {}",
            side_name,
            join_phrases(" and ", (names[name] for name in named_systems)),
        )
    settled = condition.of == ("settled",)
    count_text = phrase(
        "at least {}", counted_noun(condition.at_least, "settled system" if settled else "system")
    )
    if condition.including:
        with_ = join_phrases(" and ", (names[name] for name in condition.including))
        return phrase("superiority of {} in {}, {} among them", side_name, count_text, with_)
    return phrase("superiority of {} in {}", side_name, count_text)


def _progress(scenario: Scenario, view: View, condition: Condition) -> tuple[str, str]:
    """Return the state of a condition as far as the viewer knows, and that knowledge in words."""
    if condition.ruins:
        count = count_ruins(scenario, view.ground, condition.ruins)
        return _state(count >= condition.at_least), phrase(
            "{} of {} so far", count, condition.at_least
        )
    if condition.by is None:
        return REST, ""
    relevant_systems = [system for system in scenario.systems if condition.counts(system)]
    system_states = {row.system: row for row in view.systems}
    members = {power.id for power in _side(scenario, condition.by)}
    superior = {key for key, row in system_states.items() if row.superior in members}
    superior_systems = [system for system in relevant_systems if system.id in superior]
    holds = len(superior_systems) >= condition.at_least and superior.issuperset(condition.including)
    so_far = phrase("{} of {}, as far as you know", len(superior_systems), condition.at_least)
    if not superior_systems:
        return _state(holds), so_far
    names = join_phrases(
        ", ",
        (
            _name_with_age(system, system_states[system.id], view.week)
            for system in superior_systems
        ),
    )
    return _state(holds), phrase("{}: {}", so_far, names)


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


def _state(holds: bool) -> str:
    if holds:
        return HOLDS
    return FAILS
