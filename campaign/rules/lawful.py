"""What of sealed orders can be carried out: the lawful part, and what was dropped with the reason.

Orders are judged before they are sealed, by the same `order_violations`. Defaults, old seals and rulings may still
hold what cannot be done now; such an item is dropped alone, never the rest with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from campaign.rules.lookup import in_truth, ship_classes, ships_by_faction
from campaign.rules.markers import dummies_ordered
from campaign.rules.movement import Dropped, apply_detach, apply_dock, apply_settings
from campaign.rules.orders import Orders
from campaign.rules.perceive import perceive
from campaign.rules.refit import apply_refit
from campaign.rules.scenario import Scenario
from campaign.rules.towing import apply_tow, hold_tows
from campaign.rules.view import View
from campaign.rules.violations import order_violations
from campaign.rules.world import World

MISSING = ("must-leave",)  # faults of what is not there: nothing can be dropped for them

_ITEM = re.compile(r"^([a-z]+)(?:\[([0-9]+)\])?")


@dataclass(frozen=True, slots=True)
class Prepared:
    """The world with settings, detachments, docks, tows and weasels applied; each faction's lawful orders; the rest."""

    world: World
    orders: dict[str, Orders]
    dropped: tuple[Dropped, ...]


def lawful_orders(scenario: Scenario, view: View, orders: Orders) -> tuple[Orders, tuple[Dropped, ...]]:
    """The orders without the items that have faults, and those faults. A fault of a whole part drops the part."""
    dropped: list[Dropped] = []
    while True:
        faults = order_violations(scenario, view, orders)
        doomed: dict[str, set[int]] = {}
        for fault in faults:
            match = _ITEM.match(fault.where)
            part = match[1] if match else fault.where
            if fault.code in MISSING:
                continue
            items = doomed.setdefault(part, set())
            items.update([int(match[2])] if match and match[2] else range(len(getattr(orders, part))))
            dropped.append(Dropped(view.faction, fault.where, fault))
        if not doomed:
            return orders, tuple(dropped)
        for part in sorted(doomed):
            kept = tuple(item for n, item in enumerate(getattr(orders, part)) if n not in doomed[part])
            orders = replace(orders, **{part: kept})


def prepare(scenario: Scenario, world: World, orders: Mapping[str, Orders]) -> Prepared:
    """The orders stage up to the decisions of those in contact: who does what is settled, nobody has moved yet.

    Rules: 2E "The campaign map" [camp.fleets]
    """
    scenario = in_truth(scenario, world)
    fleets = {fleet.key: fleet for fleet in world.fleets}
    ships = {ship.key: ship for ship in world.ships}
    crews = ships_by_faction(world.ships)
    lawful: dict[str, Orders] = {}
    dropped: list[Dropped] = []
    for faction in sorted(orders):
        view = perceive(scenario, world, faction, None, (), crews)
        lawful[faction], faults = lawful_orders(scenario, view, orders[faction])
        dropped.extend(faults)
        fleets = apply_settings(fleets, lawful[faction].settings)
    for faction in sorted(orders):
        fleets, ships = apply_detach(fleets, ships, lawful[faction].detach)
        fleets = apply_settings(fleets, lawful[faction].settings)
    docks = [dock for faction in sorted(orders) for dock in lawful[faction].dock]
    weasels = [key for faction in sorted(orders) for key in lawful[faction].weasels]
    ships = apply_dock(ships, docks, weasels)
    ships = apply_refit(
        ship_classes(scenario), ships, [item for faction in sorted(orders) for item in lawful[faction].refit]
    )
    ships = apply_tow(ships, [tow for faction in sorted(orders) for tow in lawful[faction].tow])
    ships, _ = hold_tows(ship_classes(scenario), ships)
    after = replace(
        world,
        fleets=tuple(map(fleets.__getitem__, sorted(fleets))),
        ships=tuple(map(ships.__getitem__, sorted(ships))),
    )
    return Prepared(dummies_ordered(after, lawful), lawful, tuple(dropped))
