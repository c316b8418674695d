"""Ships that keep their fleet from moving, and the action that leaves them behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from campaign.forms.week.order_parts import items
from campaign.forms.week.towing import Towing
from campaign.orders.detach import DETACH
from campaign.orders.move import MOVE
from campaign.rules.arrivals import next_leg
from campaign.rules.codec import as_list
from campaign.rules.fleet_names import MAX_NAME_LENGTH
from campaign.rules.queries import immobile_ships, ship_classes, with_known_designs
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.view import Ship, View

STUCK_SUFFIX = " (crippled)"


def stuck_and_all_ships(
    scenario: Scenario, view: View, payload: Mapping[str, Any], fleet: str
) -> tuple[list[Ship], list[Ship]]:
    """Return a fleet's immobile ships and all its ships, after the detachments of these orders.

    Docked ships leave their dock with their fleet.
    """
    new_fleet_of = _new_fleets_of_ships(payload)
    ships = [ship for ship in view.ships if new_fleet_of.get(ship.key, ship.fleet) == fleet]
    classes = ship_classes(with_known_designs(scenario, view))
    tug_of = Towing(scenario, view, payload).tug_of
    return stuck_ships(classes, ships, tug_of), ships


def stuck_ships(
    classes: Mapping[str, ShipClass], ships: list[Ship], tug_of: Mapping[str, str]
) -> list[Ship]:
    """Return the ships that keep their fleet from moving, given the tug of each towed ship."""
    ships_with_tugs = []
    for ship in ships:
        tug = tug_of.get(ship.key, "")
        ships_with_tugs.append(ship if ship.tug == tug else replace(ship, tug=tug))
    return [ship for ship in immobile_ships(classes, ships_with_tugs) if not ship.docked]


def detach_stuck_ships(
    scenario: Scenario, view: View, payload: Mapping[str, Any], fleet: str
) -> dict[str, Any]:
    """Return the orders with the stuck ships detached; unchanged if that does not help."""
    stuck, all_ships = stuck_and_all_ships(scenario, view, payload, fleet)
    name = next((own_fleet.name for own_fleet in view.fleets if own_fleet.key == fleet), "")
    if not name or not stuck or len(stuck) == len(all_ships):
        return dict(payload)
    if any(ship.station for ship in stuck):  # the others leave its fleet, not the station
        return dict(payload)
    stuck_keys = {ship.key for ship in stuck}
    detach = []
    for item in items(payload, DETACH.key):
        ships = [ship for ship in as_list(item.get("ships")) if ship not in stuck_keys]
        if ships:
            detach.append({**item, "ships": ships})
    number = _last_fleet_number(view, payload) + 1
    detach.append(
        {
            "ships": sorted(stuck_keys),
            "into": f"{view.faction}/f{number}",
            "name": f"{name[: MAX_NAME_LENGTH - len(STUCK_SUFFIX)]}{STUCK_SUFFIX}",
        }
    )
    return {**payload, DETACH.key: detach}


def _last_fleet_number(view: View, payload: Mapping[str, Any]) -> int:
    """Return the largest number of a fleet that exists or is formed by these orders."""
    keys = [fleet.key for fleet in view.fleets]
    keys += [str(item.get("into")) for item in items(payload, DETACH.key)]
    numbers = [key.rpartition("/f")[2] for key in keys]
    return max((int(number) for number in numbers if number.isdigit()), default=0)


def continue_plan(
    scenario: Scenario, view: View, payload: Mapping[str, Any], fleet: str, goals: tuple[str, ...]
) -> dict[str, Any]:
    """Return the orders with the next leg of a fleet's plan, if it has no move and can continue."""
    moves = items(payload, MOVE.key)
    if any(move.get("fleet") == fleet for move in moves):
        return dict(payload)
    new_fleet_of = _new_fleets_of_ships(payload)
    ships = []
    for ship in view.ships:
        ships.append(replace(ship, fleet=new_fleet_of.get(ship.key, ship.fleet)))
    end, _ = next_leg(scenario, replace(view, ships=tuple(ships)), fleet, goals)
    if end:
        return {**payload, MOVE.key: [*moves, {"fleet": fleet, "to": end}]}
    return dict(payload)


def _new_fleets_of_ships(payload: Mapping[str, Any]) -> dict[str, str]:
    """Return the fleet that each ship is detached into."""
    new_fleet_of = {}
    for item in items(payload, DETACH.key):
        for ship in as_list(item.get("ships")):
            new_fleet_of[str(ship)] = str(item.get("into"))
    return new_fleet_of
