"""What decides a war, in words, and how far each condition holds as far as a faction knows. Pure.

Everything comes from the published scenario and a View: a system is counted by who had superiority
there when the viewer last knew it, with the week of that knowledge.
Rules: 2E "Campaign objectives" [camp.objectives]; Continuum "Ortillery" 12.6 [pc.ortillery]
"""

from __future__ import annotations

from dataclasses import dataclass

from campaign.rules.ground_targets import ruined
from campaign.rules.scenario import Condition, Faction, Scenario, StarSystem
from campaign.rules.view import KnownSystem, View
from campaign.web.seat_marks import NOBODY, seat_classes, seats
from engine.core.phrase import joined_phrases, phrase
from engine.english import counted_noun

HOLDS, FAILS, REST = "yes", "no", "rest"


@dataclass(frozen=True, slots=True)
class Decides:
    """A condition as everybody reads it before the war. `seats`: the numbers of who wins by it."""

    result: str
    asks: str
    seats: tuple[int, ...]

    @property
    def seat(self) -> int:
        """The number of who alone wins by it; 0: several, nobody."""
        return self.seats[0] if len(self.seats) == 1 else 0


@dataclass(frozen=True, slots=True)
class Objective:
    """A condition of a scenario.

    `result`: what the war then ends with; `asks`: the condition as a sentence.

    `state`: whether it holds as far as the viewer knows, `HOLDS` or `FAILS`, or `REST`: it holds
    where no other does. `known`: what he knows of it, in words. `total`: it ends the war as soon as
    it holds. `seat`: the style class of who alone wins by it; `seats`: the numbers of all who do.
    """

    result: str
    asks: str
    state: str
    known: str
    total: bool
    seat: str
    seats: tuple[int, ...]


def objectives_of(scenario: Scenario, view: View) -> tuple[Objective, ...]:
    """The conditions in the order in which they are looked at: the first that holds decides."""
    return tuple(_objective(scenario, view, condition) for condition in scenario.victory)


def decided_by(scenario: Scenario) -> tuple[Decides, ...]:
    """The conditions of a war that nobody has begun yet, in the order in which they are looked
    at.
    """
    numbers = seats(scenario)

    def told(condition: Condition) -> Decides:
        winners = tuple(numbers[power.id] for power in _side(scenario, condition.winner))
        return Decides(condition.result, asked_words(scenario, condition), winners)

    return tuple(map(told, scenario.victory))


def _objective(scenario: Scenario, view: View, condition: Condition) -> Objective:
    state, known = _standing(scenario, view, condition)
    winners = _side(scenario, condition.winner)
    numbers = tuple(seats(scenario)[power.id] for power in winners)
    seat = seat_classes(scenario)[winners[0].id] if len(winners) == 1 else NOBODY
    return Objective(
        condition.result,
        asked_words(scenario, condition),
        state,
        known,
        condition.total,
        seat,
        numbers,
    )


def asked_words(scenario: Scenario, condition: Condition) -> str:
    """A condition as a sentence."""
    if condition.ruins:
        targets = counted_noun(condition.at_least, "ground target")
        return phrase("{} of {} in ruins", targets, _called(scenario, condition.ruins))
    if condition.by is None:
        return phrase("if nothing else has decided the war")
    names = {system.id: system.name for system in scenario.systems}
    who = _called(scenario, condition.by)
    named = [name for name in condition.of if name in names]
    if named and len(named) == condition.at_least and len(named) == len(condition.of):
        return phrase(
            "superiority of {} at {}", who, joined_phrases(" and ", (names[name] for name in named))
        )
    settled = condition.of == ("settled",)
    many = phrase(
        "at least {}", counted_noun(condition.at_least, "settled system" if settled else "system")
    )
    if condition.including:
        with_ = joined_phrases(" and ", (names[name] for name in condition.including))
        return phrase("superiority of {} in {}, {} among them", who, many, with_)
    return phrase("superiority of {} in {}", who, many)


def _standing(scenario: Scenario, view: View, condition: Condition) -> tuple[str, str]:
    """Whether a condition holds as far as the viewer knows, and what he knows of it."""
    if condition.ruins:
        count = ruined(scenario, view.ground, condition.ruins)
        return _state(count >= condition.at_least), phrase(
            "{} of {} so far", count, condition.at_least
        )
    if condition.by is None:
        return REST, ""
    counted = [system for system in scenario.systems if condition.counts(system)]
    known = {row.system: row for row in view.systems}
    members = {power.id for power in _side(scenario, condition.by)}
    superior = {key for key, row in known.items() if row.superior in members}
    theirs = [system for system in counted if system.id in superior]
    holds = len(theirs) >= condition.at_least and superior.issuperset(condition.including)
    so_far = phrase("{} of {} as far as you know", len(theirs), condition.at_least)
    if not theirs:
        return _state(holds), so_far
    names = joined_phrases(", ", (_aged(system, known[system.id], view.week) for system in theirs))
    return _state(holds), phrase("{}: {}", so_far, names)


def _aged(system: StarSystem, known: KnownSystem, week: int) -> str:
    """A system with the week of what is known of it, where that is not this one."""
    return system.name if known.week >= week else phrase("{} (week {})", system.name, known.week)


def _side(scenario: Scenario, name: str | None) -> list[Faction]:
    """The factions of a side: one faction, or the members of an alliance; of None nobody."""
    return [
        power
        for power in scenario.factions
        if name is not None and name in (power.id, power.alliance)
    ]


def _called(scenario: Scenario, side: str) -> str:
    """A faction or an alliance by name: an alliance by its members'."""
    return joined_phrases(" and ", (power.name for power in _side(scenario, side)))


def _state(holds: bool) -> str:
    return HOLDS if holds else FAILS
