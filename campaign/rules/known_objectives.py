"""What a faction may know of a scenario, and how far it knows its own objectives to be. Pure.

Everything is worked out from the faction's own view, so that nothing hidden can change it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from campaign.events.battles import BattleOver
from campaign.kinds import StageKind
from campaign.rules.objective_checks import ALL
from campaign.rules.objectives import WeekEnd, states_after
from campaign.rules.queries import members_of, pending_entry_week, with_known_designs
from campaign.rules.scenario import Objective, Scenario
from campaign.rules.view import Notice, View
from campaign.rules.world import ObjectiveState, Ship


def known_scenario(scenario: Scenario, faction: str | None) -> Scenario:
    """Return a scenario without the secret objectives and the mines of other factions.

    Args:
        faction: The faction that reads it; None: without those of any faction.
    """
    readable = []
    for objective in scenario.objectives:
        if not objective.secret or objective.faction == faction:
            readable.append(objective)
    systems = []
    for system in scenario.systems:
        mines = tuple(mine for mine in system.mines if mine.faction == faction)
        systems.append(system if mines == system.mines else replace(system, mines=mines))
    if (tuple(readable), tuple(systems)) == (scenario.objectives, scenario.systems):
        return scenario
    return replace(scenario, objectives=tuple(readable), systems=tuple(systems))


def known_states(
    scenario: Scenario, view: View, before: Iterable[ObjectiveState]
) -> tuple[ObjectiveState, ...]:
    """Return the states of the objectives whose progress a faction can follow.

    These are its own objectives, as far as its view tells, and those of others that it is to deny.
    They change at the end of a week.

    Args:
        view: The faction's view now, without these states.
        before: The states that it knew before.
    """
    before = tuple(before)
    if view.stage != StageKind.ORDERS:
        return before
    scenario = with_known_designs(known_scenario(scenario, view.faction), view)
    own = [objective for objective in scenario.objectives if objective.faction == view.faction]
    denied_keys = {objective.of for objective in own}
    followed = []
    for objective in scenario.objectives:
        is_followed = objective.faction == view.faction or objective.key in denied_keys
        if is_followed and _is_measurable(scenario, view, objective):
            followed.append(objective)
    states = states_after(followed, before, _facts(scenario, view))
    losses_seen = _seen_losses(scenario, view, before)
    return (*states, *losses_seen)


def final_states(
    scenario: Scenario, states: Iterable[ObjectiveState], faction: str
) -> tuple[ObjectiveState, ...]:
    """Return the states of all objectives after the war, without the keys of others' ships."""
    own = {objective.key for objective in scenario.objectives if objective.faction == faction}
    return tuple(state if state.key in own else replace(state, ships=()) for state in states)


def _is_measurable(scenario: Scenario, view: View, objective: Objective) -> bool:
    """Return whether the facts of a view are enough to measure an objective."""
    own_only = (view.faction,)
    if objective.kind == "destroy":
        return members_of(scenario, objective.of) == own_only
    if objective.kind == "deny":
        denied = [item for item in scenario.objectives if item.key == objective.of]
        return bool(denied) and _is_measurable(scenario, view, denied[0])
    return objective.faction == view.faction or objective.kind in ("hold", "ruins")


def _facts(scenario: Scenario, view: View) -> WeekEnd:
    """Return what a faction knows at the end of a week."""
    superior = {item.system: item.superior for item in view.systems if item.superior is not None}
    disputed = {contact.hex for contact in view.in_contact}
    undisturbed = {}
    for fleet in view.fleets:
        is_away = fleet.in_ftl or pending_entry_week(scenario, fleet, view.week) is not None
        if not is_away and fleet.hex not in disputed:
            undisturbed[fleet.key] = fleet.hex
    losses = [Ship("", view.faction, loss.name, loss.cls, "") for loss in view.losses]
    return WeekEnd(
        scenario=scenario,
        week=view.week - 1,
        superior=superior,
        ships=view.ships,
        losses=losses,
        undisturbed=undisturbed,
        deliveries=view.deliveries,
        ground=view.ground,
    )


def _seen_losses(
    scenario: Scenario, view: View, before: Iterable[ObjectiveState]
) -> list[ObjectiveState]:
    """Count the ships that others lost in battles of the faction, if all ships count.

    After a battle each side learns how many ships the others lost, but not which.
    """
    reached = {state.key: state.reached for state in before}
    states = []
    for objective in scenario.objectives:
        counts_all = objective.ships == ALL and objective.measure == "ships"
        is_own = objective.faction == view.faction and objective.kind == "destroy"
        if not is_own or not counts_all or _is_measurable(scenario, view, objective):
            continue
        number = reached.get(objective.key, 0)
        if view.week - 1 <= objective.by:
            lost = _losses_in(view.notices)
            number += sum(lost.get(power, 0) for power in members_of(scenario, objective.of))
        states.append(ObjectiveState(objective.key, number))
    return states


def _losses_in(notices: Iterable[Notice]) -> Mapping[str, int]:
    """Return how many ships each faction lost in the battles of some notices."""
    result: dict[str, int] = {}
    for notice in notices:
        if notice.code == BattleOver.code:
            event = BattleOver.from_facts((), notice.hex, notice.facts)
            for faction, number in event.losses:
                result[faction] = result.get(faction, 0) + number
    return result
