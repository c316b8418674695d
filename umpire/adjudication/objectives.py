"""The objectives of all factions at a week's end, measured by the truth, and the end of the war."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from campaign.rules.objectives import WeekEnd, judge, states_after
from campaign.rules.queries import pending_entry_week
from campaign.rules.scenario import Condition
from campaign.rules.world import Fleet, ObjectiveState, World
from umpire.adjudication.indexes import ScenarioIndex
from umpire.adjudication.superiority import find_end_condition


def measure_objectives(index: ScenarioIndex, world: World, week: int) -> World:
    """Return the world with the states of all objectives at the end of a week.

    Args:
        week: The week that ends; 0 is the deployment.
    """
    objectives = index.scenario.objectives
    if not objectives:
        return world
    superior = {}
    for holding in world.holdings:
        if holding.superior is not None:
            superior[holding.system] = holding.superior
    facts = WeekEnd(
        scenario=index.scenario,
        week=week,
        superior=superior,
        ships=world.ships,
        losses=tuple(loss.ship for loss in world.losses),
        undisturbed=undisturbed_hexes(index, world),
        deliveries=world.deliveries,
        ground=world.ground,
    )
    return replace(world, objectives=states_after(objectives, world.objectives, facts))


def begin_objectives(index: ScenarioIndex, world: World, weeks_held: Mapping[str, int]) -> World:
    """Return a world that begins in the middle of a war, with the states of all objectives.

    The week before ended with the same fleets in their places.

    Args:
        weeks_held: For how many weeks a system has been held before; others for one week.
    """
    states = []
    for objective in index.scenario.objectives:
        streaks = [(system, max(0, weeks - 1)) for system, weeks in weeks_held.items()]
        states.append(ObjectiveState(objective.key, streaks=tuple(sorted(streaks))))
    world = replace(world, objectives=tuple(states))
    return measure_objectives(index, world, world.week - 1)


def undisturbed_hexes(index: ScenarioIndex, world: World) -> dict[str, str]:
    """Return the hex of each fleet that no hostile operational warship disturbs, by fleet.

    Fleets in FTL space and fleets that have not entered the map are left out.
    """
    on_map = [fleet for fleet in world.fleets if _is_on_map(index, world, fleet)]
    warships_of = _factions_with_warships(index, world, on_map)
    result: dict[str, str] = {}
    for fleet in on_map:
        armed = warships_of.get(fleet.hex, set())
        if not any(index.are_hostile(fleet.faction, power) for power in armed):
            result[fleet.key] = fleet.hex
    return result


def _is_on_map(index: ScenarioIndex, world: World, fleet: Fleet) -> bool:
    return not fleet.in_ftl and pending_entry_week(index.scenario, fleet, world.week) is None


def _factions_with_warships(
    index: ScenarioIndex, world: World, fleets: Iterable[Fleet]
) -> dict[str, set[str]]:
    """Return the factions that have operational warships in a hex, by hex."""
    fleet_of = {fleet.key: fleet for fleet in fleets}
    result: dict[str, set[str]] = {}
    for ship in world.ships:
        fleet = fleet_of.get(ship.fleet)
        if fleet is not None and index.is_operational(ship):
            result.setdefault(fleet.hex, set()).add(fleet.faction)
    return result


def find_end(index: ScenarioIndex, world: World) -> Condition | None:
    """Return how the war ends after this week: by its conditions, else by its objectives.

    Returns None if the war continues.

    Rules: 2E "Campaign objectives" [camp.objectives], [camp.closest]
    """
    condition = find_end_condition(
        index, world.holdings, world.week, world.ground, world.objectives
    )
    if condition is None:
        condition = judge(index.scenario, world.objectives, world.week)
    if condition is None and world.week >= index.scenario.weeks:
        return Condition("undecided")
    return condition
