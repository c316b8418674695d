"""The list of all kinds of orders. All code that reads or writes orders goes through it.

A new kind is a line at the end of `ORDERS`. The other lists are the sequences of the printed rules;
a kind that is not in them comes after those that are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from campaign.kinds import StageText
from campaign.orders.decide import DECIDE
from campaign.orders.deploy import DEPLOY
from campaign.orders.designs import DESIGNS
from campaign.orders.detach import DETACH
from campaign.orders.dock import DOCK
from campaign.orders.dummies import DUMMIES
from campaign.orders.land import LAND
from campaign.orders.lay import LAY
from campaign.orders.load import LOAD
from campaign.orders.move import MOVE
from campaign.orders.order import Control, Order
from campaign.orders.patrol import PATROL
from campaign.orders.refit import REFIT
from campaign.orders.set_up import SET_UP
from campaign.orders.settings import SETTINGS
from campaign.orders.supply import SUPPLY
from campaign.orders.sweep import SWEEP
from campaign.orders.take_command import TAKE_COMMAND
from campaign.orders.tow import TOW
from campaign.orders.weasels import WEASELS
from campaign.orders.yards import BUILD, CANCEL
from campaign.rules.orders import Orders
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.rules.world import Ship, World

KEY = "[a-z_]+"  # a kind's key, at the beginning of the place of a fault
OrdersByKind = dict[str, list[Any]]  # stored orders by the key of their kind

# All kinds, in the order of their entries in stored orders.
ORDERS: list[Order] = [
    DEPLOY,
    SETTINGS,
    DETACH,
    DOCK,
    WEASELS,
    DECIDE,
    MOVE,
    TOW,
    DUMMIES,
    REFIT,
    DESIGNS,
    BUILD,
    CANCEL,
    PATROL,
    LOAD,
    LAND,
    SUPPLY,
    SET_UP,
    LAY,
    SWEEP,
    TAKE_COMMAND,
]

# The sequence in which they are carried out. Settings are carried out twice, the second time for
# the fleets that were just formed. Decisions and moves follow (`umpire.adjudication.week`).
WEEK_SEQUENCE = (SETTINGS, DETACH, SETTINGS, DOCK, WEASELS, REFIT, TOW, BUILD, DUMMIES)

# The sequence in which kinds are judged, each with the fleets and ships that earlier ones leave.
JUDGING_SEQUENCE = (
    DESIGNS,
    DEPLOY,
    DETACH,
    WEASELS,
    DOCK,
    REFIT,
    BUILD,
    TOW,
    SETTINGS,
    DECIDE,
    DUMMIES,
    MOVE,
)

# The sequence in which they are shown to people.
READING_SEQUENCE = (
    DEPLOY,
    DESIGNS,
    DUMMIES,
    SETTINGS,
    DETACH,
    DOCK,
    BUILD,
    CANCEL,
    REFIT,
    TOW,
    WEASELS,
    DECIDE,
    MOVE,
)


def week_sequence() -> list[Order]:
    """Return the kinds in the order in which they are carried out."""
    return _week


def judging_sequence(stage: StageText) -> list[Order]:
    """Return the kinds that a stage accepts, in the order in which they are judged."""
    return [order for order in _judging if stage in order.stages]


def reading_sequence() -> list[Order]:
    """Return the kinds in the order in which they are shown to people."""
    return _beginning_with(READING_SEQUENCE)


_week: list[Order] = []  # the kinds as they are carried out
_judging: list[Order] = []  # the kinds as they are judged


def _arrange() -> None:
    """Work out the sequences of a week, once for all factions and stages."""
    coming_first = [order for order in ORDERS if order.comes_first]
    _week[:] = _beginning_with((*coming_first, *WEEK_SEQUENCE))
    _judging[:] = _beginning_with((*coming_first, *JUDGING_SEQUENCE))


def _beginning_with(first: Sequence[Order]) -> list[Order]:
    """Return all kinds, these first."""
    return [*first, *(order for order in ORDERS if order not in first)]


def order_keys(stage: StageText | None = None) -> tuple[str, ...]:
    """Return the names of the kinds in stored orders: of all, or of those that a stage accepts."""
    result: list[str] = []
    for order in ORDERS:
        if stage is None or stage in order.stages:
            result.append(order.key)
    return tuple(result)


def order_of(key: str) -> Order | None:
    """Return the kind of that name in stored orders."""
    return next((order for order in ORDERS if order.key == key), None)


def stored_items(payload: Mapping[str, Any], order: Order) -> list[Any]:
    """Return the orders of a kind in a stored payload; their entries may have any type."""
    items = payload.get(order.key)
    if isinstance(items, list):
        return items
    return []


def with_advice(scenario: Scenario, view: View, orders: Orders) -> Orders:
    """Add the orders that each kind advises to a computer admiral's orders."""
    for order in ORDERS:
        if view.stage in order.stages:
            orders = order.with_items(orders, order.advise(scenario, view, orders))
    return orders


