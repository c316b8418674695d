"""The objectives of a war as a faction may read them, and the points of all after the war. Pure.

The other conditions of victory are in `campaign.web.objectives`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from campaign.rules.encountered_classes import EncounteredClass
from campaign.rules.known_objectives import known_scenario
from campaign.rules.objectives import FULL, counts_class, nearness, points_for, score_of, wanted
from campaign.rules.queries import members_of, ship_classes
from campaign.rules.scenario import Objective, Scenario, ShipClass
from campaign.rules.view import ObjectiveState, View
from campaign.web.seat_marks import seat_classes
from campaign.words.objectives import objective_words
from engine.core.phrase import phrase
from engine.english import counted_noun, per_cent

Encounter = tuple[int, EncounteredClass]  # the week of a battle, and a class met in it


@dataclass(frozen=True, slots=True)
class ObjectiveLine:
    """An objective of a faction.

    Attributes:
        faction: Its id.
        reached: The number reached, or None where the reader cannot know it.
        scored: The points for that, or None.
        percent: How near it is, for a bar; 0 where the reader cannot know it.
    """

    faction: str
    id: str
    kind: str
    text: str
    points: int
    by: int
    is_secret: bool
    is_own: bool
    wanted: int
    reached: int | None = None
    scored: int | None = None
    percent: int = 0

    @property
    def is_share(self) -> bool:
        """Whether it is reached by a share, which is shown in percent."""
        return self.kind in ("lose-less", "deny")

    @property
    def percent_text(self) -> str:
        """How near it is, in percent."""
        return per_cent(self.percent)

    @property
    def points_text(self) -> str:
        """Its points in words, how many of them it scores, and whether it is secret."""
        points = counted_noun(self.points, "point")
        if self.scored is not None:
            points = phrase("{} of {}", self.scored, points)
        if self.is_secret:
            return phrase("{}, secret", points)
        return points


@dataclass(frozen=True, slots=True)
class FactionObjectives:
    """The objectives of a faction that the reader may know.

    Attributes:
        seat: The CSS class of the faction's colour.
        scored: The points that it has, or None where the reader cannot know them.
        most: The points of all these objectives.
    """

    faction: str
    name: str
    seat: str
    is_own: bool
    lines: tuple[ObjectiveLine, ...]
    scored: int | None
    most: int


def objectives_for(
    scenario: Scenario, view: View, encounters: Sequence[Encounter] = ()
) -> tuple[FactionObjectives, ...]:
    """Return all objectives that a faction may read, its own first.

    Args:
        scenario: The whole scenario. Secret objectives of others are shown after the war.
        encounters: The classes that the faction met in its battles, each with the week. They tell
            which ships of others it saw destroyed.
    """
    if view.result is not None:
        return _by_faction(scenario, view.objectives, reader=view.faction, measured=None)
    scenario = known_scenario(scenario, view.faction)
    states = _with_seen_losses(scenario, view, encounters)
    return _by_faction(scenario, states, reader=view.faction, measured=view.faction)


def wants_ships_destroyed(scenario: Scenario, faction: str) -> bool:
    """Return whether an objective of a faction counts destroyed ships."""
    return any(
        objective.faction == faction and objective.kind == "destroy"
        for objective in scenario.objectives
    )


def _with_seen_losses(
    scenario: Scenario, view: View, encounters: Sequence[Encounter]
) -> tuple[ObjectiveState, ...]:
    """Return the known states of objectives, with the ships that were seen destroyed."""
    states = {state.key: state for state in view.objectives}
    classes = ship_classes(scenario)
    for objective in scenario.objectives:
        is_own = objective.faction == view.faction and objective.kind == "destroy"
        if not is_own or objective.ship_names:
            continue
        known_state = states.get(objective.key, ObjectiveState(objective.key))
        destroyed = _seen_destroyed(scenario, objective, classes, encounters)
        if destroyed > known_state.reached or objective.key not in states:
            reached = max(destroyed, known_state.reached)
            states[objective.key] = replace(known_state, reached=reached)
    return tuple(states.values())


def _seen_destroyed(
    scenario: Scenario,
    objective: Objective,
    classes: Mapping[str, ShipClass],
    encounters: Sequence[Encounter],
) -> int:
    """Return how many ships an objective counts that were seen destroyed, or their points."""
    members = members_of(scenario, objective.of)
    result = 0
    for week, encounter in encounters:
        ship_class = classes.get(encounter.cls)
        is_counted = week <= objective.by and encounter.faction in members
        if ship_class is None or not is_counted or not counts_class(objective, ship_class):
            continue
        worth = ship_class.points if objective.measure == "points" else 1
        result += encounter.destroyed * worth
    return result


def public_objectives(scenario: Scenario) -> tuple[FactionObjectives, ...]:
    """Return the objectives that everybody may read before the war."""
    return _by_faction(known_scenario(scenario, None), (), reader="", measured="")


def all_objectives(
    scenario: Scenario, states: Iterable[ObjectiveState]
) -> tuple[FactionObjectives, ...]:
    """Return the objectives of all factions with what they have reached, for the umpire."""
    return _by_faction(scenario, tuple(states), reader="", measured=None)


def _by_faction(
    scenario: Scenario,
    states: tuple[ObjectiveState, ...],
    *,
    reader: str,
    measured: str | None,
) -> tuple[FactionObjectives, ...]:
    """Return the objectives of each faction that has any.

    Args:
        reader: The faction that reads them, or "".
        measured: The faction whose progress is shown; None: that of all.
    """
    reached = {state.key: state.reached for state in states}
    seats = seat_classes(scenario)
    result = []
    for faction in sorted(scenario.factions, key=lambda item: (item.id != reader, item.id)):
        own = [item for item in scenario.objectives if item.faction == faction.id]
        is_measured = measured in (None, faction.id)
        numbers = reached if is_measured else {}
        lines = tuple(_line(scenario, item, numbers, reader) for item in own)
        score = score_of(scenario, states, (faction.id,))
        if lines:
            result.append(
                FactionObjectives(
                    faction=faction.id,
                    name=faction.name,
                    seat=seats[faction.id],
                    is_own=faction.id == reader,
                    lines=lines,
                    scored=score.points if is_measured else None,
                    most=score.of,
                )
            )
    return tuple(result)


def _line(
    scenario: Scenario, objective: Objective, reached: Mapping[str, int], reader: str
) -> ObjectiveLine:
    """Return an objective, with its progress if the reader knows it."""
    number = reached.get(objective.key)
    scored = None
    percent = 0
    if number is not None:
        scored = points_for(objective, number)
        percent = 100 * nearness(objective, number) // FULL
    return ObjectiveLine(
        faction=objective.faction,
        id=objective.id,
        kind=objective.kind,
        text=objective_words(scenario, objective),
        points=objective.points,
        by=objective.by,
        is_secret=objective.secret,
        is_own=objective.faction == reader,
        wanted=wanted(objective),
        reached=number,
        scored=scored,
        percent=percent,
    )
