"""The effect of a week's orders on a faction's own fleets and ships, and their moves.

The resolution of a week and the preview of orders both call `carry_out_orders` and `move_fleet`, so
that the preview shows what will happen. The preview uses only the View: it knows neither the dice
for fleets that withdraw nor the orders of other factions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter

from campaign.orders.dummies import dummies_after
from campaign.orders.order import OwnForces
from campaign.orders.registry import week_sequence
from campaign.orders.yards import works_after
from campaign.rules.movement import move_fleet, release_decoys
from campaign.rules.orders import Move, Orders
from campaign.rules.perception import standing_choice_at
from campaign.rules.queries import immobile_ships, ship_classes, with_known_designs
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import star_map
from campaign.rules.view import View
from campaign.rules.world import Fleet, Ship, Work


def carry_out_orders(own: OwnForces, orders: Orders) -> None:
    """Apply a faction's valid orders to its fleets and ships, before any fleet moves.

    Rules: 2E "The campaign map" [camp.fleets]
    """
    for order in week_sequence():
        losses_before = len(own.lost)
        order.carry_out(own, orders)
        if len(own.lost) > losses_before and not order.comes_first:
            name = type(order).__name__
            raise ValueError(
                f"{name} loses ships: it needs comes_first, so that others are judged after it"
            )


@dataclass(frozen=True, slots=True)
class FleetPreview:
    """A fleet, or a dummy counter, as valid orders leave it at the end of movement.

    Attributes:
        fleet: The fleet after its move, or where it stays.
        start: The hex where it is now.
        ships: Its ships, in the order of their keys.
        withdraws: Whether its faction is in contact at `start` and withdraws. Dice decide whether
            it gets away; otherwise it stays.
    """

    fleet: Fleet
    start: str
    ships: tuple[Ship, ...] = ()
    withdraws: bool = False

    @property
    def has_moved(self) -> bool:
        """Return whether it leaves its hex."""
        return self.fleet.hex != self.start


@dataclass(frozen=True, slots=True)
class WeekPreview:
    """What valid orders do with a faction's own fleets.

    Attributes:
        fleets: The fleets and dummy counters after the orders, by key.
        merged: For each fleet whose ships all leave, the keys of the fleets that they join.
        works: The work of its yards after the orders.
    """

    fleets: dict[str, FleetPreview]
    merged: dict[str, tuple[str, ...]] = field(default_factory=dict)
    works: tuple[Work, ...] = ()


def preview_week(scenario: Scenario, view: View, orders: Orders) -> WeekPreview:
    """Work out what valid orders do, from the faction's own View alone."""
    classes = ship_classes(with_known_designs(scenario, view))
    own = OwnForces(
        classes=classes,
        fleets={fleet.key: fleet for fleet in view.fleets},
        ships={ship.key: ship for ship in view.ships},
    )
    carry_out_orders(own, orders)
    moves = {move.fleet: move for move in orders.moves}
    previews = _fleet_previews(scenario, view, orders, own=own, moves=moves)
    ends = [item.fleet for item in previews.values()]
    for fleet in release_decoys(scenario, ends, orders.settings, own.ships.values()):
        previews[fleet.key] = replace(previews[fleet.key], fleet=fleet)
    chart = star_map(scenario)
    for key, dummy in sorted(dummies_after(view, orders.dummies).items()):
        after = move_fleet(scenario, classes, chart, dummy, ships=(), move=moves.get(key))
        previews[key] = FleetPreview(after, start=dummy.hex)
    return WeekPreview(
        fleets=previews,
        merged=_merged_fleets(view, own.ships, own.fleets),
        works=tuple(works_after(view.faction, view.works, orders)),
    )


def _fleet_previews(
    scenario: Scenario,
    view: View,
    orders: Orders,
    *,
    own: OwnForces,
    moves: Mapping[str, Move],
) -> dict[str, FleetPreview]:
    """Return the fleets after their moves, by key, before they deploy decoys.

    Args:
        own: The fleets and ships after all other orders.
        moves: The moves by fleet.
    """
    withdrawing = _withdrawal_hexes(view, orders, own.fleets)
    chart = star_map(scenario)
    previews: dict[str, FleetPreview] = {}
    for key, fleet in sorted(own.fleets.items()):
        ships = tuple(sorted(own.ships_of.get(key, ()), key=attrgetter("key")))
        immobile = {ship.key for ship in immobile_ships(own.classes, ships)}
        mobile_ships = [ship for ship in ships if ship.key not in immobile]
        withdraws = bool(mobile_ships) and fleet.hex in withdrawing and not fleet.in_ftl
        if withdraws:
            start_state = replace(fleet, must_leave=True)
            moving_ships: Sequence[Ship] = mobile_ships
        else:
            start_state = fleet
            moving_ships = ships
        after = move_fleet(
            scenario, own.classes, chart, start_state, ships=moving_ships, move=moves.get(key)
        )
        previews[key] = FleetPreview(after, start=fleet.hex, ships=ships, withdraws=withdraws)
    return previews


def _withdrawal_hexes(view: View, orders: Orders, fleets: Mapping[str, Fleet]) -> set[str]:
    """Return the hexes where the faction withdraws, by its choice or because a fleet moves out.

    Without a choice, standing orders count. Their conditions depend on a scan of this week, which
    does not exist yet.
    """
    moving = [fleets[move.fleet] for move in orders.moves if move.fleet in fleets]
    leaving = {fleet.hex for fleet in moving if not fleet.in_ftl}
    choices = {(item.hex, item.toward): item.choice for item in orders.decide}
    hexes = set()
    for contact in view.in_contact:
        standing = standing_choice_at(fleets.values(), contact.hex, None)
        choice = choices.get((contact.hex, contact.toward)) or standing
        if contact.hex in leaving or choice == "withdraw":
            hexes.add(contact.hex)
    return hexes


def _merged_fleets(
    view: View,
    ships: Mapping[str, Ship],
    fleets: Mapping[str, Fleet],
) -> dict[str, tuple[str, ...]]:
    """Return, for each fleet that is gone, the fleets that its ships joined."""
    joined: dict[str, list[str]] = {}
    for ship in view.ships:
        if ship.fleet not in fleets and ship.key in ships:
            joined.setdefault(ship.fleet, []).append(ships[ship.key].fleet)
    return {key: tuple(dict.fromkeys(fleet_keys)) for key, fleet_keys in joined.items()}
