"""Orders of a computer admiral for every stage, from a faction's View and the admiral's own dice.

At deployment, the admiral places the ships of the default force list. Where the rules allow several
starting systems, dice choose the disposition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from campaign.kinds import StageKind
from campaign.orders.deploy import deploy_faults
from campaign.orders.registry import with_advice
from campaign.rules.forces import default_force, places_of
from campaign.rules.orders import Decision, DeployedFleet, FleetSetting, Orders
from campaign.rules.queries import budgets_of
from campaign.rules.scenario import Scenario, StarSystem
from campaign.rules.starmap import star_map
from campaign.rules.view import Doctrine, View
from engine.core.dice import Dice
from engine.core.phrase import phrase
from umpire.admirals.character import Character, choose_weighted, find_character
from umpire.admirals.contact_choice import choose_decision, choose_doctrine
from umpire.admirals.feints import dummy_moves, place_dummies
from umpire.admirals.gate_routes import reroute_at_gates
from umpire.admirals.shipbuilding import build_orders
from umpire.admirals.situation import Situation, VictoryAims
from umpire.admirals.strength import estimator_of
from umpire.admirals.week_plan import week_orders

# Dispositions of a mobile force: name, weight, and the percentage of the force at each of the best
# places. An empty tuple keeps the default force list.
DISPOSITIONS: tuple[tuple[str, float, tuple[int, ...]], ...] = (
    ("as listed", 2.0, ()),
    ("massed", 2.0, (100,)),
    ("two fleets", 2.0, (65, 35)),
    ("forward", 1.0, (50, 30, 20)),
    ("reserve", 2.0, (100,)),
)


def deployment(scenario: Scenario, faction: str, character: Character, dice: Dice) -> Orders:
    """Return deployment orders for the default force list.

    The dice choose a disposition for each part of the force that may begin in several systems.
    """
    fleets = default_force(scenario, faction)
    doctrine = Doctrine(targets=character.targets, break_off=character.break_off)
    placed: list[DeployedFleet] = []
    for budget in sorted(budgets_of(scenario, faction).values(), key=lambda budget: budget.id):
        mine = [fleet for fleet in fleets if fleet.budget == budget.id]
        places = places_of(scenario, budget)
        if len(places) > 1 and mine:
            name, shares = _disposition(faction, dice)
            if shares:
                mine = _distribute(scenario, faction, mine, places, name, shares)
        placed.extend(mine)
    return Orders(
        deploy=tuple(
            DeployedFleet(
                fleet.name,
                fleet.budget,
                fleet.hex,
                fleet.ships,
                fleet.decoys,
                fleet.standing,
                doctrine,
            )
            for fleet in sorted(placed, key=lambda fleet: fleet.name)
        )
    )


def dispositions(
    scenario: Scenario, faction: str
) -> tuple[tuple[str, tuple[DeployedFleet, ...]], ...]:
    """Return the different forces an admiral may begin with, as (disposition name, fleets).

    No dice are rolled. Fleets have no doctrine, because players set their own. A part of the force
    with only one possible place is divided into fleets at that place.
    """
    fleets, name_of = default_force(scenario, faction), dict[tuple[DeployedFleet, ...], str]()
    budgets = sorted(budgets_of(scenario, faction).values(), key=lambda budget: budget.id)
    for name, _, shares in DISPOSITIONS:
        placed: list[DeployedFleet] = []
        for budget in budgets:
            mine = [fleet for fleet in fleets if fleet.budget == budget.id]
            if shares and mine and budget.ftl != "none":
                mine = _distribute(
                    scenario, faction, mine, places_of(scenario, budget), name, shares
                )
            placed.extend(mine)
        force = tuple(sorted(placed, key=lambda fleet: fleet.name))
        if not deploy_faults(scenario, faction, force):
            name_of.setdefault(force, name)
    return tuple((name, force) for force, name in name_of.items())


def _disposition(faction: str, dice: Dice) -> tuple[str, tuple[int, ...]]:
    return choose_weighted(
        dice,
        f"{faction}/disposition",
        [(weight, (name, shares)) for name, weight, shares in DISPOSITIONS],
    )


def _distribute(
    scenario: Scenario,
    faction: str,
    fleets: Sequence[DeployedFleet],
    places: Sequence[str],
    name: str,
    shares: Sequence[int],
) -> list[DeployedFleet]:
    """Divide a part of the force by shares of its strength over the best places."""
    estimator = estimator_of(scenario)
    ships = sorted(
        (ship for fleet in fleets for ship in fleet.ships),
        key=lambda ship: (-estimator.strengths[ship[0]], ship),
    )
    if len(places) > 1:
        where = _best_places(scenario, faction, places, name)
    else:
        where = list(places)
    groups: list[list[tuple[str, str]]] = [[] for _ in shares]
    weights = [0.0 for _ in shares]
    for ship in ships:
        lightest = min(range(len(shares)), key=lambda n: (weights[n] / shares[n], n))
        groups[lightest].append(ship)
        weights[lightest] += estimator.strengths[ship[0]] + 0.01
    drones = sum(fleet.decoys for fleet in fleets)
    result: list[DeployedFleet] = []
    for n, group in enumerate(groups):
        if group:
            aboard = min(drones, len(group))
            drones -= aboard
            hex_ = where[min(n, len(where) - 1)]
            result.append(
                DeployedFleet(
                    phrase("Task Force {}", n + 1),
                    fleets[0].budget,
                    hex_,
                    tuple(sorted(group)),
                    aboard,
                )
            )
    return result


def _best_places(scenario: Scenario, faction: str, places: Sequence[str], name: str) -> list[str]:
    """Return the places in the order in which a disposition uses them."""
    aims, chart = VictoryAims(scenario, faction), star_map(scenario)
    at = {system.hex: system for system in scenario.systems}
    own_systems = [system for system in scenario.systems if system.owner in aims.side]

    def far(system: StarSystem) -> float:
        """Return the sum of distances to the side's own systems, weighted by their value."""
        return sum(
            (chart.distance(system.hex, other.hex) or 0) * aims.want[other.id]
            for other in own_systems
        )

    candidates = [at[hex_] for hex_ in places if at[hex_].owner in aims.side] or [
        at[hex_] for hex_ in places
    ]
    if name == "reserve":
        open_ = [system for system in candidates if not system.settled] or candidates
        return [
            system.hex for system in sorted(open_, key=lambda system: (far(system), system.hex))
        ]
    ranked = sorted(candidates, key=lambda system: (-aims.want[system.id], far(system), system.hex))
    return [system.hex for system in ranked]


