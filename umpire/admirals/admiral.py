"""Orders of a computer admiral for every stage, from a faction's View and the admiral's own dice.

At deployment, the admiral places the ships of the default force list. Where the rules allow several
starting systems, dice choose the disposition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, count
from operator import attrgetter

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
from umpire.admirals.convoys import plan_convoys
from umpire.admirals.feints import dummy_moves, place_dummies
from umpire.admirals.gate_routes import reroute_at_gates
from umpire.admirals.set_ups import choose_set_ups
from umpire.admirals.shipbuilding import build_orders
from umpire.admirals.situation import Situation, VictoryAims
from umpire.admirals.strength import estimator_of
from umpire.admirals.supplies import with_supplies_planned
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
UNARMED_WEIGHT = 0.01  # added to each ship's strength, so that unarmed ships are spread too


def deployment(scenario: Scenario, faction: str, character: Character, dice: Dice) -> Orders:
    """Return deployment orders for the default force list.

    The dice choose a disposition for each part of the force that may begin in several systems.
    """
    fleets = default_force(scenario, faction)
    doctrine = Doctrine(targets=character.targets, break_off=character.break_off)
    force: list[DeployedFleet] = []
    for budget in sorted(budgets_of(scenario, faction).values(), key=attrgetter("id")):
        part = [fleet for fleet in fleets if fleet.budget == budget.id]
        places = places_of(scenario, budget)
        if len(places) > 1 and part:
            name, shares = _choose_disposition(faction, dice)
            if shares:
                part = _distribute(
                    scenario, faction, part, places, disposition=name, shares=shares, taken=force
                )
        force.extend(part)
    force.sort(key=attrgetter("name"))
    return Orders(deploy=tuple(replace(fleet, doctrine=doctrine) for fleet in force))


def dispositions(
    scenario: Scenario, faction: str
) -> tuple[tuple[str, tuple[DeployedFleet, ...]], ...]:
    """Return the different forces an admiral may begin with, as (disposition name, fleets).

    No dice are rolled. Fleets have no doctrine, because players set their own. A part of the force
    with only one possible place is divided into fleets at that place.
    """
    fleets = default_force(scenario, faction)
    name_of: dict[tuple[DeployedFleet, ...], str] = {}
    budgets = sorted(budgets_of(scenario, faction).values(), key=attrgetter("id"))
    for name, _, shares in DISPOSITIONS:
        fleets_now: list[DeployedFleet] = []
        for budget in budgets:
            part = [fleet for fleet in fleets if fleet.budget == budget.id]
            if shares and part and budget.ftl != "none":
                places = places_of(scenario, budget)
                part = _distribute(
                    scenario,
                    faction,
                    part,
                    places,
                    disposition=name,
                    shares=shares,
                    taken=fleets_now,
                )
            fleets_now.extend(part)
        force = tuple(sorted(fleets_now, key=attrgetter("name")))
        if not deploy_faults(scenario, faction, force):
            name_of.setdefault(force, name)
    return tuple((name, force) for force, name in name_of.items())


def _choose_disposition(faction: str, dice: Dice) -> tuple[str, tuple[int, ...]]:
    """Choose a disposition by dice; return its name and shares."""
    choices = [(weight, (name, shares)) for name, weight, shares in DISPOSITIONS]
    return choose_weighted(dice, f"{faction}/disposition", choices)


def _distribute(
    scenario: Scenario,
    faction: str,
    fleets: Sequence[DeployedFleet],
    places: Sequence[str],
    *,
    disposition: str,
    shares: Sequence[int],
    taken: Iterable[DeployedFleet],
) -> list[DeployedFleet]:
    """Divide a part of the force by shares of its strength over the best places.

    Args:
        fleets: The part of the default force list, all of one budget.
        places: The hexes where its fleets may begin.
        taken: The fleets of other parts, whose names are taken.
    """
    budget = fleets[0].budget
    hexes = list(places)
    if len(places) > 1:
        hexes = _best_places(scenario, faction, places, disposition)
    decoys_left = sum(fleet.decoys for fleet in fleets)
    names = _free_names(taken)
    result: list[DeployedFleet] = []
    for number, group in enumerate(_divide_ships(scenario, fleets, shares), start=1):
        if group:
            aboard = min(decoys_left, len(group))
            decoys_left -= aboard
            result.append(
                DeployedFleet(
                    name=next(names),
                    budget=budget,
                    hex=hexes[min(number, len(hexes)) - 1],
                    ships=tuple(sorted(group)),
                    decoys=aboard,
                )
            )
    return result


def _free_names(taken: Iterable[DeployedFleet]) -> Iterator[str]:
    """Yield names of task forces that no other fleet has."""
    used = {fleet.name for fleet in taken}
    for number in count(1):
        name = phrase("Task Force {}", number)
        if name not in used:
            yield name


def _divide_ships(
    scenario: Scenario, fleets: Iterable[DeployedFleet], shares: Sequence[int]
) -> list[list[tuple[str, str]]]:
    """Divide the ships of some fleets into groups whose strengths are in these shares.

    The strongest ships are assigned first, each to the group that lacks most.
    """
    strengths = estimator_of(scenario).strengths
    ships = list(chain.from_iterable(fleet.ships for fleet in fleets))
    ships.sort(key=lambda ship: (-strengths[ship[0]], ship))
    groups: list[list[tuple[str, str]]] = [[] for _ in shares]
    weights = [0.0 for _ in shares]
    for ship in ships:
        lightest = min(range(len(shares)), key=lambda n: (weights[n] / shares[n], n))
        groups[lightest].append(ship)
        weights[lightest] += strengths[ship[0]] + UNARMED_WEIGHT
    return groups


def _best_places(
    scenario: Scenario, faction: str, places: Sequence[str], disposition: str
) -> list[str]:
    """Return the places in the order in which a disposition uses them.

    Systems of the side come first. A reserve begins close to them and away from settlements; other
    forces begin where most can be won.
    """
    aims, chart = VictoryAims(scenario, faction), star_map(scenario)
    system_at = {system.hex: system for system in scenario.systems}
    own_systems = [system for system in scenario.systems if system.owner in aims.side]

    def remoteness(system: StarSystem) -> float:
        """Return the sum of distances to the side's own systems, weighted by their value."""
        return sum(
            (chart.distance(system.hex, other.hex) or 0) * aims.want[other.id]
            for other in own_systems
        )

    allowed = [system_at[hex_] for hex_ in places]
    candidates = [system for system in allowed if system.owner in aims.side] or allowed
    if disposition == "reserve":
        unsettled = [system for system in candidates if not system.settled] or candidates
        ranked = sorted(unsettled, key=lambda system: (remoteness(system), system.hex))
    else:
        ranked = sorted(
            candidates,
            key=lambda system: (-aims.want[system.id], remoteness(system), system.hex),
        )
    return [system.hex for system in ranked]


