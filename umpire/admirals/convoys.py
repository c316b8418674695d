"""Convoys of a computer admiral: merchants load goods, carry them to their place and land them.

Fleets with merchants that have something to carry, and an escort for them, are taken out of the
plan for the week (`umpire.admirals.week_plan`); it plans for all other fleets.

Rules: 2E "Campaign objectives" [camp.objective-kinds]; 2E "Merchant ships" [camp.convoys]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from campaign.orders.land import Land
from campaign.orders.load import Load
from campaign.rules.arrivals import weekly_route
from campaign.rules.goods import goods_named, room_for
from campaign.rules.objectives import wanted
from campaign.rules.orders import Move, Orders
from campaign.rules.queries import (
    immobile_ships,
    pending_entry_week,
    ship_classes,
    ships_by_fleet,
    side_of,
    systems_by_hex,
)
from campaign.rules.scenario import Goods, Objective, Scenario, ShipClass
from campaign.rules.starmap import star_map
from campaign.rules.view import Fleet, Ship, View

MAX_SIGHTING_AGE = 1  # weeks; older sightings of foes do not keep a convoy away


@dataclass(slots=True)
class ConvoyPlan:
    """The orders of a week for convoys.

    Attributes:
        fleets: The fleets that they take, merchants and escorts.
    """

    fleets: set[str] = field(default_factory=set)
    loads: list[Load] = field(default_factory=list)
    lands: list[Land] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)

    def rest_of(self, view: View) -> View:
        """Return the view without the ships that are in convoys; their fleets keep their keys."""
        ships = tuple(ship for ship in view.ships if ship.fleet not in self.fleets)
        return replace(view, ships=ships)

    def added_to(self, orders: Orders) -> Orders:
        """Return orders with those of the convoys."""
        return replace(
            orders,
            moves=(*orders.moves, *self.moves),
            other_kinds=(*orders.other_kinds, *self.loads, *self.lands),
        )


def plan_convoys(scenario: Scenario, view: View) -> ConvoyPlan:
    """Return the orders for all fleets that have goods to carry, or ships to bring somewhere."""
    plan = ConvoyPlan()
    tasks = _open_tasks(scenario, view)
    if tasks:
        planner = _Planner(scenario, view, plan)
        for task in tasks:
            for fleet in view.fleets:
                planner.send(fleet, task)
    return plan


def _open_tasks(scenario: Scenario, view: View) -> list[Objective]:
    """Return the faction's own objectives to deliver or bring that are not reached yet."""
    reached = {state.key: state.reached for state in view.objectives}
    tasks = []
    for objective in scenario.objectives:
        is_own = objective.faction == view.faction and objective.kind in ("deliver", "bring")
        if is_own and reached.get(objective.key, 0) < wanted(objective):
            tasks.append(objective)
    return tasks


