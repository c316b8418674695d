"""Ships that keep their fleet from moving, and what a button does about it: they stay behind, the
fleet goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from campaign.forms.week.order_parts import items
from campaign.forms.week.towing import Towing
from campaign.orders.detach import DETACH
from campaign.orders.move import MOVE
from campaign.orders.order import listed
from campaign.rules.arrivals import next_leg
from campaign.rules.fleet_names import MOST_LETTERS
from campaign.rules.queries import grounded, in_sight, ship_classes
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.view import Ship, View

LEFT = " (cripples)"


def staying(
    scenario: Scenario, view: View, payload: Mapping[str, Any], fleet: str
) -> tuple[list[Ship], list[Ship]]:
    """Of the ships that a fleet has after the detachments of these orders: those that keep it from
    moving, and all.

    Ships docked until now leave their dock with their fleet.
    """
    into = _into(payload)
    crew = [ship for ship in view.ships if into.get(ship.key, ship.fleet) == fleet]
    return staying_ships(
        ship_classes(in_sight(scenario, view)), crew, Towing(scenario, view, payload).tug_of
    ), crew


def staying_ships(
    classes: Mapping[str, ShipClass], crew: list[Ship], tugs: Mapping[str, str]
) -> list[Ship]:
    """Of a crew with these tugs those that keep their fleet from moving."""
    towed = []
    for ship in crew:
        tug = tugs.get(ship.key, "")
        towed.append(ship if ship.tug == tug else replace(ship, tug=tug))
    return [ship for ship in grounded(classes, towed) if not ship.docked]


def left_behind(
    scenario: Scenario, view: View, payload: Mapping[str, Any], fleet: str
) -> dict[str, Any]:
    """The same orders with the ships that cannot go in a fleet of their own; unchanged where that
    helps nothing.
    """
    bound, crew = staying(scenario, view, payload, fleet)
    name = next((one.name for one in view.fleets if one.key == fleet), "")
    if not name or not bound or len(bound) == len(crew):
        return dict(payload)
    detach = []
    gone = {ship.key for ship in bound}
    for item in items(payload, DETACH.key):
        ships = [ship for ship in listed(item.get("ships")) if ship not in gone]
        detach += [{**item, "ships": ships}] if ships else []
    used = [one.key for one in view.fleets] + [
        str(item.get("into")) for item in items(payload, DETACH.key)
    ]
    last = max(int(tail) for _, _, tail in (key.rpartition("/f") for key in used) if tail.isdigit())
    new = {
        "ships": sorted(gone),
        "into": f"{view.faction}/f{last + 1}",
        "name": f"{name[: MOST_LETTERS - len(LEFT)]}{LEFT}",
    }
    return {**payload, DETACH.key: [*detach, new]}


def gone_on(
    scenario: Scenario, view: View, payload: Mapping[str, Any], fleet: str, goals: tuple[str, ...]
) -> dict[str, Any]:
    """Return the same orders with the next leg of a fleet's plan, where it can go on now and has no
    move.
    """
    moves = items(payload, MOVE.key)
    if any(move.get("fleet") == fleet for move in moves):
        return dict(payload)
    into = _into(payload)
    ships = tuple(replace(ship, fleet=into.get(ship.key, ship.fleet)) for ship in view.ships)
    end, _ = next_leg(scenario, replace(view, ships=ships), fleet, goals)
    return {**payload, MOVE.key: [*moves, {"fleet": fleet, "to": end}]} if end else dict(payload)


def _into(payload: Mapping[str, Any]) -> dict[str, str]:
    """The fleet that each ship is detached into."""
    into = {}
    for item in items(payload, DETACH.key):
        for ship in listed(item.get("ships")):
            into[str(ship)] = str(item.get("into"))
    return into
