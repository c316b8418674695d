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
from campaign.rules.view import Fleet, View
from engine.core.dice import Dice
from umpire.admirals.character import choose_weighted

STAY_WEIGHT, ALONG_WEIGHT, ALONE_WEIGHT = 4.0, 3.0, 2.0


def place_dummies(
    scenario: Scenario, faction: str, fleets: Sequence[DeployedFleet]
) -> tuple[Dummy, ...]:
    """Place all dummy counters beside the fleets in turn, starting with fleets that can leave.

    Rules: 2E "Use of an umpire" [camp.open-play]
    """
    bound = {budget.id for budget in scenario.budgets if budget.ftl == "none"}
    places = [
        fleet.hex for fleet in sorted(fleets, key=lambda fleet: (fleet.budget in bound, fleet.name))
    ]
    if places:
        count = dummies_allowed(scenario, len(fleets))
    else:
        count = 0
    dummies: list[Dummy] = []
    for n in range(count):
        dummies.append(Dummy(f"{faction}/d{n + 1}", places[n % len(places)]))
    return tuple(dummies)


def dummy_moves(
    scenario: Scenario, view: View, moves: Iterable[Move], dice: Dice
) -> tuple[Move, ...]:
    """Return this week's moves of the dummy counters on the map.

    Rules: 2E "Use of an umpire" [camp.open-play]
    """
    here = {fleet.key: fleet.hex for fleet in view.fleets}
    leaving: dict[str, list[str]] = {}
    for move in moves:
        leaving.setdefault(here.get(move.fleet, ""), []).append(move.to or move.path[-1])
    avoided = _avoided_hexes(scenario, view)
    result = []
    for dummy in view.dummies:
        goal = _dummy_goal(scenario, view, dummy, leaving.get(dummy.hex, ()), avoided, dice)
        if goal:
            result.append(Move(dummy.key, to=goal))
    return tuple(result)


def _dummy_goal(
    scenario: Scenario,
    view: View,
    dummy: Fleet,
    along: Sequence[str],
    avoided: frozenset[str],
    dice: Dice,
) -> str:
    """Return the hex a counter moves to, or "" if it stays."""
    if pending_entry_week(scenario, dummy, view.week) is not None:
        return ""
    near = {label for label, _ in reachable_hexes(scenario, view, dummy.key)} - avoided
    alone = [system.hex for system in scenario.systems if system.hex in near]
    choices = [(STAY_WEIGHT, "")]
    choices += [(ALONG_WEIGHT / len(along), label) for label in along if label in near]
    choices += [(ALONE_WEIGHT / len(alone), label) for label in alone]
    return choose_weighted(dice, f"{dummy.key}/feint", choices)


def _avoided_hexes(scenario: Scenario, view: View) -> frozenset[str]:
    """Return the hexes that would expose a counter: hostile settlements and hostile markers."""
    enemies = set()
    for power in scenario.factions:
        if are_hostile(scenario, power.id, view.faction):
            enemies.add(power.id)
    settled = (
        system.hex for system in scenario.systems if system.settled and system.owner in enemies
    )
    return frozenset(
        (*settled, *(marker.hex for marker in view.markers if marker.faction in enemies))
    )
