"""A small sector for tests of the campaign's rules: three systems, two factions, a few ships."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.orders.effects import carry_out_orders
from campaign.orders.order import OwnForces
from campaign.rules.forces import initial_world
from campaign.rules.orders import Orders
from campaign.rules.perception import build_view
from campaign.rules.queries import ship_classes
from campaign.rules.scenario import (
    Budget,
    Condition,
    Entry,
    Facility,
    Faction,
    FleetPick,
    Scenario,
    ShipClass,
    StarSystem,
)
from campaign.rules.view import View
from campaign.rules.world import Fleet, Holding, Ship, World

HOME, OUTPOST, FAR = "0303", "0404", "1010"  # red's base, red's small base, blue's home


def ship_class(
    name: str, classification: str, mass: int, points: int, ftl: bool = True, weasel: str = ""
) -> ShipClass:
    systems = (
        "battery-1",
        "screen-1",
        *(("weasel-1",) if weasel else ()),
        "firecon-1",
        "drive",
        *(("ftl",) * ftl),
    )
    return ShipClass(
        name,
        classification,
        mass,
        6,
        ftl,
        points,
        mass // 2,
        systems,
        ("battery-1",),
        ("firecon-1",),
        (),
        weasel,
    )


CATALOGUE = (
    ship_class("Battleship", "capital", 48, 447),
    ship_class("Cruiser", "cruiser", 22, 190),
    ship_class("Destroyer", "escort", 14, 92),
    ship_class("Guard", "cruiser", 20, 100, ftl=False),
    ship_class("Weasel", "escort", 4, 60, weasel="capital"),
)


def scenario(**changes: Any) -> Scenario:
    """Return a scenario: red has Home and Outpost and enters at 0101, blue has Far; 12 by 12 hexes."""
    values: dict[str, Any] = {
        "slug": "quiet",
        "version": 1,
        "name": "Quiet",
        "edition": "second-edition",
        "options": (),
        "weeks": 5,
        "hexes_per_week": 6,
        "columns": 12,
        "rows": 12,
        "table": (72, 48),
        "factions": (Faction("blue", "Blue"), Faction("red", "Red")),
        "systems": (
            StarSystem(
                "far",
                "Far",
                FAR,
                "blue",
                True,
                terrain=({"kind": "cloud", "at": [0, 2], "radius": 4},),
            ),
            StarSystem("home", "Home", HOME, "red", True, Facility("base", True, None, True, True)),
            StarSystem(
                "outpost", "Outpost", OUTPOST, "red", False, Facility("post", True, 20, True)
            ),
        ),
        "links": (),
        "closed": (),
        "entries": (Entry("red", "0101", 1),),
        "budgets": (
            Budget("blue/mobile", "blue", 1000, "any", ("far",)),
            Budget("red/entering", "red", 1000, "required", ("entry",)),
            Budget("red/home", "red", 300, "none", ("home",)),
            Budget("red/mobile", "red", 1000, "required", ("any",)),
        ),
        "defaults": (
            ("blue", (FleetPick("Fist", "blue/mobile", FAR, (("Battleship", 1), ("Cruiser", 1))),)),
            ("red", (FleetPick("Shield", "red/home", HOME, (("Guard", 2),)),)),
        ),
        "reinforcements": (),
        "victory": (Condition("red victory", "red"),),
        "catalogue": CATALOGUE,
    }
    return Scenario(**{**values, **changes})


def ship(key: str, fleet: str, cls: str = "Destroyer", **changes: Any) -> Ship:
    faction = key.partition("/")[0]
    return Ship(key, faction, f"HMS {key.partition('/')[2]}", cls, fleet, **changes)


def fleet(key: str, hex_: str = HOME, **changes: Any) -> Fleet:
    return Fleet(key, key.partition("/")[0], f"Fleet {key}", hex_, **changes)


def world(*items: Fleet | Ship | Holding, week: int = 2, **changes: Any) -> World:
    """Return a world in the orders stage of a week; other holdings are as at the start."""
    holdings = {holding.system: holding for holding in initial_world(scenario()).holdings}
    holdings.update({item.system: item for item in items if isinstance(item, Holding)})
    values: dict[str, Any] = {
        "week": week,
        "stage": "orders",
        "fleets": tuple(item for item in items if isinstance(item, Fleet)),
        "ships": tuple(item for item in items if isinstance(item, Ship)),
        "holdings": tuple(holdings.values()),
    }
    return World(**{**values, **changes})


def view(*items: Fleet | Ship | Holding, faction: str = "red", **changes: Any) -> View:
    """Return what a faction sees of such a world."""
    return build_view(scenario(), world(*items, **changes), faction, None, ())


def places_and_codes(violations: Any) -> list[tuple[str, str]]:
    """Return (place, code) of each fault."""
    return [(fault.where, fault.code) for fault in violations]


def forces_after(
    orders: Orders, fleets: Mapping[str, Fleet], ships: Mapping[str, Ship] | None = None
) -> OwnForces:
    """Return a faction's fleets and ships after its orders, before anybody moves."""
    forces = OwnForces(
        classes=ship_classes(scenario()), fleets=dict(fleets), ships=dict(ships or {})
    )
    carry_out_orders(forces, orders)
    return forces
