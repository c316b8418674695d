"""Ships that keep their fleet from moving, and the action that leaves them behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from campaign.forms.week.order_parts import items
from campaign.forms.week.towing import Towing
from campaign.orders.detach import DETACH
from campaign.orders.move import MOVE
from campaign.orders.order import as_list
from campaign.rules.arrivals import next_leg
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
    into = _into(payload)
    ships = [ship for ship in view.ships if into.get(ship.key, ship.fleet) == fleet]
    return stuck_ships(
        ship_classes(with_known_designs(scenario, view)),
        ships,
        Towing(scenario, view, payload).tug_of,
    ), ships


def stuck_ships(
    classes: Mapping[str, ShipClass], ships: list[Ship], tugs: Mapping[str, str]
) -> list[Ship]:
    """Return the ships that keep their fleet from moving, given these tugs."""
    towed = []
    for ship in ships:
        tug = tugs.get(ship.key, "")
        towed.append(ship if ship.tug == tug else replace(ship, tug=tug))
    return [ship for ship in immobile_ships(classes, towed) if not ship.docked]


def detach_stuck_ships(
    scenario: Scenario, view: View, payload: Mapping[str, Any], fleet: str
) -> dict[str, Any]:
    """Return the orders with the stuck ships detached; unchanged if that does not help."""
    stuck, all_ships = stuck_and_all_ships(scenario, view, payload, fleet)
    name = next((own_fleet.name for own_fleet in view.fleets if own_fleet.key == fleet), "")
    if not name or not stuck or len(stuck) == len(all_ships):
        return dict(payload)
    detach = []
    stuck_keys = {ship.key for ship in stuck}
    for item in items(payload, DETACH.key):
        ships = [ship for ship in as_list(item.get("ships")) if ship not in stuck_keys]
        detach += [{**item, "ships": ships}] if ships else []
    used = [own_fleet.key for own_fleet in view.fleets] + [
        str(item.get("into")) for item in items(payload, DETACH.key)
    ]
    last = max(int(tail) for _, _, tail in (key.rpartition("/f") for key in used) if tail.isdigit())
    new = {
        "ships": sorted(stuck_keys),
        "into": f"{view.faction}/f{last + 1}",
        "name": f"{name[: MAX_NAME_LENGTH - len(STUCK_SUFFIX)]}{STUCK_SUFFIX}",
    }
    return {**payload, DETACH.key: [*detach, new]}


def continue_plan(
    scenario: Scenario, view: View, payload: Mapping[str, Any], fleet: str, goals: tuple[str, ...]
) -> dict[str, Any]:
    """Return the orders with the next leg of a fleet's plan, if it has no move and can continue."""
    moves = items(payload, MOVE.key)
    if any(move.get("fleet") == fleet for move in moves):
        return dict(payload)
    into = _into(payload)
    ships = tuple(replace(ship, fleet=into.get(ship.key, ship.fleet)) for ship in view.ships)
    end, _ = next_leg(scenario, replace(view, ships=ships), fleet, goals)
    if end:
        return {**payload, MOVE.key: [*moves, {"fleet": fleet, "to": end}]}
    return dict(payload)


def _into(payload: Mapping[str, Any]) -> dict[str, str]:
    """Return the fleet that each ship is detached into."""
    into = {}
    for item in items(payload, DETACH.key):
        for ship in as_list(item.get("ships")):
            into[str(ship)] = str(item.get("into"))
    return into