def orders_for(scenario: Scenario, view: View, admiral: str | Character, dice: Dice) -> Orders:
    """Return legal orders for the current stage of a View.

    Args:
        admiral: A character or its name; "" means steady.

    Raises:
        RuleViolations: If no character has that name.
    """
    if isinstance(admiral, Character):
        traits = admiral
    else:
        traits = find_character(admiral)
    if view.stage == StageKind.DEPLOY:
        orders = deployment(scenario, view.faction, traits, dice)
        return replace(orders, dummies=place_dummies(scenario, view.faction, orders.deploy))
    if view.stage == StageKind.ORDERS:
        situation = Situation(scenario, view)
        orders = replace(
            reroute_at_gates(situation, week_orders(situation, traits, dice)),
            build=build_orders(situation),
        )
        orders = replace(
            orders, moves=(*orders.moves, *dummy_moves(scenario, view, orders.moves, dice))
        )
        return with_advice(scenario, view, orders)
    if view.stage == StageKind.DECISIONS:
        return _decisions(Situation(scenario, view), traits, dice)
    if view.stage == StageKind.BATTLES:
        return _doctrines(Situation(scenario, view), traits)
    return Orders()


def _decisions(situation: Situation, traits: Character, dice: Dice) -> Orders:
    undecided = [item for item in situation.view.open_decisions if item.fixed is None]
    decide = [
        Decision(
            item.hex, item.toward, choose_decision(situation, traits, item.hex, item.toward, dice)
        )
        for item in undecided
    ]
    return Orders(decide=tuple(sorted(decide, key=lambda item: (item.hex, item.toward))))


def _doctrines(situation: Situation, traits: Character) -> Orders:
    settings = []
    for fleet in situation.view.fleets:
        if fleet.hex in situation.view.fighting and not fleet.in_ftl:
            settings.append(
                FleetSetting(fleet.key, doctrine=choose_doctrine(situation, traits, fleet.hex))
            )
    return Orders(settings=tuple(sorted(settings, key=lambda item: item.fleet)))