def can_be_scanned_afar(scenario: Scenario) -> bool:
    """Return whether any kind lets fleets be scanned from outside their hex."""
    return any(order.scans_afar(scenario) for order in ORDERS)


def scanned_hexes(
    scenario: Scenario,
    world: World,
    orders: Mapping[str, Orders],
    before: Mapping[str, str],
) -> dict[str, set[str]]:
    """Return the hexes that each faction scans by its orders, besides those of meetings.

    Args:
        before: The hex of each fleet before it moved.
    """
    if not can_be_scanned_afar(scenario):
        return {}
    by_faction: dict[str, set[str]] = {}
    for faction in sorted(orders):
        hexes: set[str] = set()
        for order in ORDERS:
            hexes |= order.scanned_hexes(scenario, world, orders[faction], before)
        by_faction[faction] = hexes
    return by_faction


def orders_by_fleet(payload: Mapping[str, Any], ships: Iterable[Ship]) -> dict[str, OrdersByKind]:
    """Return the stored orders to fleets, and to ships with controls, by fleet and then by kind.

    Args:
        ships: The faction's ships.
    """
    fleet_of = {ship.key: ship.fleet for ship in ships}
    by_fleet: dict[str, OrdersByKind] = {}
    for order in ORDERS:
        if not order.fleet_name and not order.control_ship:
            continue
        for item in stored_items(payload, order):
            if isinstance(item, str) and order.control_ship:
                fleet = fleet_of.get(item, "")
            elif not isinstance(item, dict):
                continue
            elif order.control_ship:
                fleet = fleet_of.get(str(item.get(order.control_ship)), "")
            else:
                fleet = str(item.get(order.fleet_name))
            of_fleet = by_fleet.setdefault(fleet, {})
            of_fleet.setdefault(order.key, []).append(item)
    return by_fleet


def fleet_controls(
    scenario: Scenario,
    view: View,
    fleet: str,
    ships: Sequence[Ship],
    of_fleet: OrdersByKind,
) -> tuple[Control, ...]:
    """Return the controls that kinds of orders add for a fleet on the orders page.

    Args:
        ships: The ships that are in the fleet now.
        of_fleet: The fleet's orders in the draft (`orders_by_fleet`).
    """
    controls: list[Control] = []
    for order in ORDERS:
        items = of_fleet.get(order.key, [])
        controls += order.fleet_controls(scenario, view, fleet, ships=ships, items=items)
    return tuple(controls)


def fleet_changes(of_fleet: OrdersByKind, names: Mapping[str, str]) -> list[str]:
    """Return what the orders to a fleet do apart from moving it, for its line on the page.

    Args:
        names: The names of the faction's ships, by key.
    """
    changes: list[str] = []
    for order in ORDERS:
        changes += order.changes(of_fleet.get(order.key, []), names)
    return changes


def orders_of_controls(posted: Mapping[str, Mapping[str, str]]) -> dict[str, list[Any]]:
    """Return the orders that were given by controls, as stored.

    Args:
        posted: For each fleet the values of its controls by name.
    """
    orders = {order.key: order.from_form(posted) for order in ORDERS}
    return {key: items for key, items in orders.items() if items}


@contextmanager
def register_temporarily(order: Order) -> Iterator[Order]:
    """Add a kind of order while the block runs, for tests."""
    ORDERS.append(order)
    try:
        _check_keys()
        _arrange()
        yield order
    finally:
        ORDERS.remove(order)
        _arrange()


def _check_keys() -> None:
    """Raise ValueError if a key is malformed or used by two kinds."""
    keys: set[str] = set()
    for order in ORDERS:
        if not re.fullmatch(KEY, order.key):
            raise ValueError(
                f"{type(order).__name__}: the key {order.key!r} may have small letters and _ alone"
            )
        if order.key in keys:
            raise ValueError(f"{type(order).__name__}: another kind has the key {order.key!r}")
        keys.add(order.key)


_check_keys()
_arrange()
