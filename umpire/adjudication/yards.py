"""A week in the shipyards: ships are built and modified as far as capacity and points allow.

Also computes each faction's income of points.
"""

from __future__ import annotations

from dataclasses import replace

from campaign.events.bases import ShipLaunched, ShipModified, WorkDropped
from campaign.events.event import WeekEvent
from campaign.rules.fleet_names import unique_name, used_names
from campaign.rules.forces import initial_cargo, last_number
from campaign.rules.queries import class_name
from campaign.rules.stations import true_stations
from campaign.rules.world import Fleet, Ship, Work, World
from campaign.rules.yards import income_of_systems, price, room_after_building, yards_at
from engine.core.phrase import phrase
from umpire.adjudication.indexes import ScenarioIndex
from umpire.adjudication.repairs import working_base

MAX_NAME_LENGTH = 40  # characters of a fleet's name


def income(index: ScenarioIndex, world: World) -> tuple[tuple[str, int], ...]:
    """Return each faction's construction points after a new week's income.

    Rules: Continuum "Shipyard facilities" 13.13 [camp.shipyard]
    """
    points_before = dict(world.funds)
    earned = income_of_systems(index.scenario, world.holdings)
    result: list[tuple[str, int]] = []
    for power in index.scenario.factions:
        before = points_before.get(power.id, 0)
        gain = power.construction + earned.get(power.id, 0)
        if before or gain:
            result.append((power.id, before + gain))
    return tuple(result)


def work_at_yards(index: ScenarioIndex, world: World) -> tuple[World, list[WeekEvent]]:
    """Do the week's building; only the owners are notified.

    Each faction's works are done in order. If the first work at a place lacks capacity or points,
    or its ship is not docked there undamaged, it waits, and so do all works after it at that place.

    Rules: Continuum "Shipyard facilities" 13.13 [camp.shipyard]
    """
    if not world.works:
        return world, []
    week = _YardWeek(index, world)
    for work in world.works:
        week.carry_out(work)
    return week.world_after(), week.events


class _YardWeek:
    """The state of one week's building: what has been built, and the capacity and points left.

    Attributes:
        capacity: The mass that each yard at a place can still build this week, by (faction, hex).
        stopped: Places, by (faction, hex), where a work has to wait, and so all works after it.
        launched: The key of the new fleet for this week's ships, by (faction, hex).
        waiting: The works left for later weeks.
    """

    def __init__(self, index: ScenarioIndex, world: World) -> None:
        self.index, self.world = index, world
        self.fleets = {fleet.key: fleet for fleet in world.fleets}
        self.ships = {ship.key: ship for ship in world.ships}
        self.holdings = {holding.system: holding for holding in world.holdings}
        self.stations = true_stations(index.scenario, world)
        self.funds = dict(world.funds)
        self.capacity: dict[tuple[str, str], tuple[int, ...]] = {}
        self.stopped: set[tuple[str, str]] = set()
        self.launched: dict[tuple[str, str], str] = {}
        self.waiting: list[Work] = []
        self.events: list[WeekEvent] = []

    def carry_out(self, work: Work) -> None:
        """Do a piece of work or let it wait; drop the modification of a ship that is gone."""
        place = work.faction, work.hex
        ship = self.ships.get(work.ship)
        if work.ship and (ship is None or ship.faction != work.faction):
            label = self._class_label(work)
            self.events.append(WorkDropped((work.faction,), work.hex, work.name, label))
        elif place in self.stopped or not self._try_work(work, ship):
            self.stopped.add(place)
            self.waiting.append(work)

    def _try_work(self, work: Work, ship: Ship | None) -> bool:
        """Do a piece of work if possible, and return whether it was done.

        Args:
            ship: The ship to be modified; None if a new one is built.
        """
        if ship is not None and not self._is_ready(ship, work.hex):
            return False
        cls = self.index.classes[work.cls]
        cls_before = None if ship is None else self.index.classes[ship.cls]
        cost = price(cls, cls_before)
        place = (work.faction, work.hex)
        if place not in self.capacity:
            self.capacity[place] = self._yard_capacity(*place)
        remaining = room_after_building(self.capacity[place], cls.mass)
        if remaining is None or cost > self.funds.get(work.faction, 0):
            return False
        self.capacity[place] = remaining
        self.funds[work.faction] -= cost
        owner, label = (work.faction,), self._class_label(work)
        if ship is None:
            self._launch(work)
            self.events.append(ShipLaunched(owner, work.hex, work.name, label, cost))
        else:
            self.ships[ship.key] = replace(ship, cls=work.cls, stock=(), settings=(), notes=())
            self.events.append(ShipModified(owner, work.hex, ship.name, label, cost))
        return True

    def _is_ready(self, ship: Ship, hex_: str) -> bool:
        """Return whether a ship is docked in a hex, undamaged and in service."""
        is_docked_there = ship.docked and self.fleets[ship.fleet].hex == hex_
        return is_docked_there and not (ship.damage or ship.lost or ship.laid_up)

    def _yard_capacity(self, faction: str, hex_: str) -> tuple[int, ...]:
        """Return the mass that each of a faction's yards in a hex can build in this week."""
        system = self.index.system_at.get(hex_)
        facility = None
        if system is not None:
            holding = self.holdings[system.id]
            if holding.state == "contested":
                return ()
            if holding.holder == faction:
                facility = working_base(self.index, system, holding, self.stations, self.world.week)
        fleets_here = set()
        for key, fleet in self.fleets.items():
            if fleet.hex == hex_ and not fleet.in_ftl:
                fleets_here.add(key)
        own_ships = []
        for ship in self.world.ships:
            if ship.fleet in fleets_here and ship.faction == faction:
                own_ships.append(ship)
        return yards_at(self.index.classes, facility, own_ships)

    def _launch(self, work: Work) -> None:
        """Launch a new ship into the new fleet for all ships that a place launches this week."""
        faction = work.faction
        used_keys = [*self.ships, *(loss.ship.key for loss in self.world.losses)]
        number = last_number(key for key in used_keys if key.startswith(f"{faction}/s")) + 1
        fleet = self.launched.get((faction, work.hex))
        if fleet is None:
            last = last_number(key for key in self.fleets if key.startswith(f"{faction}/f"))
            fleet = f"{faction}/f{last + 1}"
            self.launched[faction, work.hex] = fleet
            system = self.index.system_at.get(work.hex)
            place = work.hex if system is None else system.name
            base_name = phrase("{} yard {}", place, self.world.week)[-MAX_NAME_LENGTH:].strip()
            name = unique_name(base_name, used_names(self.fleets.values(), faction))
            self.fleets[fleet] = Fleet(key=fleet, faction=faction, name=name, hex=work.hex)
        key = f"{faction}/s{number}"
        cargo = initial_cargo(self.index.scenario, faction, work.cls)
        self.ships[key] = Ship(key, faction, work.name, work.cls, fleet, cargo=cargo)

    def _class_label(self, work: Work) -> str:
        """Return the name of the class that the yard builds."""
        return class_name(self.index.scenario, work.faction, work.cls)

    def world_after(self) -> World:
        """Return the world after the week's building."""
        return replace(
            self.world,
            fleets=tuple(self.fleets[key] for key in sorted(self.fleets)),
            ships=tuple(self.ships[key] for key in sorted(self.ships)),
            works=tuple(self.waiting),
            funds=tuple((faction, self.funds[faction]) for faction, _ in self.world.funds),
        )
