"""Dummy counters for games with open markers: where they start and where they move.

A counter's behaviour must not distinguish it from a fleet. Most counters stay, as garrisons do.
Some go along with a departing fleet, and some set out alone. None goes to a place where it would be
exposed at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from campaign.rules.markers import dummies_allowed
from campaign.rules.orders import DeployedFleet, Dummy, Move
from campaign.rules.queries import are_hostile, pending_entry_week
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import reachable_hexes
from campaign.rules.view import View
from engine.core.dice import Dice
from umpire.admirals.character import choose_weighted

# Weights of staying, of going along with a fleet that leaves, and of setting out alone.
STAY_WEIGHT, ALONG_WEIGHT, ALONE_WEIGHT = 4.0, 3.0, 2.0


def place_dummies(
    scenario: Scenario, faction: str, fleets: Sequence[DeployedFleet]
) -> tuple[Dummy, ...]:
    """Place all dummy counters beside the fleets in turn, starting with fleets that can leave.

    Rules: 2E "Use of an umpire" [camp.open-play]
    """
    if not fleets:
        return ()
    fixed_budgets = {budget.id for budget in scenario.budgets if budget.ftl == "none"}
    ordered = sorted(fleets, key=lambda fleet: (fleet.budget in fixed_budgets, fleet.name))
    dummies: list[Dummy] = []
    for n in range(dummies_allowed(scenario, len(fleets))):
        fleet = ordered[n % len(ordered)]
        dummies.append(Dummy(f"{faction}/d{n + 1}", fleet.hex))
    return tuple(dummies)


def dummy_moves(
    scenario: Scenario, view: View, moves: Iterable[Move], dice: Dice
) -> tuple[Move, ...]:
    """Return this week's moves of the dummy counters on the map.

    Rules: 2E "Use of an umpire" [camp.open-play]
    """
    hex_of = {fleet.key: fleet.hex for fleet in view.fleets}
    goals_from: dict[str, list[str]] = {}  # goals of the fleets that leave a hex
    for move in moves:
        start = hex_of.get(move.fleet, "")
        goals_from.setdefault(start, []).append(move.to or move.path[-1])
    avoided = _avoided_hexes(scenario, view)
    result = []
    for dummy in view.dummies:
        if pending_entry_week(scenario, dummy, view.week) is not None:
            continue
        reachable = {hex_ for hex_, _ in reachable_hexes(scenario, view, dummy.key)} - avoided
        fleet_goals = goals_from.get(dummy.hex, ())
        systems = [system.hex for system in scenario.systems if system.hex in reachable]
        choices = [(STAY_WEIGHT, "")]
        for hex_ in fleet_goals:
            if hex_ in reachable:
                choices.append((ALONG_WEIGHT / len(fleet_goals), hex_))
        for hex_ in systems:
            choices.append((ALONE_WEIGHT / len(systems), hex_))
        goal = choose_weighted(dice, f"{dummy.key}/feint", choices)
        if goal:
            result.append(Move(dummy.key, to=goal))
    return tuple(result)


def _avoided_hexes(scenario: Scenario, view: View) -> frozenset[str]:
    """Return the hexes that would expose a counter: hostile settlements and hostile markers."""
    enemies = set()
    for power in scenario.factions:
        if are_hostile(scenario, power.id, view.faction):
            enemies.add(power.id)
    avoided = {marker.hex for marker in view.markers if marker.faction in enemies}
    for system in scenario.systems:
        if system.settled and system.owner in enemies:
            avoided.add(system.hex)
    return frozenset(avoided)