def orders_for(scenario: Scenario, view: View, admiral: str | Character, dice: Dice) -> Orders:
    """Return legal orders for the current stage of a View.

    Args:
        admiral: A character or its name; "" means steady.

    Raises:
        RuleViolations: If no character has that name.
    """
    if isinstance(admiral, Character):
        character = admiral
    else:
        character = find_character(admiral)
    if view.stage == StageKind.DEPLOY:
        orders = deployment(scenario, view.faction, character, dice)
        return replace(orders, dummies=place_dummies(scenario, view.faction, orders.deploy))
    if view.stage == StageKind.ORDERS:
        convoys = plan_convoys(scenario, view)
        situation = Situation(scenario, convoys.rest_of(view))
        orders = convoys.added_to(week_orders(situation, character, dice))
        # Convoys use up the capacity of gates too, so all moves are judged together.
        orders = reroute_at_gates(Situation(scenario, view), orders)
        orders = with_supplies_planned(scenario, view, orders)
        moves = (*orders.moves, *dummy_moves(scenario, view, orders.moves, dice))
        orders = replace(orders, build=build_orders(situation, view), moves=moves)
        return with_advice(scenario, view, orders)
    if view.stage == StageKind.DECISIONS:
        return _decisions(Situation(scenario, view), character, dice)
    if view.stage == StageKind.BATTLES:
        orders = _doctrines(Situation(scenario, view), character)
        return replace(orders, set_up=choose_set_ups(scenario, view))
    return Orders()


def _decisions(situation: Situation, character: Character, dice: Dice) -> Orders:
    """Return the admiral's choice wherever a decision is open."""
    decisions = []
    for item in situation.view.open_decisions:
        if item.fixed is None:
            choice = choose_decision(
                situation, character, hex_=item.hex, toward=item.toward, dice=dice
            )
            decisions.append(Decision(item.hex, item.toward, choice))
    return Orders(decide=tuple(sorted(decisions, key=attrgetter("hex", "toward"))))


def _doctrines(situation: Situation, character: Character) -> Orders:
    """Return the doctrine of each fleet that has to fight."""
    settings = []
    for fleet in situation.view.fleets:
        if fleet.hex in situation.view.fighting and not fleet.in_ftl:
            doctrine = choose_doctrine(situation, character, fleet.hex)
            settings.append(FleetSetting(fleet.key, doctrine=doctrine))
    return Orders(settings=tuple(sorted(settings, key=attrgetter("fleet"))))
