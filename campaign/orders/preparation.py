"""The valid part of sealed orders, and a week up to the decisions of factions in contact.

Defaults, orders sealed earlier and rulings may contain orders that cannot be carried out now. Each
of these is dropped, with a reason for its owner's report.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from operator import attrgetter

from campaign.events.battles import ShipLost
from campaign.events.event import WeekEvent
from campaign.orders.effects import carry_out_orders
from campaign.orders.order import LostShip, OwnForces
from campaign.orders.registry import KEY, order_of, week_sequence
from campaign.orders.validation import order_violations
from campaign.rules.movement import DroppedOrder
from campaign.rules.orders import Orders
from campaign.rules.perception import build_view
from campaign.rules.queries import (
    fleets_by_faction,
    ship_classes,
    ships_by_faction,
    with_all_designs,
)
from campaign.rules.scenario import Scenario
from campaign.rules.stations import with_open_gates
from campaign.rules.view import View
from campaign.rules.world import Fleet, Loss, Ship, World

# The beginning of the place of a fault: a kind of order, and the number of an order.
_ORDER_PLACE = re.compile(rf"^({KEY})(?:\[([0-9]+)\])?")


@dataclass(frozen=True, slots=True)
class PreparedWeek:
    """A week before any fleet moves.

    Attributes:
        world: The world after all orders but decisions and moves.
        orders: Each faction's valid orders.
        dropped: The orders that cannot be carried out.
        events: The events of the orders that were carried out.
    """

    world: World
    orders: dict[str, Orders]
    dropped: tuple[DroppedOrder, ...]
    events: tuple[WeekEvent, ...] = ()


def valid_orders(
    scenario: Scenario,
    view: View,
    orders: Orders,
) -> tuple[Orders, tuple[DroppedOrder, ...]]:
    """Return the orders without those that have faults, and these faults.

    A fault of a whole kind drops all orders of that kind.
    """
    dropped: list[DroppedOrder] = []
    while True:
        faulty_numbers: dict[str, set[int]] = {}
        for fault in order_violations(scenario, view, orders):
            match = _ORDER_PLACE.match(fault.where)
            order = order_of(match[1]) if match else None
            if match is None or order is None:
                raise ValueError(f"a fault of no kind of order: {fault.where}")
            if fault.code in order.missing:
                continue
            numbers = [int(match[2])] if match[2] else range(len(order.items(orders)))
            faulty_numbers.setdefault(order.key, set()).update(numbers)
            dropped.append(DroppedOrder(view.faction, fault.where, fault))
        if not faulty_numbers:
            return orders, tuple(dropped)
        for key in sorted(faulty_numbers):
            orders = _without(orders, key, faulty_numbers[key])


def _without(orders: Orders, key: str, numbers: set[int]) -> Orders:
    """Return the orders without those of a kind that have these numbers."""
    order = order_of(key)
    assert order is not None
    remaining = [item for n, item in enumerate(order.items(orders)) if n not in numbers]
    return order.with_items(orders, remaining)


def prepare_week(scenario: Scenario, world: World, orders: Mapping[str, Orders]) -> PreparedWeek:
    """Carry out a week's orders up to the decisions of factions in contact. No fleet moves yet.

    Orders are judged by the public scenario, so that faults reveal no foreign designs.

    Rules: 2E "The campaign map" [camp.fleets]
    """
    full_scenario = with_all_designs(scenario, world)
    open_scenario = with_open_gates(scenario)
    fleets_of = fleets_by_faction(world.fleets)
    ships_of = ships_by_faction(world.ships)
    valid: dict[str, Orders] = {}
    dropped: list[DroppedOrder] = []
    for faction in sorted(orders):
        view = build_view(
            full_scenario,
            world,
            faction,
            previous=None,
            notices=(),
            fleets=fleets_of.get(faction, ()),
            ships=ships_of.get(faction, ()),
        )
        valid[faction], faults = valid_orders(open_scenario, view, orders[faction])
        dropped.extend(faults)
    classes = ship_classes(full_scenario)
    fleets: dict[str, Fleet] = {}
    ships: dict[str, Ship] = {}
    lost_ships: list[LostShip] = []
    for faction in sorted({*fleets_of, *ships_of}):
        own = OwnForces(
            classes=classes,
            fleets={fleet.key: fleet for fleet in fleets_of.get(faction, ())},
            ships={ship.key: ship for ship in ships_of.get(faction, ())},
        )
        carry_out_orders(own, valid.get(faction, Orders()))
        fleets |= own.fleets
        ships |= own.ships
        lost_ships += own.lost
    after = replace(
        world,
        fleets=tuple(map(fleets.__getitem__, sorted(fleets))),
        ships=tuple(map(ships.__getitem__, sorted(ships))),
        losses=_with_losses(world, lost_ships),
    )
    events = [_loss_event(loss) for loss in lost_ships]
    kinds = tuple(dict.fromkeys(week_sequence()))
    for order in kinds:
        after = order.carry_out_in_world(scenario, after, valid)
    for order in kinds:
        events += order.week_events(scenario, world, after, valid)
    return PreparedWeek(after, valid, tuple(dropped), tuple(events))


def _with_losses(world: World, lost_ships: list[LostShip]) -> tuple[Loss, ...]:
    """Return the losses of the war, including those that orders caused this week, in order."""
    if not lost_ships:
        return world.losses
    new = [Loss(loss.ship, world.week, loss.hex, loss.how) for loss in lost_ships]
    return tuple(sorted([*world.losses, *new], key=attrgetter("week", "ship.key")))


def _loss_event(loss: LostShip) -> WeekEvent:
    """Return the event for the owner of a lost ship."""
    ship = loss.ship
    return ShipLost((ship.faction,), loss.hex, ship=ship.name, ship_class=ship.cls, cause=loss.how)