class _Planner:
    """Plans the way of each convoy by what a view tells."""

    def __init__(self, scenario: Scenario, view: View, plan: ConvoyPlan) -> None:
        self.scenario = scenario
        self.view = view
        self.plan = plan
        self.classes: Mapping[str, ShipClass] = ship_classes(scenario)
        self.ships_of = ships_by_fleet(view.ships)
        self.chart = star_map(scenario)
        self.hexes = {system.id: system.hex for system in scenario.systems}
        self.hostile = _hostile_hexes(scenario, view)
        # Fleets there fight, stand off or withdraw together: that is for the week's plan.
        self.contact_hexes = {contact.hex for contact in view.in_contact}
        self.stock = {(item.system, item.what): item.amount for item in view.goods}

    def send(self, fleet: Fleet, task: Objective) -> None:
        """Give a fleet its orders for a task, if it can do anything for it."""
        ships = self.ships_of.get(fleet.key, ())
        is_free = fleet.key not in self.plan.fleets and not fleet.in_ftl
        is_here = pending_entry_week(self.scenario, fleet, self.view.week) is None
        if not ships or not is_free or not is_here or fleet.hex in self.contact_hexes:
            return
        if immobile_ships(self.classes, ships):
            return
        if task.kind == "bring":
            self._bring(fleet, ships, task)
        else:
            self._deliver(fleet, ships, task)

    def _bring(self, fleet: Fleet, ships: Sequence[Ship], task: Objective) -> None:
        wanted_class = task.ships
        carried = []
        for ship in ships:
            kind = self.classes[ship.cls].classification
            if wanted_class in ("all", ship.cls, kind) or ship.name in task.ship_names:
                carried.append(ship)
        if carried:
            self._go(fleet, [self.hexes.get(place, place) for place in task.to])

    def _deliver(self, fleet: Fleet, ships: Sequence[Ship], task: Objective) -> None:
        goods = goods_named(self.scenario, task.what)
        if goods is None:
            return
        targets = [self.hexes[place] for place in task.to]
        loaded = [ship for ship in ships if _carries(ship, task.what)]
        empty = [ship for ship in ships if self._room(ship, goods)]
        if not loaded and not empty:
            return
        if empty and fleet.hex not in targets and self._load(fleet, empty, goods):
            loaded = [*loaded, *empty]
        if not loaded:
            sources = [self.hexes[system] for system in self._sources(task.what)]
            if sources:
                self._go(fleet, sources)
            return
        end = self._go(fleet, targets)
        if end in targets:
            self.plan.lands += [Land(ship.key, task.what) for ship in loaded]

    def _room(self, ship: Ship, goods: Goods) -> int:
        return room_for(self.scenario, self.classes[ship.cls], ship, goods)

    def _sources(self, what: str) -> list[str]:
        """Return the systems that have goods, as far as the faction knows."""
        return [system for (system, name), amount in self.stock.items() if name == what and amount]

    def _load(self, fleet: Fleet, ships: Sequence[Ship], goods: Goods) -> bool:
        """Load goods where a fleet is, and return whether each ship got some."""
        system = systems_by_hex(self.scenario).get(fleet.hex)
        own_side = side_of(self.scenario, self.view.faction)
        if system is None:
            return False
        holder = next(item.holder for item in self.view.systems if item.system == system.id)
        if holder is not None and holder not in own_side:
            return False
        for ship in ships:
            there = self.stock.get((system.id, goods.name), 0)
            amount = min(there, self._room(ship, goods))
            if not amount:
                return False
            self.stock[system.id, goods.name] = there - amount
            self.plan.loads.append(Load(ship.key, goods.name))
        return True

    def _go(self, fleet: Fleet, goals: Sequence[str]) -> str:
        """Order a convoy and its escort to the nearest goal, and return where they end the week.

        It waits if foes are known where the week would end.
        """
        self.plan.fleets.add(fleet.key)
        routes = []
        for goal in goals:
            if goal == fleet.hex:
                return fleet.hex
            route = weekly_route(self.chart, fleet.hex, goal, self.scenario.hexes_per_week)
            if route and not self.hostile.intersection((route[0], route[-1])):
                routes.append(route)
        if not routes:
            return fleet.hex
        route = min(routes, key=lambda hexes: (len(hexes), hexes))
        for key in (fleet.key, self._escort_of(fleet)):
            if key:
                self.plan.fleets.add(key)
                self.plan.moves.append(Move(key, to=route[0]))
        return route[0]

    def _escort_of(self, convoy: Fleet) -> str:
        """Return the fleet with the most points of warships where a convoy is; "" without any."""
        best = ""
        most = 0
        for fleet in self.view.fleets:
            ships = self.ships_of.get(fleet.key, ())
            is_near = fleet.hex == convoy.hex and not fleet.in_ftl
            if not is_near or fleet.key in self.plan.fleets:
                continue
            if not ships or immobile_ships(self.classes, ships):
                continue
            points = sum(self.classes[ship.cls].points for ship in ships)
            is_armed = any(self.classes[ship.cls].classification != "merchant" for ship in ships)
            if is_armed and points > most:
                best, most = fleet.key, points
        return best


def _carries(ship: Ship, what: str) -> bool:
    return ship.cargo is not None and ship.cargo.what == what and ship.cargo.remaining > 0


def _hostile_hexes(scenario: Scenario, view: View) -> set[str]:
    """Return the hexes where foes hold a system or were seen lately."""
    own_side = side_of(scenario, view.faction)
    hexes = {system.id: system.hex for system in scenario.systems}
    result = set()
    for known in view.systems:
        if known.holder is not None and known.holder not in own_side:
            result.add(hexes[known.system])
    for sighting in view.sightings:
        is_new = view.week - sighting.week <= MAX_SIGHTING_AGE
        if is_new and sighting.faction not in own_side and sighting.counts:
            result.add(sighting.hex)
    return result
